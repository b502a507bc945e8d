import type { TicketMessage, TicketState } from '@heliograph/contracts';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { openTicket, sourceOf } from './create-ticket.ts';
import { NEW_TICKETS, REPLIES } from './limits.ts';
import { mailNoted, mailReplied } from './mails.ts';
import { addMessage, newestMessages, repeatedMessage, type Writing, withAttachments } from './messages.ts';
import { requireHandler, type View } from './policy.ts';
import {
  advanceTicket,
  changeTicket,
  findTicket,
  lockTicket,
  type NewTicket,
  type TicketRecord,
} from './rows.ts';
import { progressOf, requireTransition, stateAfterReply, WrongState } from './states.ts';

interface Reply extends Writing {
  readonly internal?: boolean | undefined;
  /** Undefined: what follows from the reply. */
  readonly state?: TicketState | undefined;
}

/** @throws as `reply` */
export function replyToTicket(
  platform: Platform,
  caller: Caller,
  { params, body }: InputOf<'replyToTicket'>,
): Promise<TicketMessage> {
  const { upload_ids: uploadIds = [], ...rest } = body;
  return reply(platform, caller, 'any', params.id, { ...rest, uploadIds });
}

/** @throws as `reply` */
export function replyToOwnTicket(
  platform: Platform,
  caller: Caller,
  { params, body: { body, upload_ids: uploadIds = [] } }: InputOf<'replyToOwnTicket'>,
): Promise<TicketMessage> {
  return reply(platform, caller, 'own', params.id, { body, uploadIds });
}

/**
 * Adds a message of support, or of the requester. The same reply within a minute is a second click, and is not added.
 *
 * @throws NotFound; Forbidden for what only support may do; WrongState; ValidationError; TooManyRequests
 */
async function reply(
  platform: Platform,
  caller: Caller,
  view: View,
  id: number,
  given: Reply,
): Promise<TicketMessage> {
  const { db, limits, clock } = platform;
  const found = orNotFound(await findTicket(db, caller, view, id, new Date(clock.now())));
  if (given.internal || given.state !== undefined) requireHandler(found);
  await limits.consume(REPLIES, String(caller.userId));
  if (!found.isHandler && found.state === 'closed') await limits.consume(NEW_TICKETS, String(caller.userId));
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(tx, caller, view, id, at);
    if (ticket.isHandler) return replyAsSupport(platform, tx, caller, ticket, given, at);
    if (ticket.state === 'closed') return goOn(platform, tx, caller, ticket, given, at);
    return replyAsCustomer(platform, tx, caller, ticket, given, at);
  });
}

async function replyAsSupport(
  platform: Platform,
  tx: Database,
  caller: Caller,
  ticket: TicketRecord,
  { state, internal = false, ...writing }: Reply,
  at: Date,
): Promise<TicketMessage> {
  const repeated = await repeatedMessage(tx, caller, ticket.id, writing, at, internal);
  if (repeated !== undefined) return repeated;
  if (ticket.state === 'closed') throw new WrongState(ticket.state);
  const next = state ?? (internal ? ticket.state : stateAfterReply(ticket.state));
  requireTransition(ticket.state, next);
  const about = { ticketId: ticket.id, side: 'support', internal } as const;
  const message = await addMessage(tx, caller, about, writing, at);
  if (!internal) await advanceTicket(tx, ticket.id, progressOf(ticket, next, 'support', at), at);
  else if (next !== ticket.state) await changeTicket(tx, ticket.id, progressOf(ticket, next, null, at), at);
  const details = {
    ticket: ticket.id,
    ...(next !== ticket.state && { state: { from: ticket.state, to: next } }),
  };
  const action = internal ? 'ticket.noted' : 'ticket.replied';
  const organizationId = ticket.organization_id;
  await recordAudit(tx, actorOf(caller), at, { action, organizationId, details });
  const mailReaders = internal ? mailNoted : mailReplied;
  await mailReaders(platform, tx, ticket, message.id, caller.userId);
  return message;
}

async function replyAsCustomer(
  platform: Platform,
  tx: Database,
  caller: Caller,
  ticket: TicketRecord,
  writing: Writing,
  at: Date,
): Promise<TicketMessage> {
  const repeated = await repeatedMessage(tx, caller, ticket.id, writing, at);
  if (repeated !== undefined) return repeated;
  const about = { ticketId: ticket.id, side: 'customer', internal: false } as const;
  const message = await addMessage(tx, caller, about, writing, at);
  await advanceTicket(tx, ticket.id, progressOf(ticket, 'open', 'customer', at), at);
  const organizationId = ticket.organization_id;
  const event = { action: 'ticket.replied', organizationId, details: { ticket: ticket.id } } as const;
  await recordAudit(tx, actorOf(caller), at, event);
  await mailReplied(platform, tx, ticket, message.id, caller.userId);
  return message;
}

/** A closed ticket stays closed: another one goes on with it. */
async function goOn(
  platform: Platform,
  tx: Database,
  caller: Caller,
  closed: TicketRecord,
  writing: Writing,
  at: Date,
): Promise<TicketMessage> {
  const ticket: NewTicket = {
    subject: closed.subject,
    category: closed.category,
    priority: 'normal',
    source: sourceOf(caller),
    requesterId: closed.requester_id,
    siteId: closed.site_id,
    orderId: closed.order_id,
    organizationId: closed.organization_id,
    homeOrganizationId: closed.home_organization_id,
    followUpOf: closed.id,
  };
  const id = await openTicket(platform, tx, caller, ticket, writing, at);
  const [message] = await withAttachments(tx, await newestMessages(tx, id, false, 1), caller.locale);
  return orNotFound(message);
}
