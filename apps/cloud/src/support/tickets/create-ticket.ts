import type { CreateTicketBody, OwnTicketWithMessages } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { findSite } from '../../access/site-access.ts';
import { recordAudit } from '../../db/audit.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { organizationOfHost } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { isEmployee } from './handlers.ts';
import { NEW_TICKETS, REPEAT_MS } from './limits.ts';
import { mailOpened } from './mails.ts';
import { addMessage, repeatedMessage, type Writing } from './messages.ts';
import { addTicket, advanceTicket, type NewTicket } from './rows.ts';
import { getOwnTicket } from './tickets.ts';

export interface TicketRequest extends InputOf<'createTicket'> {
  /** Of the request; an organization that the account joined handles tickets of its own host. */
  readonly host: string;
  /** Of idempotency. */
  readonly key: string | undefined;
}

/**
 * A repetition shows the ticket of the first request as it is now.
 *
 * @throws ValidationError; Unprocessable for another body with the key; TooManyRequests
 */
export async function createTicket(
  platform: Platform,
  caller: Caller,
  { body, host, key }: TicketRequest,
): Promise<OwnTicketWithMessages> {
  const { db, limits, clock } = platform;
  const { upload_ids: uploadIds = [] } = body;
  const writing = { body: body.body, uploadIds };
  const ticket = await newTicket(db, caller, body, host);
  await limits.consume(NEW_TICKETS, String(caller.userId));
  const at = new Date(clock.now());
  const request = { userId: caller.userId, path: 'POST /api/v1/user/tickets', key, body };
  const { id } = await db.transaction().execute((tx) =>
    doOnce(tx, request, at, async () => ({
      id: await openTicket(platform, tx, caller, ticket, writing, at),
    })),
  );
  return getOwnTicket(platform, caller, { params: { id } });
}

/**
 * Opens a ticket with its first message. The same within a minute is a second click, and opens no other.
 *
 * @throws ValidationError for its uploads
 */
export async function openTicket(
  platform: Platform,
  tx: Database,
  caller: Caller,
  wanted: NewTicket,
  writing: Writing,
  at: Date,
): Promise<number> {
  // The operator handles what was for an organization that is closed.
  const ticket: NewTicket = {
    ...wanted,
    organizationId: await openOrganization(tx, wanted.organizationId),
    homeOrganizationId: await openOrganization(tx, wanted.homeOrganizationId),
  };
  await lockRequester(tx, ticket.requesterId);
  const since = new Date(at.getTime() - REPEAT_MS);
  const repeated = await repeatedTicket(tx, ticket.requesterId, ticket.subject, since);
  if (repeated !== undefined && (await repeatedMessage(tx, caller, repeated, writing, at)) !== undefined)
    return repeated;
  const id = await addTicket(tx, ticket, at);
  const about = { ticketId: id, side: 'customer', internal: false } as const;
  const message = await addMessage(tx, caller, about, writing, at);
  const progress = { state: 'open', last_side: 'customer', waiting_since: at, resolved_at: null } as const;
  await advanceTicket(tx, id, progress, at);
  const { organizationId } = ticket;
  const event = { action: 'ticket.created', organizationId, details: { ticket: id } } as const;
  await recordAudit(tx, actorOf(caller), at, event);
  const involved = {
    id,
    requester_id: ticket.requesterId,
    assignee_id: null,
    organization_id: organizationId,
    home_organization_id: ticket.homeOrganizationId,
  };
  await mailOpened(platform, tx, involved, message.id);
  return id;
}

export function sourceOf({ kind }: Caller): 'portal' | 'api' {
  return kind === 'session' ? 'portal' : 'api';
}

/**
 * The organization of the caller's token handles the ticket, or that of the site, or the seller of the order, or the one
 * that the caller joined at its own host, or the one with which the caller registered. The operator handles those of employees, which their employer would otherwise send to itself.
 */
async function newTicket(
  db: Database,
  caller: Caller,
  body: CreateTicketBody,
  host: string,
): Promise<NewTicket> {
  const { site_id: siteId = null, order_id: orderId = null, category = 'other' } = body;
  const site = siteId === null ? undefined : await findSite(db, caller, siteId);
  if (siteId !== null && site === undefined)
    throw new ValidationError({ site_id: ['must be a site that you see'] });
  const order = orderId === null ? undefined : await ownOrder(db, caller, orderId);
  if (orderId !== null && order === undefined)
    throw new ValidationError({ order_id: ['must be one of your orders'] });
  const { userId } = caller;
  const topic = site?.organizationId ? site : order;
  const home =
    caller.organizationId ??
    (topic === undefined
      ? await organizationOfCustomer(db, userId, await organizationOfHost(db, host))
      : topic.organizationId);
  const isEmployer = home !== null && (await isEmployee(db, userId, home));
  return {
    subject: body.subject.trim(),
    category,
    priority: 'normal',
    source: sourceOf(caller),
    requesterId: userId,
    siteId,
    orderId,
    organizationId: isEmployer ? null : home,
    homeOrganizationId: home,
    followUpOf: null,
  };
}

/** The seller of an order that the caller placed; undefined for another's. */
function ownOrder(db: Database, { userId, organizationId }: Caller, id: number) {
  return db
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
async function organizationOfCustomer(
  db: Database,
  userId: number,
  pageId: number | null,
): Promise<number | null> {
  const account = await db
    .selectFrom('users')
    .leftJoin('organization_customers as joined', (join) =>
      join.onRef('joined.user_id', '=', 'users.id').on('joined.organization_id', '=', pageId),
    )
    .select((eb) => eb.fn.coalesce('joined.organization_id', 'users.organization_id').as('id'))
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return account?.id ?? null;
}

/** Holds other tickets of the account up until the transaction ends. */
async function lockRequester(tx: Database, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tickets'), ${userId})`.execute(tx);
}

/** The newest ticket that an account opened since, with the same subject. */
async function repeatedTicket(
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
