import {
  MESSAGES_WITH_TICKET,
  type OwnTicket,
  type OwnTicketWithMessages,
  type PageQuery,
  type Ticket,
  type TicketMessage,
  type TicketWithMessages,
} from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { listMessages, newestMessages, withAttachments } from './messages.ts';
import type { View } from './policy.ts';
import { presentOwnTicket, presentTicket } from './present.ts';
import { findTicket, type TicketRecord, ticketPage } from './rows.ts';

/** Tickets that the caller handles or requested. */
export async function listTickets(
  platform: Platform,
  caller: Caller,
  { query }: InputOf<'listTickets'>,
): Promise<Ticket[]> {
  const { q, organization_id: organizationId } = query;
  const found = await ticketPage(platform, caller, 'any', { q, organizationId }, pageFrom(query));
  return found.map((ticket) => presentTicket(ticket, caller.locale));
}

/** Those that the caller requested. Another's ticket is not there, not even for those who handle it. */
export async function listOwnTickets(
  platform: Platform,
  caller: Caller,
  { query }: InputOf<'listOwnTickets'>,
): Promise<OwnTicket[]> {
  const found = await ticketPage(platform, caller, 'own', { q: query.q }, pageFrom(query));
  return found.map(presentOwnTicket);
}

/** @throws NotFound also for a ticket that the caller neither handles nor requested */
export async function getTicket(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'getTicket'>,
): Promise<TicketWithMessages> {
  const { ticket, messages } = await read(platform, caller, 'any', params.id);
  return { ...presentTicket(ticket, caller.locale), messages };
}

/** @throws NotFound */
export async function getOwnTicket(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'getOwnTicket'>,
): Promise<OwnTicketWithMessages> {
  const { ticket, messages } = await read(platform, caller, 'own', params.id);
  return { ...presentOwnTicket(ticket), messages };
}

/** @throws NotFound */
export function listTicketMessages(
  platform: Platform,
  caller: Caller,
  { params, query }: InputOf<'listTicketMessages'>,
): Promise<TicketMessage[]> {
  return messagesOf(platform, caller, 'any', params.id, query);
}

/** @throws NotFound */
export function listOwnTicketMessages(
  platform: Platform,
  caller: Caller,
  { params, query }: InputOf<'listOwnTicketMessages'>,
): Promise<TicketMessage[]> {
  return messagesOf(platform, caller, 'own', params.id, query);
}

async function read(
  { db, clock }: Platform,
  caller: Caller,
  view: View,
  id: number,
): Promise<{ ticket: TicketRecord; messages: TicketMessage[] }> {
  const ticket = orNotFound(await findTicket(db, caller, view, id, new Date(clock.now())));
  const newest = await newestMessages(db, id, ticket.isHandler, MESSAGES_WITH_TICKET);
  return { ticket, messages: await withAttachments(db, newest, caller.locale) };
}

async function messagesOf(
  { db, clock }: Platform,
  caller: Caller,
  view: View,
  id: number,
  query: PageQuery,
): Promise<TicketMessage[]> {
  const { isHandler } = orNotFound(await findTicket(db, caller, view, id, new Date(clock.now())));
  return withAttachments(db, await listMessages(db, id, isHandler, pageFrom(query)), caller.locale);
}
