import type { Database } from '../../db/open.ts';
import type { MailJob } from '../../delivery/mail/service.ts';
import type { Platform } from '../../platform.ts';
import { handlersOf } from './handlers.ts';
import type { TicketRecord } from './rows.ts';

type Mailing = Pick<Platform, 'mail'>;
type Event = Extract<MailJob, { kind: 'ticket' }>['event'];
type Ticket = Pick<
  TicketRecord,
  'id' | 'requester_id' | 'assignee_id' | 'organization_id' | 'home_organization_id'
>;

/** To the requester, and to all who handle it. */
export async function mailOpened(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  messageId: number,
): Promise<void> {
  await toRequester(platform, tx, ticket, 'received', messageId);
  await mailTransferred(platform, tx, ticket, messageId, ticket.requester_id);
}

/** To those who handle it from now on. @param messageId its first message */
export async function mailTransferred(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  messageId: number,
  actorId: number,
): Promise<void> {
  for (const userId of await handlersOf(tx, ticket.organization_id))
    if (userId !== actorId) await toHandler(platform, tx, ticket, 'opened', messageId, userId);
}

/** To the other side; of support to the assignee, or else to all who handle it. */
export async function mailReplied(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  messageId: number,
  authorId: number,
): Promise<void> {
  if (authorId === ticket.requester_id) await toSupport(platform, tx, ticket, 'replied', messageId, authorId);
  else await toRequester(platform, tx, ticket, 'replied', messageId);
}

/** To the assignee, or else to all who handle it. */
export function mailNoted(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  messageId: number,
  authorId: number,
): Promise<void> {
  return toSupport(platform, tx, ticket, 'noted', messageId, authorId);
}

/** To the assignee, unless that is who did it. */
export async function mailAssigned(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  actorId: number,
): Promise<void> {
  const { assignee_id: assigneeId } = ticket;
  if (assigneeId !== null && assigneeId !== actorId)
    await toHandler(platform, tx, ticket, 'assigned', null, assigneeId);
}

/** To the other side; of support to an assignee alone. */
export async function mailResolved(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  actorId: number,
): Promise<void> {
  const { requester_id: requesterId, assignee_id: assigneeId } = ticket;
  if (actorId !== requesterId) await toRequester(platform, tx, ticket, 'resolved', null);
  else if (assigneeId !== null && assigneeId !== actorId)
    await toHandler(platform, tx, ticket, 'resolved', null, assigneeId);
}

async function toSupport(
  platform: Mailing,
  tx: Database,
  ticket: Ticket,
  event: Event,
  messageId: number,
  authorId: number,
): Promise<void> {
  const readers =
    ticket.assignee_id === null ? await handlersOf(tx, ticket.organization_id) : [ticket.assignee_id];
  for (const userId of readers)
    if (userId !== authorId) await toHandler(platform, tx, ticket, event, messageId, userId);
}

function toHandler(
  { mail }: Mailing,
  tx: Database,
  { id: ticketId, organization_id: organizationId }: Ticket,
  event: Event,
  messageId: number | null,
  userId: number,
): Promise<void> {
  const about = { event, userId, organizationId, ticketId, messageId };
  return mail.enqueue(tx, { kind: 'ticket', reader: 'handler', ...about });
}

function toRequester(
  { mail }: Mailing,
  tx: Database,
  { id: ticketId, requester_id: userId, home_organization_id: organizationId }: Ticket,
  event: Event,
  messageId: number | null,
): Promise<void> {
  const about = { event, userId, organizationId, ticketId, messageId };
  return mail.enqueue(tx, { kind: 'ticket', reader: 'requester', ...about });
}
