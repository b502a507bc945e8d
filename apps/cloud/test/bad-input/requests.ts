import { sampleOf } from '@heliograph/contracts/testing';
import type { DocumentSchema } from '../api-document.ts';
import { PASSWORD } from '../factory.ts';
import type { TestCloud } from '../test-cloud.ts';
import type { BadInputOperation } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** A valid request, one part of which is then replaced. */
export interface GoodRequest {
  /** Replace `{name}` in the path, encoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** The path to a value within a body. */
export type Field = readonly string[];

/** Every field of a body, including those of nested objects. */
export function fieldsOf(schema: DocumentSchema | undefined, within: Field = []): Field[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => {
    const field = [...within, name];
    return [field, ...fieldsOf(inner.items ?? inner, inner.items === undefined ? field : [...field, '0'])];
  });
}

/** A copy of a JSON value in which one field has another value; undefined leaves it out. */
export function withField(value: unknown, [name, ...rest]: Field, replacement: unknown): unknown {
  if (name === undefined) return replacement;
  if (Array.isArray(value)) return [withField(value[Number(name)], rest, replacement)];
  const object = (value ?? {}) as Json;
  return { ...object, [name]: withField(object[name], rest, replacement) };
}

/** Fields that an operation needs besides those its schema requires. */
const ALSO_NEEDED: Readonly<Record<string, readonly string[]>> = {
  // Without a password, whose hash costs time in every request.
  signIn: ['email', 'organization_id', 'pending_token'],
  confirmSession: ['password'],
  inviteSiteMember: ['first_name', 'last_name'],
  addOrganizationMember: ['first_name', 'last_name'],
};

/** The records that requests are about. */
interface Ids {
  readonly account: number;
  readonly site: number;
  readonly siteName: string | null;
  readonly organization: number;
}

/** Records of one account, and requests about them. */
export class Requests {
  readonly #cloud: TestCloud;
  readonly #ids: Ids;
  #count = 0;
  #readAttachment: Promise<{ readonly ticket: number; readonly id: number }> | undefined;

  private constructor(cloud: TestCloud, ids: Ids) {
    this.#cloud = cloud;
    this.#ids = ids;
  }

  /** @param account the owner of the records */
  static async about(cloud: TestCloud, account: number): Promise<Requests> {
    const organization = await cloud.make.organization(account);
    const owned = { ownerId: account, organizationId: organization };
    const { id: site, name: siteName } = await cloud.make.site(owned);
    return new Requests(cloud, { account, site, siteName, organization });
  }

  /** A token of an organization's application for the site. */
  application(account: number): Promise<string> {
    const { site: siteId, organization: applicationOrganizationId } = this.#ids;
    const scopes = ['openid', 'sites:read_single'] as const;
    return this.#cloud.make.token(account, { kind: 'oauth', scopes, siteId, applicationOrganizationId });
  }

