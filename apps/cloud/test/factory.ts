import { createHash, randomBytes } from 'node:crypto';
import {
  API_TOKEN_SCOPES,
  type Money,
  type ProductKind,
  type ProductState,
  type RecoverySessionAccess,
  type Scope,
  type SiteRole,
  type TaxCategory,
  type TicketState,
} from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { DAY_MS } from '@heliograph/kit/local-time';
import type { Insertable } from 'kysely';
import { requireEmail } from '../src/common/require-email.ts';
import { deriveKeys } from '../src/common/secrets/derive-key.ts';
import { newToken, type TokenKind, tokenHash } from '../src/common/secrets/opaque-token.ts';
import { PasswordHashing } from '../src/common/secrets/password-hashing.ts';
import { seal } from '../src/common/secrets/seal.ts';
import { issueOneTimeToken, type OneTimePurpose } from '../src/db/one-time-tokens.ts';
import type { Database } from '../src/db/open.ts';
import type { Schema } from '../src/db/schema.ts';
import { PostgresHistoryStore } from '../src/sites/history/postgres-store.ts';
import { TRANSFER_LIFETIME_MS } from '../src/sites/members/invitation-rows.ts';
import { CLOUD_SECRET } from './cloud-secret.ts';

export const PASSWORD = 'Correct-horse-7';

export interface TestUser {
  readonly id: number;
  readonly email: string;
  /** An API token with every scope. */
  readonly token: string;
}

interface UserOptions {
  readonly email?: string;
  readonly staff?: boolean;
  readonly confirmed?: boolean;
  /** The organization whose customer the account is. */
  readonly customerOf?: number | null;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phoneNumber?: string | null;
}

interface OneTimeTokenOptions {
  readonly userId?: number | null;
  readonly organizationId?: number | null;
  readonly lifetimeMs?: number;
}

interface TokenOptions {
  readonly kind?: TokenKind;
  /** The organization of the application that an OAuth token was given to. */
  readonly applicationOrganizationId?: number | null;
  readonly scopes?: readonly Scope[];
  readonly organizationId?: number | null;
  readonly siteId?: number | null;
  readonly expiresAt?: Date | null;
  readonly revokedAt?: Date | null;
  /** When the person of a session proved who they are; by default now. */
  readonly authenticatedAt?: Date;
  /** The grant to the third party that holds it. */
  readonly grantId?: string | null;
}

interface ApplicationOptions {
  readonly kind?: 'confidential' | 'public' | 'agent';
  readonly scopes?: readonly Scope[];
  /** As a confidential application shows it. */
  readonly secret?: string;
  readonly redirectUris?: readonly string[];
}

interface GrantOptions {
  readonly clientId?: string;
  /** Of the application; without it, it is an agent's. */
  readonly organizationId?: number;
  readonly siteId?: number;
}

interface RecoveryFields {
  readonly requestedBy?: number | null;
  readonly isActive?: boolean;
  readonly access?: RecoverySessionAccess;
}

interface ProductFields {
  readonly sku?: string;
  readonly name?: string;
  readonly state?: ProductState;
  readonly prices?: readonly Money[];
  readonly kind?: ProductKind;
  readonly stock?: number | null;
  readonly taxCategory?: TaxCategory;
  readonly licence?: { readonly devices: number; readonly months: number | null };
}

interface TicketFields {
  readonly subject?: string;
  readonly state?: TicketState;
  /** Null: the operator handles it. */
  readonly organizationId?: number | null;
  readonly siteId?: number | null;
}

interface SiteOptions {
  readonly ownerId?: number;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly organizationId?: number | null;
  readonly device?: Partial<DeviceOptions>;
}

interface DeviceOptions {
  readonly uid: string;
  readonly activated: boolean;
  readonly organizationId: number | null;
  readonly siteId: number | null;
  readonly inverter: string | null;
  readonly battery: string | null;
  readonly localIp: string | null;
  readonly publicIp: string | null;
  readonly inverterParams: Readonly<Record<string, unknown>>;
}

