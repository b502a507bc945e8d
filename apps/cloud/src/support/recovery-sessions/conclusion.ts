import { sql } from 'kysely';
import { SERVICE } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { recoveryState } from '../../db/recovery-sessions.ts';
import type { Platform } from '../../platform.ts';
import { mailSession } from './mails.ts';
import { changeSession, type SessionRecord, selectSessions } from './rows.ts';

type Concluding = Pick<Platform, 'db' | 'clock' | 'mail'>;

const CONCLUDED_IN_BATCH = 200;

/**
 * Records and mails the end of sessions that ended by themselves; that they are over follows from their dates. Several
 * processes may do this at once: each end is mailed once.
 */
export async function concludeSessions(platform: Concluding): Promise<void> {
  let concluded: number;
  do concluded = await concludeBatch(platform);
  while (concluded > 0);
}

/** @returns the number of sessions */
function concludeBatch(platform: Concluding): Promise<number> {
  const at = new Date(platform.clock.now());
  return platform.db.transaction().execute(async (tx) => {
    const sessions = await unconcludedSessions(tx, at);
    for (const session of sessions) await conclude(platform, tx, session, at);
    return sessions.length;
  });
}

async function conclude(platform: Concluding, tx: Database, session: SessionRecord, at: Date): Promise<void> {
  if (session.endedAt === null && session.declinedAt === null) {
    const details = { recovery_session: session.id, end_reason: session.endReason };
    const { siteId, siteOrganizationId: organizationId } = session;
    await recordAudit(tx, SERVICE, at, {
      action: 'recovery_session.expired',
      siteId,
      organizationId,
      details,
    });
  }
  await mailSession(platform, tx, 'ended', session, null);
  await changeSession(tx, session.id, { is_concluded: true });
}

/** Sessions that are over and whose end is not mailed yet; locked, and passed over where another process does it. */
async function unconcludedSessions(tx: Database, at: Date): Promise<SessionRecord[]> {
  const { rows } = await sql<{ id: number }>`select recovery_sessions.id from recovery_sessions
    join sites on sites.id = recovery_sessions.site_id
    where not is_concluded and ${recoveryState(at)} not in ('requested', 'active')
    order by recovery_sessions.id limit ${CONCLUDED_IN_BATCH}
    for update of recovery_sessions skip locked`.execute(tx);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return selectSessions(tx, at).where('recovery_sessions.id', 'in', ids).execute();
}
