import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { SERVICE } from '../../access/caller.ts';
import { recordAudits } from '../../db/audit.ts';
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

  /** @returns the number of closed tickets */
  #closeBatch(): Promise<number> {
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      const closed = await this.#tickets.close(tx, new Date(at.getTime() - RESOLVED_MS), at);
      if (closed.length === 0) return 0;
      const ids = closed.map(({ id }) => id);
      await this.#attachments.expire(tx, ids, new Date(at.getTime() + ATTACHMENTS_MS));
      const events = closed.map(
        ({ id, organizationId }) =>
          ({ action: 'ticket.closed', organizationId, details: { ticket: id } }) as const,
      );
      await recordAudits(tx, SERVICE, at, events);
      const ofTickets = sql`recovery_sessions.ticket_id = any(${ids})`;
      await endRecoverySessions(tx, ofTickets, { reason: 'ticket_closed', by: null }, SERVICE, at);
      return closed.length;
    });
  }
}
