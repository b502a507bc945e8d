import type { Locale, PageQuery, TicketMessage, TicketState } from '@heliograph/contracts';
import { MAX_ATTACHMENTS_SIZE, MESSAGES_WITH_TICKET } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { pageFrom } from '../../db/page.ts';
import type { AttachmentRepository } from './attachment-repository.ts';
import type { Download } from './download.ts';
import { NEW_TICKETS, REPEAT_MS, REPLIES } from './limits.ts';
import type { TicketMails } from './mails.ts';
import type { MessageRecord, MessageRepository } from './message-repository.ts';
import { requireHandler, type View } from './policy.ts';
import { presentMessage } from './present.ts';
import type { NewTicket, TicketRecord, TicketRepository } from './repository.ts';
import { progressOf, requireTransition, stateAfterReply, WrongState } from './states.ts';

export interface ConversationOptions {
  readonly db: Database;
  readonly tickets: TicketRepository;
  readonly messages: MessageRepository;
  readonly attachments: AttachmentRepository;
  readonly mails: TicketMails;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** The text and the files of a message. */
export interface Writing {
  readonly body: string;
  readonly uploadIds: readonly number[];
}

export interface Reply extends Writing {
  readonly internal?: boolean | undefined;
  /** Undefined: what follows from the reply. */
  readonly state?: TicketState | undefined;
}

/** The messages of tickets, for both sides. */
export class Conversations {
  readonly #options: ConversationOptions;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** @throws NotFound */
  async read(
    caller: Caller,
    view: View,
    id: number,
  ): Promise<{ ticket: TicketRecord; messages: TicketMessage[] }> {
    const { tickets, messages } = this.#options;
    const ticket = orNotFound(await tickets.find(caller, view, id));
    const newest = await messages.newest(id, ticket.isHandler, MESSAGES_WITH_TICKET);
    return { ticket, messages: await this.#present(newest, caller.locale) };
  }

  /** @throws NotFound */
  async list(caller: Caller, view: View, id: number, query: PageQuery): Promise<TicketMessage[]> {
    const { tickets, messages } = this.#options;
    const { isHandler } = orNotFound(await tickets.find(caller, view, id));
    return this.#present(await messages.list(id, isHandler, pageFrom(query)), caller.locale);
  }

  /** A reading by another than who uploaded the file is recorded. @throws NotFound */
  async attachment(caller: Caller, view: View, id: number, attachmentId: number): Promise<Download> {
    const { db, tickets, attachments, clock } = this.#options;
    const ticket = orNotFound(await tickets.find(caller, view, id));
    const found = orNotFound(await attachments.find(id, attachmentId, ticket.isHandler));
    if (found.ownerId !== caller.userId) {
      const organizationId = ticket.organization_id;
      const details = { ticket: id, name: found.name };
      const event = { action: 'ticket.attachment_read', organizationId, details } as const;
      await recordAudit(db, actorOf(caller), new Date(clock.now()), event);
    }
    return found;
  }

  /**
   * Adds a message of support, or of the requester. The same reply within a minute is a second click, and is not added.
   *
   * @throws NotFound; Forbidden for what only support may do; WrongState; ValidationError; TooManyRequests
   */
  async reply(caller: Caller, view: View, id: number, reply: Reply): Promise<TicketMessage> {
    const { db, tickets, limits, clock } = this.#options;
    const found = orNotFound(await tickets.find(caller, view, id));
    if (reply.internal || reply.state !== undefined) requireHandler(found);
    await limits.consume(REPLIES, String(caller.userId));
    if (!found.isHandler && found.state === 'closed')
      await limits.consume(NEW_TICKETS, String(caller.userId));
    const at = new Date(clock.now());
    return db.transaction().execute(async (tx) => {
      const ticket = orNotFound(await tickets.lock(tx, caller, view, id));
      if (ticket.isHandler) return this.#replyAsSupport(tx, caller, ticket, reply, at);
      if (ticket.state === 'closed') return this.#continue(tx, caller, ticket, reply, at);
      return this.#replyAsCustomer(tx, caller, ticket, reply, at);
    });
  }

  /**
   * Opens a ticket with its first message. The same within a minute is a second click, and opens no other.
   *
   * @throws ValidationError for its uploads
   */
  async open(tx: Database, caller: Caller, wanted: NewTicket, writing: Writing, at: Date): Promise<number> {
    const { tickets, mails } = this.#options;
    // The operator handles what was for an organization that is closed.
    const ticket: NewTicket = {
      ...wanted,
      organizationId: await openOrganization(tx, wanted.organizationId),
      homeOrganizationId: await openOrganization(tx, wanted.homeOrganizationId),
    };
    await tickets.lockRequester(tx, ticket.requesterId);
    const since = new Date(at.getTime() - REPEAT_MS);
    const repeated = await tickets.repeated(tx, ticket.requesterId, ticket.subject, since);
    if (repeated !== undefined && (await this.#repeated(tx, caller, repeated, writing, at)) !== undefined)
      return repeated;
    const id = await tickets.add(tx, ticket, at);
    const about = { ticketId: id, side: 'customer', internal: false } as const;
    const message = await this.#add(tx, caller, about, writing, at);
    const progress = { state: 'open', last_side: 'customer', waiting_since: at, resolved_at: null } as const;
    await tickets.advance(tx, id, progress, at);
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
    await mails.opened(tx, involved, message.id);
    return id;
  }

  async #replyAsSupport(
    tx: Database,
    caller: Caller,
    ticket: TicketRecord,
    { state, internal = false, ...writing }: Reply,
    at: Date,
  ): Promise<TicketMessage> {
    const { tickets, mails } = this.#options;
    const repeated = await this.#repeated(tx, caller, ticket.id, writing, at, internal);
    if (repeated !== undefined) return repeated;
    if (ticket.state === 'closed') throw new WrongState(ticket.state);
    const next = state ?? (internal ? ticket.state : stateAfterReply(ticket.state));
    requireTransition(ticket.state, next);
    const message = await this.#add(
      tx,
      caller,
      { ticketId: ticket.id, side: 'support', internal },
      writing,
      at,
    );
    if (!internal) await tickets.advance(tx, ticket.id, progressOf(ticket, next, 'support', at), at);
    else if (next !== ticket.state)
      await tickets.change(tx, ticket.id, progressOf(ticket, next, null, at), at);
    const details = {
      ticket: ticket.id,
      ...(next !== ticket.state && { state: { from: ticket.state, to: next } }),
    };
    const action = internal ? 'ticket.noted' : 'ticket.replied';
    const organizationId = ticket.organization_id;
    await recordAudit(tx, actorOf(caller), at, { action, organizationId, details });
    if (internal) await mails.noted(tx, ticket, message.id, caller.userId);
    else await mails.replied(tx, ticket, message.id, caller.userId);
    return message;
  }

  async #replyAsCustomer(
    tx: Database,
    caller: Caller,
    ticket: TicketRecord,
    writing: Writing,
    at: Date,
  ): Promise<TicketMessage> {
    const { tickets, mails } = this.#options;
    const repeated = await this.#repeated(tx, caller, ticket.id, writing, at);
    if (repeated !== undefined) return repeated;
    const message = await this.#add(
      tx,
      caller,
      { ticketId: ticket.id, side: 'customer', internal: false },
      writing,
      at,
    );
    await tickets.advance(tx, ticket.id, progressOf(ticket, 'open', 'customer', at), at);
    const organizationId = ticket.organization_id;
    const event = { action: 'ticket.replied', organizationId, details: { ticket: ticket.id } } as const;
    await recordAudit(tx, actorOf(caller), at, event);
    await mails.replied(tx, ticket, message.id, caller.userId);
    return message;
  }

