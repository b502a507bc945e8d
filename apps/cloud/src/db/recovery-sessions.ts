import type { RecoveryEndReason, RecoveryState } from '@heliograph/contracts';
import { type Expression, sql } from 'kysely';
import { type Actor, recordAudits } from './audit.ts';
import type { Database } from './open.ts';

/** Whether a session's party has lost the site: a condition on `recovery_sessions` with their `sites`. */
const IS_LOST = sql`(recovery_sessions.organization_id is not null
  and recovery_sessions.organization_id is distinct from sites.organization_id)`;

/** The state at a moment, as a column of `recovery_sessions` with their `sites`: it follows from the dates. */
export function recoveryState(at: Date) {
  return sql<RecoveryState>`case
    when recovery_sessions.declined_at is not null then 'declined'
    when recovery_sessions.ended_at is not null then 'ended'
    when coalesce(recovery_sessions.expires_at, recovery_sessions.request_expires_at) <= ${at} then 'expired'
    when ${IS_LOST} then 'ended'
    when recovery_sessions.opened_at is null then 'requested'
    else 'active' end`;
}

/** Why a session is over, as `recoveryState`; null while it is not, and for a declined one. */
export function recoveryEndReason(at: Date) {
  return sql<RecoveryEndReason | null>`case
    when recovery_sessions.declined_at is not null then null
    when recovery_sessions.ended_at is not null then recovery_sessions.end_reason
    when coalesce(recovery_sessions.expires_at, recovery_sessions.request_expires_at) <= ${at} then 'time'
    when ${IS_LOST} then 'access_lost' end`;
}

export interface RecoveryEnd {
  readonly reason: RecoveryEndReason;
  /** The account that ended it; null for none. */
  readonly by: number | null;
}

/**
 * Ends sessions that are requested or active, revokes the site tokens that were issued in them, and records that.
 *
 * @param which a condition on `recovery_sessions`
 * @returns their ids
 */
export async function endRecoverySessions(
  tx: Database,
  which: Expression<unknown>,
  { reason, by }: RecoveryEnd,
  actor: Actor,
  at: Date,
): Promise<number[]> {
  const { rows: ended } = await sql<{ id: number; siteId: number; organizationId: number | null }>`
    update recovery_sessions set ended_at = ${at}, ended_by = ${by}, end_reason = ${reason}
    from sites where sites.id = recovery_sessions.site_id and (${which})
      and ${recoveryState(at)} in ('requested', 'active')
    returning recovery_sessions.id, site_id as "siteId", sites.organization_id as "organizationId"`.execute(
    tx,
  );
  const ids = ended.map(({ id }) => id);
  await revokeRecoveryTokens(tx, ids, at);
  const events = ended.map(
    ({ id, siteId, organizationId }) =>
      ({
        action: 'recovery_session.ended',
        siteId,
        organizationId,
        details: { recovery_session: id, end_reason: reason },
      }) as const,
  );
  if (events.length > 0) await recordAudits(tx, actor, at, events);
  return ids;
}

/** A session without participants has no tokens. The tokens of another process of the cloud may be dated later than now. */
async function revokeRecoveryTokens(tx: Database, sessionIds: readonly number[], at: Date): Promise<void> {
  if (sessionIds.length === 0) return;
  await sql`insert into site_token_revocations (site_id, subject, user_id, revoked_at)
    select sessions.site_id, 'recovery:' || sessions.id, max(participants.user_id),
      greatest(${at}::timestamptz, max(participants.last_at) + interval '1 ms')
    from recovery_sessions as sessions
      join recovery_session_participants as participants on participants.session_id = sessions.id
    where sessions.id = any(${sessionIds}) group by sessions.id
    order by 1, 2
    on conflict (site_id, subject) do update
      set revoked_at = greatest(site_token_revocations.revoked_at, excluded.revoked_at)`.execute(tx);
}
