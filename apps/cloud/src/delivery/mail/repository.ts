import {
  type Locale,
  type PaymentState,
  RECOVERY_CHANGES,
  type TaxLine,
  type TicketState,
} from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import { type SqlBool, sql } from 'kysely';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';
import { hasNotAccepted, isSetUp } from '../../db/site-invitations.ts';

/** The account that a mail is addressed to. */
export interface Reader {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
}

/** An account that a mail mentions by name. */
export interface MentionedPerson {
  readonly email: string;
  /** Empty when it is unknown. */
  readonly name: string;
  readonly staff: boolean;
}

/** A handover that the new owner has not accepted. */
export interface OpenTransfer {
  /** Null once the role that the handover left to the former owner has ended. */
  readonly formerMemberId: number | null;
  readonly newOwnerId: number;
  /** A person has confirmed the address of the new owner and set a password. */
  readonly newOwnerHasAccount: boolean;
  readonly endsAt: Date;
  /** The new owner had no role on the site before. */
  readonly isPending: boolean;
}

/** The organization in whose name a mail is sent. */
export interface BrandRecord {
  readonly id: number;
  readonly name: string;
  readonly cloudHost: string | null;
  readonly color: string | null;
  readonly hasLogo: boolean;
}

/** The content of mails about an order. */
export interface OrderFacts {
  readonly number: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly paymentState: PaymentState;
  readonly currency: string;
  readonly total: number;
  readonly taxLines: readonly TaxLine[];
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
  readonly shipments: readonly { readonly carrier: string; readonly trackingNumber: string | null }[];
  /** Whether it has a licence that is delivered as an activation code. */
  readonly hasCode: boolean;
}

/** A ticket and one of its messages, for mails. */
export interface TicketFacts {
  readonly subject: string;
  readonly state: TicketState;
  readonly requesterId: number;
  readonly organizationId: number | null;
  /** Empty without a message. */
  readonly body: string;
  readonly internal: boolean;
  readonly authorId: number | null;
}

