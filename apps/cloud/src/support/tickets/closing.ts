import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { SERVICE } from '../../access/caller.ts';
import { type Actor, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import type { AttachmentRepository } from './attachment-repository.ts';
import type { TicketRepository } from './repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a resolved ticket can be opened again by a reply. */
const RESOLVED_MS = 14 * DAY_MS;

/** Retention of attachments after their ticket was closed. */
const ATTACHMENTS_MS = 180 * DAY_MS;

/** Closes tickets that stay resolved. */
export class TicketClosing {
  readonly #db: Database;
  readonly #tickets: TicketRepository;
  readonly #attachments: AttachmentRepository;
  readonly #clock: Clock;

  constructor(db: Database, tickets: TicketRepository, attachments: AttachmentRepository, clock: Clock) {
    this.#db = db;
    this.#tickets = tickets;
    this.#attachments = attachments;
    this.#clock = clock;
  }

  /** Several processes may do this at once: none waits for another, and each ticket is closed once. */
  async run(): Promise<void> {
    let closed: number;
    do closed = await this.#closeBatch();
    while (closed > 0);
  }

  /** Holds changes of all tickets of an organization up that are not closed, until the transaction ends. */
  lockAllOf(tx: Database, organizationId: number): Promise<void> {
    return this.#tickets.lockAllOf(tx, organizationId);
  }

  /** Closes the resolved tickets of an organization, which no reply opens again. */
  async closeResolvedOf(tx: Database, organizationId: number, actor: Actor): Promise<void> {
    const at = new Date(this.#clock.now());
    await this.#conclude(tx, await this.#tickets.closeResolvedOf(tx, organizationId, at), actor, at);
  }

  /** @returns the number of closed tickets */
  #closeBatch(): Promise<number> {
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      const closed = await this.#tickets.close(tx, new Date(at.getTime() - RESOLVED_MS), at);
      await this.#conclude(tx, closed, SERVICE, at);
      return closed.length;
    });
  }

  /** Records that tickets were closed, and ends what depends on them. */
  async #conclude(tx: Database, closed: readonly ClosedTicket[], actor: Actor, at: Date): Promise<void> {
    if (closed.length === 0) return;
    const ids = closed.map(({ id }) => id);
    await this.#attachments.expire(tx, ids, new Date(at.getTime() + ATTACHMENTS_MS));
    const events = closed.map(
      ({ id, organizationId }) =>
        ({ action: 'ticket.closed', organizationId, details: { ticket: id } }) as const,
    );
    await recordAudits(tx, actor, at, events);
    const ofTickets = sql`recovery_sessions.ticket_id = any(${ids})`;
    await endRecoverySessions(tx, ofTickets, { reason: 'ticket_closed', by: null }, actor, at);
  }
}

interface ClosedTicket {
  readonly id: number;
  readonly organizationId: number | null;
}
