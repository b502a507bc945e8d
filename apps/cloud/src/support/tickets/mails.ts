import type { Database } from '../../db/open.ts';
import type { MailJob, MailService } from '../../delivery/mail/service.ts';
import type { TicketRecord, TicketRepository } from './repository.ts';

type Event = Extract<MailJob, { kind: 'ticket' }>['event'];
type Ticket = Pick<
  TicketRecord,
  'id' | 'requester_id' | 'assignee_id' | 'organization_id' | 'home_organization_id'
>;

/** Mails about tickets, queued in the transaction of their cause. */
export class TicketMails {
  readonly #mail: Pick<MailService, 'enqueue'>;
  readonly #tickets: TicketRepository;

  constructor(mail: Pick<MailService, 'enqueue'>, tickets: TicketRepository) {
    this.#mail = mail;
    this.#tickets = tickets;
  }

  /** To the requester, and to all who handle it. */
  async opened(tx: Database, ticket: Ticket, messageId: number): Promise<void> {
    await this.#toRequester(tx, ticket, 'received', messageId);
    await this.transferred(tx, ticket, messageId);
  }

  /** To those who handle it from now on. @param messageId its first message */
  async transferred(tx: Database, ticket: Ticket, messageId: number, actorId = ticket.requester_id) {
    for (const userId of await this.#tickets.handlersOf(tx, ticket.organization_id))
      if (userId !== actorId) await this.#toHandler(tx, ticket, 'opened', messageId, userId);
  }

  /** To the other side; of support to the assignee, or else to all who handle it. */
  async replied(tx: Database, ticket: Ticket, messageId: number, authorId: number): Promise<void> {
    if (authorId === ticket.requester_id) await this.#toSupport(tx, ticket, 'replied', messageId, authorId);
    else await this.#toRequester(tx, ticket, 'replied', messageId);
  }

  /** To the assignee, or else to all who handle it. */
  noted(tx: Database, ticket: Ticket, messageId: number, authorId: number): Promise<void> {
    return this.#toSupport(tx, ticket, 'noted', messageId, authorId);
  }

  /** To the assignee, unless that is who did it. */
  async assigned(tx: Database, ticket: Ticket, actorId: number): Promise<void> {
    const { assignee_id: assigneeId } = ticket;
    if (assigneeId !== null && assigneeId !== actorId)
      await this.#toHandler(tx, ticket, 'assigned', null, assigneeId);
  }

  /** To the other side; of support to an assignee alone. */
  async resolved(tx: Database, ticket: Ticket, actorId: number): Promise<void> {
    const { requester_id: requesterId, assignee_id: assigneeId } = ticket;
    if (actorId !== requesterId) await this.#toRequester(tx, ticket, 'resolved', null);
    else if (assigneeId !== null && assigneeId !== actorId)
      await this.#toHandler(tx, ticket, 'resolved', null, assigneeId);
  }

  async #toSupport(
    tx: Database,
    ticket: Ticket,
    event: Event,
    messageId: number,
    authorId: number,
  ): Promise<void> {
    const readers =
      ticket.assignee_id === null
        ? await this.#tickets.handlersOf(tx, ticket.organization_id)
        : [ticket.assignee_id];
    for (const userId of readers)
      if (userId !== authorId) await this.#toHandler(tx, ticket, event, messageId, userId);
  }

  #toHandler(tx: Database, ticket: Ticket, event: Event, messageId: number | null, userId: number) {
    const { id: ticketId, organization_id: organizationId } = ticket;
    const about = { event, userId, organizationId, ticketId, messageId };
    return this.#mail.enqueue(tx, { kind: 'ticket', reader: 'handler', ...about });
  }

  #toRequester(tx: Database, ticket: Ticket, event: Event, messageId: number | null) {
    const { id: ticketId, requester_id: userId, home_organization_id: organizationId } = ticket;
    const about = { event, userId, organizationId, ticketId, messageId };
    return this.#mail.enqueue(tx, { kind: 'ticket', reader: 'requester', ...about });
  }
}