export class MailRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  reader(id: number): Promise<Reader | undefined> {
    return this.#readers().where('id', '=', id).executeTakeFirst();
  }

  readerAt(email: string): Promise<Reader | undefined> {
    return this.#readers().where(hasEmail(email)).executeTakeFirst();
  }

  /** Locks an account against changes until the transaction ends (FOR SHARE). @returns its address */
  async lockAddress(tx: Database, userId: number): Promise<string | undefined> {
    const account = await tx
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirst();
    return account?.email;
  }

  /** Dates the expiry of a requested address from its mail. @returns false when the account no longer asks for it */
  async extendEmailChange(
    tx: Database,
    userId: number,
    email: string,
    { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
  ): Promise<boolean> {
    const extended = await tx
      .updateTable('email_changes')
      .set({ expires_at: expiresAt })
      .where('user_id', '=', userId)
      .where('email', '=', email)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    return extended !== undefined;
  }

  #readers() {
    return this.#db
      .selectFrom('users')
      .select([
        'id',
        'email',
        'first_name as firstName',
        'last_name as lastName',
        'locale',
        sql<boolean>`confirmed_at is not null`.as('confirmed'),
        sql<boolean>`password_hash is not null`.as('hasPassword'),
        'organization_id as organizationId',
      ]);
  }

  /** @returns undefined for an account without access to the organization or, where that is enough, an invitation */
  brandFor(
    userId: number,
    organizationId: number,
    isInvitationEnough = false,
  ): Promise<BrandRecord | undefined> {
    return this.#db
      .selectFrom('organizations')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select([
        'organizations.id',
        'organizations.name',
        // Links carry tokens: their host must be vetted by an operator.
        sql<string | null>`case when cloud_host_vetted then cloud_host end`.as('cloudHost'),
        'organizations.color1 as color',
        // Common mail programs show no SVG, and would have a broken picture in place of the name.
        sql<boolean>`exists (select from organization_logos
          where organization_id = organizations.id and media_type = 'image/png')`.as('hasLogo'),
      ])
      .where('organizations.id', '=', organizationId)
      .where((eb) =>
        isInvitationEnough
          ? eb.or([hasOrganizationAccess(organizationId)(eb), isInvited(userId, organizationId)])
          : hasOrganizationAccess(organizationId)(eb),
      )
      .executeTakeFirst();
  }

  /** The site's name, or its number; undefined when it is gone. */
  async siteName(id: number): Promise<string | undefined> {
    const site = await this.#db.selectFrom('sites').select('name').where('id', '=', id).executeTakeFirst();
    return site && (site.name ?? `#${id}`);
  }

  /** @param locale of the reader */
  async person(id: number, locale: Locale): Promise<MentionedPerson | undefined> {
    const person = await this.#db
      .selectFrom('users')
      .select(['email', 'staff', 'first_name', 'last_name'])
      .where('id', '=', id)
      .executeTakeFirst();
    return person && { email: person.email, name: fullName(person, locale), staff: person.staff };
  }

  /** An account as the people of a site see it. @param wasPending whether it had not accepted when the mail was queued */
  async personOn(
    siteId: number,
    id: number,
    wasPending: boolean,
    locale: Locale,
  ): Promise<MentionedPerson | undefined> {
    const person = await this.person(id, locale);
    if (person === undefined || !wasPending) return person;
    const invitation = await this.#db
      .selectFrom('site_invitations')
      .select(['email', 'first_name', 'last_name'])
      .where('site_id', '=', siteId)
      .where('user_id', '=', id)
      .executeTakeFirst();
    if (invitation === undefined) return { ...person, name: '' };
    return { ...person, email: invitation.email, name: fullName(invitation, locale) };
  }

  /** True until the account accepts or declines. */
  async isInvitedToSite(siteId: number, userId: number): Promise<boolean> {
    const { rows } =
      await sql`select from sites where sites.id = ${siteId} and ${hasNotAccepted(userId)}`.execute(this.#db);
    return rows.length > 0;
  }

  /** The handover of a site that its owner has not accepted. */
  async transfer(siteId: number): Promise<OpenTransfer | undefined> {
    return this.#db
      .selectFrom('site_transfers')
      .innerJoin('sites', 'sites.id', 'site_transfers.site_id')
      .innerJoin('users as owners', 'owners.id', 'sites.owner_id')
      .select([
        isSetUp('owners').as('newOwnerHasAccount'),
        'former_member_id as formerMemberId',
        'sites.owner_id as newOwnerId',
        'ends_at as endsAt',
        sql<boolean>`exists (select from site_invitations as invitations
          where invitations.site_id = sites.id and invitations.user_id = sites.owner_id)`.as('isPending'),
      ])
      .where('sites.id', '=', siteId)
      .executeTakeFirst();
  }

  /** True until the account accepts or declines. */
  async isInvited(userId: number, organizationId: number): Promise<boolean> {
    const { rows } = await sql<{
      invited: boolean;
    }>`select ${isInvited(userId, organizationId)} as invited`.execute(this.#db);
    return rows[0]?.invited ?? false;
  }

  async isEmployed(userId: number, organizationId: number): Promise<boolean> {
    const employee = await this.#db
      .selectFrom('organization_members')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return employee !== undefined;
  }

  async order(id: number): Promise<OrderFacts | undefined> {
    const order = await this.#db
      .selectFrom('orders')
      .select([
        'number',
        'email',
        'first_name as firstName',
        'last_name as lastName',
        'payment_state as paymentState',
        'currency',
        'total',
        'tax_lines as taxLines',
      ])
      .where('id', '=', id)
      .executeTakeFirst();
    if (order === undefined) return undefined;
    const items = await this.#db
      .selectFrom('order_items')
      .select(['name', 'quantity', 'kind', 'device_uid'])
      .where('order_id', '=', id)
      .orderBy('id')
      .execute();
    const shipments = await this.#db
      .selectFrom('order_shipments')
      .select(['carrier', 'tracking_number as trackingNumber'])
      .where('order_id', '=', id)
      .orderBy('id')
      .execute();
    const hasCode = items.some(({ kind, device_uid: uid }) => kind === 'licence' && uid === null);
    return { ...order, total: Number(order.total), items, shipments, hasCode };
  }

  /** @param organizationId null for the operator's own shop */
  async isSeller(userId: number, organizationId: number | null): Promise<boolean> {
    const seller =
      organizationId === null
        ? this.#db.selectFrom('users').select('id').where('id', '=', userId).where('staff', '=', true)
        : this.#db
            .selectFrom('organization_members')
            .select('user_id as id')
            .where('user_id', '=', userId)
            .where('organization_id', '=', organizationId)
            .where('role', 'in', ['owner', 'admin']);
    return (await seller.executeTakeFirst()) !== undefined;
  }

  async ticket(id: number, messageId: number | null): Promise<TicketFacts | undefined> {
    return this.#db
      .selectFrom('tickets')
      .leftJoin('ticket_messages as messages', (join) =>
        join.onRef('messages.ticket_id', '=', 'tickets.id').on('messages.id', '=', messageId),
      )
      .select((eb) => [
        'tickets.subject',
        'tickets.state',
        'tickets.requester_id as requesterId',
        'tickets.organization_id as organizationId',
        eb.fn.coalesce('messages.body', sql<string>`''`).as('body'),
        eb.fn.coalesce('messages.internal', sql<boolean>`false`).as('internal'),
        'messages.author_id as authorId',
      ])
      .where('tickets.id', '=', id)
      .executeTakeFirst();
  }

  /** Times are those at which it lapses, begins and ends. */
  async recoverySession(id: number) {
    return this.#db
      .selectFrom('recovery_sessions as sessions')
      .innerJoin('sites', 'sites.id', 'sessions.site_id')
      .leftJoin('organization_names as organizations', 'organizations.id', 'sessions.organization_id')
      .select([
        'sessions.site_id as siteId',
        'sites.name as siteName',
        'organizations.name as firm',
        'sessions.reason',
        'sessions.access',
        'sessions.requested_by as requestedBy',
        'sessions.request_expires_at as requestExpiresAt',
        'sessions.expires_at as expiresAt',
        sql<number>`(select count(*)::int from recovery_session_events as events where events.session_id = sessions.id
          and succeeded and kind = any(${[...RECOVERY_CHANGES]}))`.as('changes'),
      ])
      .where('sessions.id', '=', id)
      .executeTakeFirst();
  }

  /** @param organizationId null for the operator */
  async handlesTickets(userId: number, organizationId: number | null): Promise<boolean> {
    const account = await this.#db
      .selectFrom('users')
      .select('staff')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (account === undefined || account.staff) return account !== undefined;
    return organizationId !== null && (await this.isEmployed(userId, organizationId));
  }

  async hasRoleOn(siteId: number, userId: number): Promise<boolean> {
    const { rows } = await sql`select from sites where id = ${siteId} and (owner_id = ${userId}
      or exists (select from site_members where site_id = sites.id and user_id = ${userId}))`.execute(
      this.#db,
    );
    return rows.length > 0;
  }
}

function isInvited(userId: number, organizationId: number) {
  return sql<SqlBool>`exists (select from employment_invitations as invitations
    where invitations.user_id = ${userId} and invitations.organization_id = ${organizationId})`;
}