  /** A closed ticket stays closed: another one goes on with it. */
  async #continue(
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
    const id = await this.open(tx, caller, ticket, writing, at);
    const [first] = await this.#options.messages.newest(id, false, 1, tx);
    const [message] = await this.#present(first === undefined ? [] : [first], caller.locale, tx);
    return orNotFound(message);
  }

  async #add(
    tx: Database,
    { userId, locale }: Caller,
    about: {
      readonly ticketId: number;
      readonly side: 'customer' | 'support';
      readonly internal: boolean;
    },
    { body, uploadIds }: Writing,
    at: Date,
  ): Promise<TicketMessage> {
    const { messages, attachments } = this.#options;
    const ids = [...new Set(uploadIds)];
    if (ids.length > 0) requireUploads(ids, await attachments.lockUploads(tx, userId, ids, at));
    const id = await messages.add(tx, { ...about, authorId: userId, body: body.trim() }, at);
    if (ids.length > 0) await attachments.attach(tx, ids, id);
    const added = await messages.find(tx, about.ticketId, id);
    return presentMessage(added, await attachments.ofMessages([id], tx), locale);
  }

  /** The newest message, where it is the same writing of the caller within a minute. */
  async #repeated(
    tx: Database,
    { userId, locale }: Caller,
    ticketId: number,
    { body, uploadIds }: Writing,
    at: Date,
    internal = false,
  ): Promise<TicketMessage | undefined> {
    const [last] = await this.#options.messages.newest(ticketId, internal, 1, tx);
    if (last === undefined || last.authorId !== userId || last.internal !== internal) return undefined;
    if (last.body !== body.trim() || last.createdAt.getTime() <= at.getTime() - REPEAT_MS) return undefined;
    const [message] = await this.#present([last], locale, tx);
    const attached = message?.attachments.map(({ id }) => id) ?? [];
    const given = [...new Set(uploadIds)].toSorted((one, other) => one - other);
    return attached.join() === given.join() ? message : undefined;
  }

  async #present(records: readonly MessageRecord[], locale: Locale, db?: Database): Promise<TicketMessage[]> {
    const attachments = await this.#options.attachments.ofMessages(
      records.map(({ id }) => id),
      db,
    );
    return records.map((record) => presentMessage(record, attachments, locale));
  }
}

export function sourceOf({ kind }: Caller): 'portal' | 'api' {
  return kind === 'session' ? 'portal' : 'api';
}

/** @throws ValidationError */
function requireUploads(ids: readonly number[], uploads: readonly { readonly size: number }[]): void {
  if (uploads.length < ids.length)
    throw new ValidationError({
      upload_ids: ['must be uploads of the last hour that are yours and in no message yet'],
    });
  if (uploads.reduce((sum, { size }) => sum + size, 0) > MAX_ATTACHMENTS_SIZE)
    throw new ValidationError({ upload_ids: ['must not be more than 25 MiB together'] });
}