  /** A request that would be served. Every call creates new one-time records. */
  async good(operation: BadInputOperation): Promise<GoodRequest> {
    const path: Record<string, string> = {};
    for (const { in: place, name, schema } of operation.parameters) {
      if (place === 'path') path[name] = String(await this.#parameter(operation, name, schema));
    }
    return { path, body: operation.body === undefined ? {} : await this.#object(operation, operation.body) };
  }

  /** A valid value of a field. */
  async value(operation: BadInputOperation, name: string, schema: DocumentSchema): Promise<unknown> {
    const { make } = this.#cloud;
    switch (name) {
      case 'email':
        return `bad-input-${++this.#count}@example.org`;
      case 'password':
      case 'password_confirmation':
        return PASSWORD;
      case 'organization_id':
        return this.#ids.organization;
      case 'client_id':
        return make.application(this.#ids.organization);
      case 'site_id':
        return this.#ids.site;
      case 'since':
        return new Date(this.#cloud.clock.now()).toISOString();
      case 'assignee_id':
        return this.#ids.account;
      case 'channel':
        return operation.path.includes('/notifications/') ? 'mail' : this.#sample(operation, schema);
      case 'snoozed_until':
        return new Date(this.#cloud.clock.now() + 60_000).toISOString();
      case 'pending_token':
        return make.oneTimeToken('second_factor', { userId: this.#ids.account });
      case 'verification_token':
        return make.oneTimeToken('bot_check');
      case 'token':
        return operation.id === 'confirmEmailChange' ? this.#emailChange() : this.#oneTimeToken('confirm');
      case 'uid':
        return make.device({ activated: operation.id !== 'requestActivation' });
      case 'sku':
        return this.#productForSale();
      case 'name':
        return `bad-input-${++this.#count}`;
      default:
        return this.#sample(operation, schema);
    }
  }

  async #parameter(operation: BadInputOperation, name: string, schema: DocumentSchema): Promise<unknown> {
    const { make } = this.#cloud;
    switch (name) {
      case 'id':
        if (operation.id === 'closeOrganization') return make.organization();
        if (operation.path.includes('/organizations/')) return this.#ids.organization;
        if (operation.id === 'releaseSite' || operation.id === 'moveSite')
          return (await make.site({ ownerId: this.#ids.account })).id;
        if (operation.path.includes('/exports/')) return this.#export();
        if (operation.path.includes('/sites/')) return this.#ids.site;
        if (operation.path.includes('/products/')) return this.#product();
        if (operation.path.includes('/webhooks/')) return make.webhook({ userId: this.#ids.account });
        if (operation.path.includes('/orders/')) return this.#order(operation);
        if (operation.path.includes('/attachments/')) return (await this.#attachment()).ticket;
        if (operation.path.includes('/tickets/')) return this.#ticket();
        return operation.path.includes('/connections/') ? this.#connection() : 2_147_483_647;
      case 'alert_id':
        return make.alert(this.#ids.site);
      case 'session_id':
        return this.#recoverySession(operation);
      case 'attachment_id':
        return (await this.#attachment()).id;
      case 'user_id':
        return this.#memberOfBoth();
      case 'organization_id':
        if (operation.path.includes('/invitations/')) return this.#invitation();
        return this.#ids.organization;
      case 'connection_id':
        return this.#connection();
      case 'token':
        return this.#oneTimeToken(operation.path.includes('/set/') ? 'invite' : 'reset');
      case 'site_id':
        return this.#siteInvitation();
      case 'site_name':
        return this.#ids.siteName;
      case 'name':
        if (!operation.path.includes('/proxies/')) return 'terms';
        // Announcements use a proxy of their own, whose state they spoil.
        return operation.body === undefined ? 'us-1' : 'bad-input';
      default:
        return this.value(operation, name, schema);
    }
  }

  /** Paid where its code is made, and unpaid where it is paid or cancelled. */
  #order({ id }: BadInputOperation): Promise<number> {
    const isPaid = id === 'createOrderActivationCode';
    return this.#cloud.make.order(null, this.#ids.account, { isPaid });
  }

  async #productForSale(): Promise<string> {
    const sku = `bad_input_${++this.#count}`;
    await this.#cloud.make.product(null, { sku, kind: 'service' });
    return sku;
  }

  /** Of an operation's own site, so that one is open at most. */
  #recoverySession({ id }: BadInputOperation): Promise<number> {
    return this.#cloud.make.recoverySession(this.#ids.site, null, {
      isActive: id === 'extendRecoverySession',
    });
  }

  async #export(): Promise<number> {
    const at = new Date(this.#cloud.clock.now());
    const { id } = await this.#cloud.db
      .insertInto('data_exports')
      .values({
        user_id: this.#ids.account,
        requested_at: at,
        ready_at: at,
        size: 0,
        expires_at: new Date(at.getTime() + 7 * 24 * 60 * 60 * 1000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  #ticket(): Promise<number> {
    return this.#cloud.make.ticket(this.#ids.account);
  }

  /** Reading changes nothing, so that one is enough. */
  #attachment(): Promise<{ readonly ticket: number; readonly id: number }> {
    this.#readAttachment ??= this.#ticket().then(async (ticket) => ({
      ticket,
      id: await this.#cloud.make.attachment(ticket, this.#ids.account),
    }));
    return this.#readAttachment;
  }

  #product(): Promise<number> {
    return this.#cloud.make.product(null, { sku: `bad_input_${++this.#count}` });
  }

  /** A grant of the account to an application, for the site. */
  #connection(): Promise<string> {
    const { account, site: siteId, organization: organizationId } = this.#ids;
    return this.#cloud.make.grant(account, { siteId, organizationId });
  }

  /** An organization that invites the account to its team. */
  async #invitation(): Promise<number> {
    const { make } = this.#cloud;
    const organization = await make.organization();
    await make.teamInvitation(organization, this.#ids.account);
    return organization;
  }

  /** A site that the account was added to. */
  async #siteInvitation(): Promise<number> {
    const { make } = this.#cloud;
    const { id } = await make.site();
    await make.siteInvitation(id, this.#ids.account);
    return id;
  }

  /** A new account that is a member of the site and works for the organization. */
  async #memberOfBoth(): Promise<number> {
    const { make } = this.#cloud;
    const { id } = await make.employee(this.#ids.organization);
    await make.member(this.#ids.site, id, 'member');
    return id;
  }

  /** For a new account: using the token signs the account out. */
  async #oneTimeToken(purpose: 'confirm' | 'reset' | 'invite'): Promise<string> {
    const { id: userId } = await this.#cloud.make.user({ customerOf: this.#ids.organization });
    return this.#cloud.make.oneTimeToken(purpose, { userId });
  }

  /** The token of a link to another address of a new account. */
  async #emailChange(): Promise<string> {
    const { db, clock, make } = this.#cloud;
    const { id: userId } = await make.user();
    const email = `bad-input-${++this.#count}@example.org`;
    const expires_at = new Date(clock.now() + 60_000);
    await db.insertInto('email_changes').values({ user_id: userId, email, expires_at }).execute();
    return make.oneTimeToken('email_change', { userId });
  }

  async #object(operation: BadInputOperation, schema: DocumentSchema): Promise<Json> {
    const { required = [], properties = {} } = schema;
    const object: Record<string, unknown> = {};
    const top = schema === operation.body ? (ALSO_NEEDED[operation.id] ?? []) : [];
    for (const name of new Set([...required, ...top])) {
      const inner = properties[name];
      if (inner !== undefined) object[name] = await this.value(operation, name, inner);
    }
    return object;
  }

  async #list(operation: BadInputOperation, { items }: DocumentSchema): Promise<unknown[]> {
    return items === undefined ? [] : [await this.#sample(operation, items)];
  }

  #sample(operation: BadInputOperation, schema: DocumentSchema): unknown {
    if (schema.anyOf?.[0] !== undefined) return this.#sample(operation, schema.anyOf[0]);
    if (schema.type === 'object') return this.#object(operation, schema);
    if (schema.type === 'array' && schema.examples === undefined) return this.#list(operation, schema);
    return sampleOf(schema);
  }
}
