import type { RecoveryState, Ticket, TicketCategory, TicketSource } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { recoveryState } from '../../db/recovery-sessions.ts';
import { isEmployeeOf, isHandledBy, isVisibleTo, scopesOf, type View } from './policy.ts';
import { searchTickets, type TicketSearch } from './search.ts';
import type { Progress } from './states.ts';

export type TicketRecord = Awaited<ReturnType<TicketRepository['list']>>[number];

export interface NewTicket {
  readonly subject: string;
  readonly category: TicketCategory;
  readonly priority: Ticket['priority'];
  readonly source: TicketSource;
  readonly requesterId: number;
  readonly siteId: number | null;
  readonly orderId: number | null;
  readonly organizationId: number | null;
  readonly homeOrganizationId: number | null;
  readonly followUpOf: number | null;
}

/** Columns that those who handle a ticket change. */
export interface TicketChanges extends Partial<Progress> {
  readonly priority?: Ticket['priority'];
  readonly category?: TicketCategory;
  readonly assignee_id?: number | null;
  readonly organization_id?: number | null;
  readonly site_id?: number | null;
}

const COLUMNS = [
  'tickets.id',
  'tickets.subject',
  'tickets.state',
  'tickets.priority',
  'tickets.category',
  'tickets.source',
  'tickets.requester_id',
  'tickets.assignee_id',
  'tickets.site_id',
  'tickets.order_id',
  'tickets.organization_id',
  'tickets.home_organization_id',
  'tickets.follow_up_of',
  'tickets.last_side',
  'tickets.awaiting',
  'tickets.waiting_since',
  'tickets.message_count',
  'tickets.created_at',
  'tickets.updated_at',
  'tickets.last_message_at',
  'tickets.resolved_at',
  'tickets.closed_at',
] as const;

const CLOSED_IN_BATCH = 1_000;

export class TicketRepository {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async list(caller: Caller, view: View, search: TicketSearch, page: Page) {
    const scopes = scopesOf(caller, view, await this.#employersOf(caller.userId));
    const ids = searchTickets(scopes, search, caller.userId, page);
    return this.#records(this.#db, caller, view)
      .where(sql<SqlBool>`tickets.id in ${ids}`)
      .orderBy('tickets.updated_at', 'desc')
      .orderBy('tickets.id', 'desc')
      .execute();
  }

  find(caller: Caller, view: View, id: number, db: Database = this.#db): Promise<TicketRecord | undefined> {
    return this.#records(db, caller, view)
      .where(isVisibleTo(caller, view))
      .where('tickets.id', '=', id)
      .executeTakeFirst();
  }

  /** A ticket that the caller has just changed, and may have given away. */
  changed(tx: Database, caller: Caller, id: number): Promise<TicketRecord> {
    return this.#records(tx, caller, 'any').where('tickets.id', '=', id).executeTakeFirstOrThrow();
  }

  /** Holds other changes of the ticket up until the transaction ends. */
  async lock(tx: Database, caller: Caller, view: View, id: number): Promise<TicketRecord | undefined> {
    await tx.selectFrom('tickets').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    return this.find(caller, view, id, tx);
  }