/** Makes records, with the parents they miss. */
export class Factory {
  #alerts = 0;
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #hashing: PasswordHashing;
  #passwordHash: Promise<string> | undefined;
  #count = 0;

  /** @param hashing that of the cloud */
  constructor(db: Database, clock: Clock, hashing = new PasswordHashing()) {
    this.#db = db;
    this.#clock = clock;
    this.#hashing = hashing;
  }

  async user(options: UserOptions = {}): Promise<TestUser> {
    const row = await this.#userRow(options);
    const { id } = await this.#db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, email: row.email, token: await this.token(id) };
  }

  /** Accounts without tokens. @returns their ids */
  async users(count: number): Promise<number[]> {
    const rows = await Promise.all(Array.from({ length: count }, () => this.#userRow({})));
    const made = await this.#db.insertInto('users').values(rows).returning('id').execute();
    return made.map(({ id }) => id);
  }

  async #userRow(options: UserOptions) {
    const { email = `user-${++this.#count}@example.org`, staff = false, confirmed = true } = options;
    this.#passwordHash ??= this.#hashing.hash(PASSWORD);
    return {
      email: requireEmail(email),
      first_name: options.firstName ?? 'Ada',
      last_name: options.lastName ?? 'Example',
      phone_number: options.phoneNumber ?? null,
      staff,
      password_hash: await this.#passwordHash,
      confirmed_at: confirmed ? this.#now() : null,
      organization_id: options.customerOf ?? null,
    };
  }

  async token(userId: number, options: TokenOptions = {}): Promise<string> {
    const { kind = 'api' } = options;
    const token = newToken(kind);
    await this.#db
      .insertInto('tokens')
      .values({
        kind,
        hash: tokenHash(token),
        user_id: userId,
        scopes: [...(options.scopes ?? API_TOKEN_SCOPES)],
        organization_id: options.organizationId ?? null,
        site_id: options.siteId ?? null,
        application_organization_id: options.applicationOrganizationId ?? null,
        grant_id: options.grantId ?? null,
        created_at: this.#now(),
        expires_at: options.expiresAt ?? null,
        revoked_at: options.revokedAt ?? null,
        authenticated_at: options.authenticatedAt ?? (kind === 'session' ? this.#now() : null),
      })
      .execute();
    return token;
  }

  /** A token as mails and other pages carry it, by default good for an hour. */
  oneTimeToken(purpose: OneTimePurpose, options: OneTimeTokenOptions = {}): Promise<string> {
    const { userId = null, organizationId = null, lifetimeMs = 60 * 60 * 1000 } = options;
    const life = { nowMs: this.#clock.now(), lifetimeMs };
    return issueOneTimeToken(this.#db, purpose, { userId, organizationId }, life);
  }

  /** @param members ids of users who join it */
  async organization(...members: readonly number[]): Promise<number> {
    const { id } = await this.#db
      .insertInto('organizations')
      .values({ name: `Organization ${++this.#count}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const user_id of members) {
      await this.#db
        .insertInto('organization_members')
        .values({ organization_id: id, user_id, role: 'member' })
        .execute();
    }
    return id;
  }

  /** An account that works for an organization. */
  async employee(
    organizationId: number,
    role: SiteRole = 'member',
    options: UserOptions = {},
  ): Promise<TestUser> {
    const user = await this.user(options);
    await this.#db
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: user.id, role })
      .execute();
    return user;
  }

  /** An invitation to work for an organization, which the account can accept for an hour. */
  async teamInvitation(organizationId: number, userId: number, role: SiteRole = 'member'): Promise<void> {
    const state = {
      role,
      first_name: '',
      last_name: '',
      invited_by: null,
      created_at: this.#now(),
      expires_at: new Date(this.#clock.now() + 60 * 60 * 1000),
    };
    await this.#db
      .insertInto('employment_invitations')
      .values({ organization_id: organizationId, user_id: userId, ...state })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(state))
      .execute();
  }

  /** Makes an account a member of a site who has not accepted it. */
  async siteInvitation(siteId: number, userId: number): Promise<void> {
    await this.member(siteId, userId, 'member');
    const shown = { email: 'given@example.org', first_name: 'Given', last_name: 'Name' };
    await this.#db
      .insertInto('site_invitations')
      .values({ site_id: siteId, user_id: userId, ...shown, invited_by: null, created_at: this.#now() })
      .execute();
  }

  /** Hands a site over to one of its members, who has not accepted it. */
  async transfer(siteId: number, formerOwnerId: number, memberId: number): Promise<void> {
    await this.#db.deleteFrom('site_members').where('user_id', '=', memberId).execute();
    await this.#db.updateTable('sites').set({ owner_id: memberId }).where('id', '=', siteId).execute();
    await this.#db
      .insertInto('site_members')
      .values({ site_id: siteId, user_id: formerOwnerId, role: 'admin' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#db
      .insertInto('site_transfers')
      .values({
        site_id: siteId,
        former_owner_id: formerOwnerId,
        former_member_id: formerOwnerId,
        former_role: 'member',
        created_at: this.#now(),
        ends_at: new Date(this.#now().getTime() + TRANSFER_LIFETIME_MS),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Lets an organization read a site. */
  async share(organizationId: number, siteId: number): Promise<void> {
    await this.#db
      .insertInto('organization_sites')
      .values({ organization_id: organizationId, site_id: siteId, granted_by: null, created_at: this.#now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** A program that asks users for access, by default a confidential application. @returns its client_id */
  async application(organizationId: number | null, options: ApplicationOptions = {}): Promise<string> {
    const { kind = 'confidential', secret = newToken('client') } = options;
    const clientId = `${kind === 'agent' ? 'agent' : 'app'}_${randomBytes(16).toString('base64url')}`;
    await this.#db
      .insertInto('oauth_clients')
      .values({
        client_id: clientId,
        organization_id: organizationId,
        kind,
        name: `Application ${++this.#count}`,
        secret_hash: kind === 'confidential' ? tokenHash(secret) : null,
        secret_hint: kind === 'confidential' ? secret.slice(-4) : null,
        redirect_uris: [...(options.redirectUris ?? [])],
        scopes: [...(options.scopes ?? ['openid', 'sites:read_single'])],
        created_by: null,
        created_at: this.#now(),
        last_used_at: null,
      })
      .execute();
    return clientId;
  }

  /** A grant to an application, or without an organization to an agent, for a day. @returns its id */
  async grant(userId: number, options: GrantOptions = {}): Promise<string> {
    const { siteId = null, organizationId = null } = options;
    const name = `client-${++this.#count}`;
    await this.#db
      .insertInto('oauth_grants')
      .values({
        id: `grant-of-${name}`,
        client_id: options.clientId ?? `https://${name}.example.org/about`,
        client_name: name,
        organization_id: organizationId,
        user_id: userId,
        site_id: siteId,
        scopes: organizationId === null ? ['openid', 'sites:read_all'] : ['openid', 'sites:read_single'],
        payload: '{"granted":true}',
        created_at: this.#now(),
        expires_at: new Date(this.#clock.now() + 24 * 60 * 60 * 1000),
        revoked_at: null,
      })
      .execute();
    return `grant-of-${name}`;
  }

  /** A device that was never on a proxy; by default activated. */
  async device(options: Partial<DeviceOptions> = {}): Promise<string> {
    const row = this.#deviceRow(options);
    await this.#db.insertInto('devices').values(row).execute();
    return row.uid;
  }

  #deviceRow(options: Partial<DeviceOptions>) {
    const uid = options.uid ?? `device${++this.#count}`;
    return {
      uid,
      public_key: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: uid }),
      enrolled_at: this.#now(),
      activated_at: options.activated === false ? null : this.#now(),
      site_id: options.siteId ?? null,
      organization_id: options.organizationId ?? null,
      arch: 'arm64',
      version: '0.1.0',
      inverter: options.inverter ?? null,
      inverter_count: 1,
      battery: options.battery ?? null,
      battery_count: 1,
      local_ip: options.localIp ?? null,
      public_ip: options.publicIp ?? null,
      inverter_params: JSON.stringify(options.inverterParams ?? {}),
    };
  }

  /** A site with a device. */
  async site(options: SiteOptions = {}): Promise<{ id: number; uid: string; name: string | null }> {
    const row = this.#siteRow(options.ownerId ?? (await this.user()).id, options);
    const { id } = await this.#db.insertInto('sites').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, name: row.name, uid: await this.device({ ...options.device, siteId: id }) };
  }

  /** Sites of an owner, each with a device. */
  async sites(
    count: number,
    options: SiteOptions & { readonly ownerId: number },
  ): Promise<{ id: number; uid: string }[]> {
    const rows = Array.from({ length: count }, () => this.#siteRow(options.ownerId, options));
    const sites = await this.#db.insertInto('sites').values(rows).returning('id').execute();
    const devices = sites.map(({ id }) => this.#deviceRow({ ...options.device, siteId: id }));
    await this.#db.insertInto('devices').values(devices).execute();
    return devices.map(({ site_id, uid }) => ({ id: Number(site_id), uid }));
  }

  #siteRow(ownerId: number, options: SiteOptions) {
    const { name = `site-${++this.#count}` } = options;
    return {
      name,
      description: options.description ?? null,
      region: 'us',
      owner_id: ownerId,
      organization_id: options.organizationId ?? null,
    };
  }

  /** The consent of the owner of a site, and the history of one day. */
  async siteHistory(siteId: number): Promise<void> {
    const { owner_id } = await this.#db
      .selectFrom('sites')
      .select('owner_id')
      .where('id', '=', siteId)
      .executeTakeFirstOrThrow();
    const at = this.#now();
    await this.#db
      .insertInto('site_history_consents')
      .values({ site_id: siteId, owner_id, agreed: true, decided_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const day = Math.floor(at.getTime() / DAY_MS);
    const values = { means: { pv_power: [0, 1000] }, energy: { pv: [0.25], covered_s: [3600] } };
    await this.#db
      .transaction()
      .execute((tx) =>
        new PostgresHistoryStore(this.#db).merge(tx, siteId, [{ day, zone: 'Europe/Berlin', values }]),
      );
  }

  /** One that is switched off, of an organization or an account. @returns its id */
  async webhook(
    owner: { readonly organizationId: number } | { readonly userId: number },
    values: Partial<Insertable<Schema['webhooks']>> = {},
  ): Promise<number> {
    const at = this.#now();
    const { id } = await this.#db
      .insertInto('webhooks')
      .values({
        organization_id: 'organizationId' in owner ? owner.organizationId : null,
        user_id: 'userId' in owner ? owner.userId : null,
        name: 'Webhook',
        // Refused without asking a name server.
        url: 'https://127.0.0.1/',
        types: [],
        sealed_secret: seal(
          deriveKeys({ used: CLOUD_SECRET, accepted: undefined }, 'webhooks'),
          randomBytes(32),
        ),
        enabled: false,
        transaction: '0',
        event_id: '0',
        position_at: at,
        next_at: at,
        created_at: at,
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** An open alert of a device. @returns its id */
  async alert(siteId: number, values: Partial<Insertable<Schema['alerts']>> = {}): Promise<number> {
    // No two of a rule are raised at the same time.
    const at = new Date(this.#now().getTime() - ++this.#alerts);
    const { id } = await this.#db
      .insertInto('alerts')
      .values({
        site_id: siteId,
        device_alert_id: 1,
        rule: 'battery_low',
        kind: 'below',
        severity: 2,
        value: '8',
        unit: '%',
        since: at,
        raised_at: at,
        last_at: at,
        times: 1,
        text: 'Battery 1: State of charge is 8 %, below 10 %',
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** @param party the organization that is let in; null for the operator */
  async recoverySession(siteId: number, party: number | null, session: RecoveryFields = {}): Promise<number> {
    const { requestedBy = null, isActive = false, access = 'diagnose' } = session;
    const at = this.#now();
    const until = new Date(at.getTime() + 24 * 60 * 60 * 1000);
    const { id } = await this.#db
      .insertInto('recovery_sessions')
      .values({
        site_id: siteId,
        organization_id: party,
        access,
        reason: 'It shows no sun at noon.',
        hours: 24,
        requested_by: requestedBy,
        requested_at: at,
        request_expires_at: until,
        opened_at: isActive ? at : null,
        expires_at: isActive ? until : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** @param organizationId the seller; null for the operator's own shop */
  async product(organizationId: number | null, product: ProductFields = {}): Promise<number> {
    const {
      sku = 'box',
      name = 'Box',
      state = 'active',
      prices = [{ amount: 22_900, currency: 'USD' }],
      kind = 'device',
      stock = null,
      taxCategory = 'standard',
      licence = { devices: 1, months: null },
    } = product;
    const at = new Date();
    const { id } = await this.#db
      .insertInto('products')
      .values({
        organization_id: organizationId,
        sku,
        name,
        state,
        prices: JSON.stringify(prices),
        kind,
        stock,
        tax_category: taxCategory,
        licence: kind === 'licence' ? JSON.stringify(licence) : null,
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** An order of one licence of 60 dollars, which names no device. */
  async order(
    organizationId: number | null,
    buyerId: number,
    { isPaid = false }: { readonly isPaid?: boolean } = {},
  ): Promise<number> {
    const at = new Date(this.#clock.now());
    const number = `T${++this.#count}`;
    const sku = `licence_${this.#count}`;
    const email = `buyer-${this.#count}@example.org`;
    const licence = { devices: 1, months: null };
    const price = 6_000;
    const productId = await this.product(organizationId, { sku, kind: 'licence', licence });
    const { id } = await this.#db
      .insertInto('orders')
      .values({
        organization_id: organizationId,
        number,
        user_id: buyerId,
        email,
        first_name: '',
        last_name: '',
        currency: 'USD',
        ...{ subtotal: price, shipping: 0, tax: 0, total: price },
        ...(isPaid && { paid: price, payment_state: 'paid', paid_at: at }),
        prices_include_tax: true,
        tax_lines: '[]',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#db
      .insertInto('order_items')
      .values({
        order_id: id,
        product_id: productId,
        ...{ sku, name: 'Licence', kind: 'licence', quantity: 1, tax_rate: '0' },
        ...{ unit_price: price, subtotal: price, tax: 0, total: price },
        licence: JSON.stringify(licence),
      })
      .execute();
    return id;
  }

  /** A ticket with its first message. */
  async ticket(requesterId: number, ticket: TicketFields = {}): Promise<number> {
    const { subject = 'No sun', state = 'open', organizationId = null, siteId = null } = ticket;
    const at = this.#now();
    const isWaiting = state === 'open' || state === 'pending';
    const { id } = await this.#db
      .insertInto('tickets')
      .values({
        subject,
        state,
        priority: 'normal',
        category: 'other',
        source: 'api',
        requester_id: requesterId,
        site_id: siteId,
        organization_id: organizationId,
        home_organization_id: organizationId,
        last_side: state === 'pending' ? 'support' : 'customer',
        waiting_since: isWaiting ? at : null,
        message_count: 1,
        created_at: at,
        updated_at: at,
        last_message_at: at,
        resolved_at: isWaiting ? null : at,
        closed_at: state === 'closed' ? at : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const message = { ticket_id: id, author_id: requesterId, body: 'It is dark.', created_at: at };
    await this.#db
      .insertInto('ticket_messages')
      .values({ ...message, side: 'customer', internal: false })
      .execute();
    return id;
  }

  /** An attachment of the newest message of a ticket. */
  async attachment(ticketId: number, ownerId: number): Promise<number> {
    const bytes = Buffer.from('{}');
    const message = this.#db
      .selectFrom('ticket_messages')
      .select((eb) => eb.fn.max('id').as('id'))
      .where('ticket_id', '=', ticketId);
    const { id } = await this.#db
      .insertInto('ticket_attachments')
      .values({
        message_id: message,
        owner_id: ownerId,
        name: 'log.json',
        content_type: 'application/json',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes,
        created_at: this.#now(),
        expires_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async member(siteId: number, userId: number, role: Exclude<SiteRole, 'owner'>): Promise<void> {
    await this.#db.insertInto('site_members').values({ site_id: siteId, user_id: userId, role }).execute();
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}
