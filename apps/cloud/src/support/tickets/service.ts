import type {
  PageQuery,
  ReplyToTicketBody,
  Ticket,
  TicketHandler,
  TicketListQuery,
  TicketMessage,
  TicketWithMessages,
  UpdateTicketBody,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { SiteCaller } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { Conversations } from './conversations.ts';
import type { Download } from './download.ts';
import type { TicketMails } from './mails.ts';
import type { MessageRepository } from './message-repository.ts';
import { isAssignableBy, requireHandler, requireHandover } from './policy.ts';
import { presentTicket } from './present.ts';
import type { TicketChanges, TicketRecord, TicketRepository } from './repository.ts';
import { progressOf, requireTransition } from './states.ts';

export type { TicketClosing } from './closing.ts';

export interface TicketOptions {
  readonly db: Database;
  readonly tickets: TicketRepository;
  readonly conversations: Conversations;
  readonly messages: MessageRepository;
  readonly mails: TicketMails;
  readonly access: SiteAccess;
  readonly clock: Clock;
}

/** Tickets for those who handle them, and for programs of their requesters. */
export class TicketService {
  readonly #options: TicketOptions;

  constructor(options: TicketOptions) {
    this.#options = options;
  }

  async list(caller: Caller, query: TicketListQuery): Promise<Ticket[]> {
    const { q, organization_id: organizationId } = query;
    const found = await this.#options.tickets.list(caller, 'any', { q, organizationId }, pageFrom(query));
    return found.map((ticket) => presentTicket(ticket, caller.locale));
  }

  /** @throws NotFound also for a ticket that the caller neither handles nor requested */
  async show(caller: Caller, id: number): Promise<TicketWithMessages> {
    const { ticket, messages } = await this.#options.conversations.read(caller, 'any', id);
    return { ...presentTicket(ticket, caller.locale), messages };
  }

  messages(caller: Caller, id: number, query: PageQuery): Promise<TicketMessage[]> {
    return this.#options.conversations.list(caller, 'any', id, query);
  }

  /** The people that the caller can make the assignee. @throws NotFound; Forbidden for its requester */
  async handlers(caller: Caller, id: number, query: PageQuery): Promise<TicketHandler[]> {
    const { tickets } = this.#options;
    const ticket = orNotFound(await tickets.find(caller, 'any', id));
    requireHandler(ticket);
    return tickets.people(isAssignableBy(caller, ticket.organization_id), pageFrom(query));
  }

  attachment(caller: Caller, id: number, attachmentId: number): Promise<Download> {
    return this.#options.conversations.attachment(caller, 'any', id, attachmentId);
  }

  reply(caller: Caller, id: number, reply: ReplyToTicketBody): Promise<TicketMessage> {
    const { upload_ids: uploadIds = [], ...rest } = reply;
    return this.#options.conversations.reply(caller, 'any', id, { ...rest, uploadIds });
  }

  /**
   * Changes what the body names. A ticket that gets another organization loses an assignee who does not handle it there.
   *
   * @throws NotFound; Forbidden for its requester, and for employees who give it to another organization; WrongState;
   * ValidationError
   */
  update(caller: Caller, id: number, body: UpdateTicketBody): Promise<Ticket> {
    const { db, tickets, clock } = this.#options;
    const at = new Date(clock.now());
    return db.transaction().execute(async (tx) => {
      const ticket = orNotFound(await tickets.lock(tx, caller, 'any', id));
      requireHandler(ticket);
      const changes = await this.#changesOf(tx, caller, ticket, body, at);
      const differences = differencesOf(ticket, changes);
      if (differences === undefined) return presentTicket(ticket, caller.locale);
      await tickets.change(tx, id, changes, at);
      const organizationId = ticket.organization_id;
      const event = {
        action: 'ticket.changed',
        organizationId,
        details: { ticket: id, ...differences },
      } as const;
      await recordAudit(tx, actorOf(caller), at, event);
      const changed = await tickets.changed(tx, caller, id);
      await this.#mail(tx, caller, ticket, changed);
      return presentTicket(changed, caller.locale);
    });
  }

  async #mail(tx: Database, { userId }: Caller, before: TicketRecord, after: TicketRecord): Promise<void> {
    const { mails, messages } = this.#options;
    if (after.organization_id !== before.organization_id) {
      const [first] = await messages.list(after.id, false, { offset: 0, limit: 1 }, tx);
      if (first !== undefined) await mails.transferred(tx, after, first.id, userId);
    }
    if (after.assignee_id !== before.assignee_id) await mails.assigned(tx, after, userId);
    if (after.state === 'resolved' && before.state !== 'resolved') await mails.resolved(tx, after, userId);
  }

  async #changesOf(
    tx: Database,
    caller: Caller,
    ticket: TicketRecord,
    body: UpdateTicketBody,
    at: Date,
  ): Promise<TicketChanges> {
    const { state, priority, category } = body;
    if (state !== undefined) requireTransition(ticket.state, state);
    const organizationId = await this.#organizationOf(tx, caller, ticket, body);
    return {
      ...(state !== undefined && state !== ticket.state && progressOf(ticket, state, null, at)),
      ...(priority !== undefined && { priority }),
      ...(category !== undefined && { category }),
      organization_id: organizationId,
      assignee_id: await this.#assigneeOf(tx, caller, ticket, body, organizationId),
      site_id: await this.#siteOf(tx, caller, ticket, body),
    };
  }

  async #organizationOf(
    tx: Database,
    caller: Caller,
    { organization_id: before }: TicketRecord,
    { organization_id: after = before }: UpdateTicketBody,
  ): Promise<number | null> {
    if (after === before) return before;
    requireHandover(caller, after);
    if (after !== null && !(await this.#options.tickets.isOrganization(tx, after)))
      throw new ValidationError({ organization_id: ['is no organization'] });
    return after;
  }

  async #assigneeOf(
    tx: Database,
    caller: Caller,
    { assignee_id: before, organization_id: organizationBefore }: TicketRecord,
    { assignee_id: given }: UpdateTicketBody,
    organizationId: number | null,
  ): Promise<number | null> {
    const { tickets } = this.#options;
    const after = given === undefined ? before : given;
    if (after === null || (after === before && organizationId === organizationBefore)) return after;
    if (given === undefined) return (await tickets.handles(tx, after, organizationId)) ? after : null;
    if (await tickets.isPerson(tx, after, isAssignableBy(caller, organizationId))) return after;
    throw new ValidationError({ assignee_id: ['must be one of the handlers of the ticket'] });
  }

  async #siteOf(
    tx: Database,
    caller: Caller,
    { site_id: before, requester_id: requesterId }: TicketRecord,
    { site_id: after = before }: UpdateTicketBody,
  ): Promise<number | null> {
    if (after === null || after === before) return after;
    const { access } = this.#options;
    const isSeen =
      (await access.find(caller, after, tx)) !== undefined &&
      (await access.find(asSeenBy(requesterId), after, tx)) !== undefined;
    if (!isSeen) throw new ValidationError({ site_id: ['must be a site that you and the requester see'] });
    return after;
  }
}

/** An account with all that it sees, without regard to a token. */
function asSeenBy(userId: number): SiteCaller {
  return {
    userId,
    kind: 'session',
    scopes: new Set(['sites:read_all']),
    staff: false,
    organizationId: null,
    siteId: null,
  };
}

const SHOWN = ['state', 'priority', 'category', 'organization_id', 'assignee_id', 'site_id'] as const;

/** The fields that change, each with what it was and becomes; undefined for none. */
function differencesOf(
  before: TicketRecord,
  after: TicketChanges,
): Record<string, { readonly from: unknown; readonly to: unknown }> | undefined {
  const fields = SHOWN.filter((field) => after[field] !== undefined && after[field] !== before[field]);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((field) => [field, { from: before[field], to: after[field] }]));
}
