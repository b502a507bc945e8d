import type {
  CreateTicketBody,
  OwnTicket,
  OwnTicketListQuery,
  OwnTicketWithMessages,
  PageQuery,
  ReplyToOwnTicketBody,
  TicketMessage,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { type Conversations, sourceOf } from './conversations.ts';
import type { Download } from './download.ts';
import { NEW_TICKETS } from './limits.ts';
import type { TicketMails } from './mails.ts';
import { presentOwnTicket } from './present.ts';
import type { NewTicket, TicketRepository } from './repository.ts';
import { progressOf, WrongState } from './states.ts';

export interface OwnTicketOptions {
  readonly db: Database;
  readonly tickets: TicketRepository;
  readonly conversations: Conversations;
  readonly mails: TicketMails;
  readonly access: SiteAccess;
  /** The organization whose own host a page has; null for other hosts. */
  readonly organizationAt: (host: string) => Promise<number | null>;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Tickets for their requesters. Another's ticket is not there, not even for those who handle it. */
export class OwnTicketService {
  readonly #options: OwnTicketOptions;

  constructor(options: OwnTicketOptions) {
    this.#options = options;
  }

  async list(caller: Caller, query: OwnTicketListQuery): Promise<OwnTicket[]> {
    const found = await this.#options.tickets.list(caller, 'own', { q: query.q }, pageFrom(query));
    return found.map(presentOwnTicket);
  }

  /**
   * A repetition shows the ticket of the first request as it is now.
   *
   * @param host of the request; an organization that the account joined handles tickets of its own host
   * @param key of idempotency
   * @throws ValidationError; Unprocessable for another body with the key; TooManyRequests
   */
  async create(
    caller: Caller,
    body: CreateTicketBody,
    host: string,
    key: string | undefined = undefined,
  ): Promise<OwnTicketWithMessages> {
    const { db, conversations, limits, clock } = this.#options;
    const { upload_ids: uploadIds = [] } = body;
    const writing = { body: body.body, uploadIds };
    const ticket = await this.#newTicket(caller, body, host);
    await limits.consume(NEW_TICKETS, String(caller.userId));
    const at = new Date(clock.now());
    const request = { userId: caller.userId, path: 'POST /api/v1/user/tickets', key, body };
    const { id } = await db.transaction().execute((tx) =>
      doOnce(tx, request, at, async () => ({
        id: await conversations.open(tx, caller, ticket, writing, at),
      })),
    );
    return this.show(caller, id);
  }

  /** @throws NotFound */
  async show(caller: Caller, id: number): Promise<OwnTicketWithMessages> {
    const { ticket, messages } = await this.#options.conversations.read(caller, 'own', id);
    return { ...presentOwnTicket(ticket), messages };
  }

  messages(caller: Caller, id: number, query: PageQuery): Promise<TicketMessage[]> {
    return this.#options.conversations.list(caller, 'own', id, query);
  }

  attachment(caller: Caller, id: number, attachmentId: number): Promise<Download> {
    return this.#options.conversations.attachment(caller, 'own', id, attachmentId);
  }

  reply(caller: Caller, id: number, reply: ReplyToOwnTicketBody): Promise<TicketMessage> {
    const { body, upload_ids: uploadIds = [] } = reply;
    return this.#options.conversations.reply(caller, 'own', id, { body, uploadIds });
  }

  /** No change when it is resolved already. @throws NotFound; WrongState for a closed ticket */
  resolve(caller: Caller, id: number): Promise<OwnTicket> {
    const { db, tickets, mails, clock } = this.#options;
    const at = new Date(clock.now());
    return db.transaction().execute(async (tx) => {
      const ticket = orNotFound(await tickets.lock(tx, caller, 'own', id));
      if (ticket.state === 'closed') throw new WrongState(ticket.state);
      if (ticket.state === 'resolved') return presentOwnTicket(ticket);
      const progress = progressOf(ticket, 'resolved', null, at);
      await tickets.change(tx, id, progress, at);
      const details = { ticket: id, state: { from: ticket.state, to: progress.state } };
      const organizationId = ticket.organization_id;
      await recordAudit(tx, actorOf(caller), at, { action: 'ticket.changed', organizationId, details });
      await mails.resolved(tx, ticket, caller.userId);
      return presentOwnTicket(orNotFound(await tickets.find(caller, 'own', id, tx)));
    });
  }

  /**
   * The organization of the caller's token handles the ticket, or that of the site, or the seller of the order, or the one
   * that the caller joined at its own host, or the one with which the caller registered. The operator handles those of employees, which their employer would otherwise send to itself.
   */
  async #newTicket(caller: Caller, body: CreateTicketBody, host: string): Promise<NewTicket> {
    const { tickets, access } = this.#options;
    const { site_id: siteId = null, order_id: orderId = null, category = 'other' } = body;
    const site = siteId === null ? undefined : await access.find(caller, siteId);
    if (siteId !== null && site === undefined)
      throw new ValidationError({ site_id: ['must be a site that you see'] });
    const order = orderId === null ? undefined : await tickets.ownOrder(caller, orderId);
    if (orderId !== null && order === undefined)
      throw new ValidationError({ order_id: ['must be one of your orders'] });
    const { userId } = caller;
    const topic = site?.organizationId ? site : order;
    const home =
      caller.organizationId ??
      (topic === undefined ? await this.#organizationAt(host, userId) : topic.organizationId);
    const isEmployer = home !== null && (await tickets.isEmployee(userId, home));
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
  async #organizationAt(host: string, userId: number): Promise<number | null> {
    const { tickets, organizationAt } = this.#options;
    return tickets.organizationOfCustomer(userId, await organizationAt(host));
  }
}
