import type { RecoveryState, Ticket, TicketCategory, TicketSource } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { recoveryState } from '../../db/recovery-sessions.ts';
import type { Platform } from '../../platform.ts';
import { isHandledBy, isVisibleTo, scopesOf, type View } from './policy.ts';
import { searchTickets, type TicketSearch } from './search.ts';
import type { Progress } from './states.ts';

export type TicketRecord = Awaited<ReturnType<typeof ticketPage>>[number];

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

/** The last changed first. */
export async function ticketPage(
  { db, clock }: Platform,
  caller: Caller,
  view: View,
  search: TicketSearch,
  page: Page,
) {
  const scopes = scopesOf(caller, view, await employersOf(db, caller.userId));
  const ids = searchTickets(scopes, search, caller.userId, page);
  return selectTickets(db, caller, view, new Date(clock.now()))
    .where(sql<SqlBool>`tickets.id in ${ids}`)
    .orderBy('tickets.updated_at', 'desc')
    .orderBy('tickets.id', 'desc')
    .execute();
}

export function findTicket(
  db: Database,
  caller: Caller,
  view: View,
  id: number,
  at: Date,
): Promise<TicketRecord | undefined> {
  return selectTickets(db, caller, view, at)
    .where(isVisibleTo(caller, view))
    .where('tickets.id', '=', id)
    .executeTakeFirst();
}

/** A ticket that the caller has just changed, and may have given away. */
export function changedTicket(tx: Database, caller: Caller, id: number, at: Date): Promise<TicketRecord> {
  return selectTickets(tx, caller, 'any', at).where('tickets.id', '=', id).executeTakeFirstOrThrow();
}

/** Holds other changes of the ticket up until the transaction ends. @throws NotFound */
export async function lockTicket(
  tx: Database,
  caller: Caller,
  view: View,
  id: number,
  at: Date,
): Promise<TicketRecord> {
  await tx.selectFrom('tickets').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return orNotFound(await findTicket(tx, caller, view, id, at));
}

export async function addTicket(tx: Database, ticket: NewTicket, at: Date): Promise<number> {
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

export async function changeTicket(
  tx: Database,
  id: number,
  changes: TicketChanges,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('tickets')
    .set({ ...changes, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Counts a public message. */
export async function advanceTicket(tx: Database, id: number, progress: Progress, at: Date): Promise<void> {
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

async function employersOf(db: Database, userId: number): Promise<number[]> {
  const employers = await db
    .selectFrom('organization_members')
    .select('organization_id as id')
    .where('user_id', '=', userId)
    .execute();
  return employers.map(({ id }) => id);
}

function selectTickets(db: Database, caller: Caller, view: View, at: Date) {
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
      newestRecoverySession(at).as('recoverySession'),
    ]);
}

/** The newest support recovery session about a ticket, with its state at a moment. */
function newestRecoverySession(at: Date) {
  return sql<{ id: number; site_id: number; state: RecoveryState } | null>`(
    select json_build_object('id', recovery_sessions.id, 'site_id', recovery_sessions.site_id,
      'state', ${recoveryState(at)})
    from recovery_sessions join sites on sites.id = recovery_sessions.site_id
    where recovery_sessions.ticket_id = tickets.id order by recovery_sessions.id desc limit 1)`;
}