  /** Holds other tickets of the account up until the transaction ends. */
  async lockRequester(tx: Database, userId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('tickets'), ${userId})`.execute(tx);
  }

  async add(tx: Database, ticket: NewTicket, at: Date): Promise<number> {
    const { id } = await tx
      .insertInto('tickets')
      .values({
        subject: ticket.subject,
        state: 'open',
        priority: ticket.priority,
        category: ticket.category,
        source: ticket.source,
        requester_id: ticket.requesterId,
        site_id: ticket.siteId,
        order_id: ticket.orderId,
        organization_id: ticket.organizationId,
        home_organization_id: ticket.homeOrganizationId,
        follow_up_of: ticket.followUpOf,
        last_side: 'customer',
        waiting_since: at,
        message_count: 0,
        created_at: at,
        updated_at: at,
        last_message_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async change(tx: Database, id: number, changes: TicketChanges, at: Date): Promise<void> {
    await tx
      .updateTable('tickets')
      .set({ ...changes, updated_at: at })
      .where('id', '=', id)
      .execute();
  }

  /** Counts a public message. */
  async advance(tx: Database, id: number, progress: Progress, at: Date): Promise<void> {
    await tx
      .updateTable('tickets')
      .set({
        ...progress,
        updated_at: at,
        last_message_at: at,
        message_count: sql`message_count + 1`,
      })
      .where('id', '=', id)
      .execute();
  }

  /** The newest ticket that an account opened since, with the same subject. */
  async repeated(
    tx: Database,
    requesterId: number,
    subject: string,
    since: Date,
  ): Promise<number | undefined> {
    const ticket = await tx
      .selectFrom('tickets')
      .select('id')
      .where('requester_id', '=', requesterId)
      .where('subject', '=', subject)
      .where('created_at', '>', since)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return ticket?.id;
  }

  /** The seller of an order that the caller placed; undefined for another's. */
  ownOrder({ userId, organizationId }: Caller, id: number) {
    return this.#db
      .selectFrom('orders')
      .select('organization_id as organizationId')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .$if(organizationId !== null, (select) => select.where('organization_id', '=', organizationId))
      .executeTakeFirst();
  }

  /**
   * The organization whose customer an account is.
   *
   * @param pageId preferred, if the account joined it
   */
  async organizationOfCustomer(userId: number, pageId: number | null): Promise<number | null> {
    const account = await this.#db
      .selectFrom('users')
      .leftJoin('organization_customers as joined', (join) =>
        join.onRef('joined.user_id', '=', 'users.id').on('joined.organization_id', '=', pageId),
      )
      .select((eb) => eb.fn.coalesce('joined.organization_id', 'users.organization_id').as('id'))
      .where('users.id', '=', userId)
      .executeTakeFirst();
    return account?.id ?? null;
  }

  async isOrganization(tx: Database, id: number): Promise<boolean> {
    const found = await tx.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
    return found !== undefined;
  }

  /** The employees of an organization; without one, the operators. */
  async handlersOf(tx: Database, organizationId: number | null): Promise<number[]> {
    const handlers = await tx
      .selectFrom('users')
      .select('id')
      .where(organizationId === null ? sql<SqlBool>`staff` : isEmployeeOf(organizationId))
      .orderBy('id')
      .execute();
    return handlers.map(({ id }) => id);
  }

  /** By name. @param which a condition on `users` */
  people(which: Expression<SqlBool>, page: Page) {
    return this.#db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name'])
      .where(which)
      .orderBy(
        sql`concat_ws(' ', nullif(first_name, ''), nullif(last_name, ''), email) collate natural_order`,
      )
      .orderBy('id')
      .offset(page.offset)
      .limit(page.limit)
      .execute();
  }

  /** @param which a condition on `users` */
  async isPerson(db: Database, id: number, which: Expression<SqlBool>): Promise<boolean> {
    const found = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where(which)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** @param organizationId null for the operator */
  handles(db: Database, userId: number, organizationId: number | null): Promise<boolean> {
    return this.isPerson(db, userId, sql<SqlBool>`(staff or ${isEmployeeOf(organizationId)})`);
  }

  async #employersOf(userId: number): Promise<number[]> {
    const employers = await this.#db
      .selectFrom('organization_members')
      .select('organization_id as id')
      .where('user_id', '=', userId)
      .execute();
    return employers.map(({ id }) => id);
  }

  isEmployee(userId: number, organizationId: number): Promise<boolean> {
    return this.isPerson(this.#db, userId, isEmployeeOf(organizationId));
  }

  /** Holds changes of all tickets of an organization up that are not closed, until the transaction ends. */
  async lockAllOf(tx: Database, organizationId: number): Promise<void> {
    await tx
      .selectFrom('tickets')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('state', '<>', 'closed')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
  }

  /** Closes the resolved tickets of an organization. */
  closeResolvedOf(tx: Database, organizationId: number, at: Date) {
    return tx
      .updateTable('tickets')
      .set({ state: 'closed', closed_at: at, updated_at: at })
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'resolved')
      .returning(['id', 'organization_id as organizationId'])
      .execute();
  }

  /** Closes tickets that have been resolved since before a date, a batch of them. */
  close(tx: Database, resolvedBefore: Date, at: Date) {
    return tx
      .updateTable('tickets')
      .set({ state: 'closed', closed_at: at, updated_at: at })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('tickets')
          .select('id')
          .where('state', '=', 'resolved')
          .where('resolved_at', '<', resolvedBefore)
          .limit(CLOSED_IN_BATCH)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning(['id', 'organization_id as organizationId'])
      .execute();
  }

  #records(db: Database, caller: Caller, view: View) {
    const isHandler = view === 'own' ? sql<SqlBool>`false` : isHandledBy(caller);
    return db
      .selectFrom('tickets')
      .innerJoin('users as requesters', 'requesters.id', 'tickets.requester_id')
      .leftJoin('users as assignees', 'assignees.id', 'tickets.assignee_id')
      .leftJoin('sites', 'sites.id', 'tickets.site_id')
      .leftJoin('orders', 'orders.id', 'tickets.order_id')
      .leftJoin('organization_names as organizations', 'organizations.id', 'tickets.organization_id')
      .select([
        ...COLUMNS,
        'requesters.email as requesterEmail',
        'requesters.first_name as requesterFirstName',
        'requesters.last_name as requesterLastName',
        'assignees.first_name as assigneeFirstName',
        'assignees.last_name as assigneeLastName',
        'sites.name as siteName',
        'orders.number as orderNumber',
        'organizations.name as organizationName',
        sql<boolean>`${isHandler}`.as('isHandler'),
        newestRecoverySession(new Date(this.#clock.now())).as('recoverySession'),
      ]);
  }
}

/** The newest support recovery session about a ticket, with its state at a moment. */
function newestRecoverySession(at: Date) {
  return sql<{ id: number; site_id: number; state: RecoveryState } | null>`(
    select json_build_object('id', recovery_sessions.id, 'site_id', recovery_sessions.site_id,
      'state', ${recoveryState(at)})
    from recovery_sessions join sites on sites.id = recovery_sessions.site_id
    where recovery_sessions.ticket_id = tickets.id order by recovery_sessions.id desc limit 1)`;
}
