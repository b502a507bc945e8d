import { sql } from 'kysely';
import { SERVICE } from '../../access/caller.ts';
import { type Actor, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import type { Platform } from '../../platform.ts';
import { expireAttachments } from './attachments.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a resolved ticket can be opened again by a reply. */
const RESOLVED_MS = 14 * DAY_MS;

/** Retention of attachments after their ticket was closed. */
const ATTACHMENTS_MS = 180 * DAY_MS;

const CLOSED_IN_BATCH = 1_000;

/**
 * Closes tickets that stay resolved. Several processes may do this at once: none waits for another, and each ticket is
 * closed once.
 */
export async function closeResolvedTickets(platform: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  let closed: number;
  do closed = await closeBatch(platform);
  while (closed > 0);
}

/** Holds changes of all tickets of an organization up that are not closed, until the transaction ends. */
export async function lockTicketsOf(tx: Database, organizationId: number): Promise<void> {
  await tx
    .selectFrom('tickets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('state', '<>', 'closed')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Closes the resolved tickets of an organization, which no reply opens again. */
export async function closeResolvedTicketsOf(
  tx: Database,
  organizationId: number,
  actor: Actor,
  at: Date,
): Promise<void> {
  const closed = await tx
    .updateTable('tickets')
    .set({ state: 'closed', closed_at: at, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'resolved')
    .returning(['id', 'organization_id as organizationId'])
    .execute();
  await conclude(tx, closed, actor, at);
}

/** @returns the number of closed tickets */
function closeBatch({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<number> {
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    const closed = await tx
      .updateTable('tickets')
      .set({ state: 'closed', closed_at: at, updated_at: at })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('tickets')
          .select('id')
          .where('state', '=', 'resolved')
          .where('resolved_at', '<', new Date(at.getTime() - RESOLVED_MS))
          .limit(CLOSED_IN_BATCH)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning(['id', 'organization_id as organizationId'])
      .execute();
    await conclude(tx, closed, SERVICE, at);
    return closed.length;
  });
}

/** Records that tickets were closed, and ends what depends on them. */
async function conclude(
  tx: Database,
  closed: readonly ClosedTicket[],
  actor: Actor,
  at: Date,
): Promise<void> {
  if (closed.length === 0) return;
  const ids = closed.map(({ id }) => id);
  await expireAttachments(tx, ids, new Date(at.getTime() + ATTACHMENTS_MS));
  const events = closed.map(
    ({ id, organizationId }) =>
      ({ action: 'ticket.closed', organizationId, details: { ticket: id } }) as const,
  );
  await recordAudits(tx, actor, at, events);
  const ofTickets = sql`recovery_sessions.ticket_id = any(${ids})`;
  await endRecoverySessions(tx, ofTickets, { reason: 'ticket_closed', by: null }, actor, at);
}

interface ClosedTicket {
  readonly id: number;
  readonly organizationId: number | null;
}
