import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ExportSection, section } from './section.ts';

type Condition = RawBuilder<SqlBool>;

/** A condition on `sites`: the account is the owner or an admin, and pages show them all people in support sessions. */
export function manages(userId: number): Condition {
  return sql<SqlBool>`(sites.owner_id = ${userId} or exists (select from site_members as admins
    where admins.site_id = sites.id and admins.user_id = ${userId} and admins.role = 'admin'))`;
}

/** A condition on `recovery_sessions`: the account asked for it, answered or ended it, or was let in. */
export function tookPart(userId: number): Condition {
  return sql<SqlBool>`(recovery_sessions.requested_by = ${userId} or recovery_sessions.approved_by = ${userId}
    or recovery_sessions.ended_by = ${userId} or exists (select from recovery_session_participants as joined
      where joined.session_id = recovery_sessions.id and joined.user_id = ${userId}))`;
}

/**
 * Support sessions, who was let in, and what they did.
 *
 * @param which a condition on `recovery_sessions` with their `sites`
 * @param showsAll the same: those with all people in them; in others there is only what the account itself did
 */
export function recoverySections(
  which: Condition,
  showsAll: Condition,
  userId: number | null,
): readonly ExportSection[] {
  const isShown = (column: string) => sql<SqlBool>`(${sql.ref(column)} = ${userId} or ${showsAll})`;
  const person = (column: string, name: string) =>
    sql`case when ${isShown(column)} then ${sql.ref(column)} end as ${sql.ref(`${name}_id`)},
      (select nullif(trim(people.first_name || ' ' || people.last_name), '') from users as people
        where people.id = ${sql.ref(column)} and ${isShown(column)}) as ${sql.ref(name)}`;
  const sessions = sql`recovery_sessions join sites on sites.id = recovery_sessions.site_id`;
  return [
    section(
      'recovery_sessions',
      sql`select recovery_sessions.id, recovery_sessions.site_id, organizations.name as organization,
        recovery_sessions.access,
        case when ${isShown('recovery_sessions.requested_by')} then recovery_sessions.reason end as reason,
        recovery_sessions.ticket_id, recovery_sessions.hours, ${person('recovery_sessions.requested_by', 'requester')},
        ${person('recovery_sessions.approved_by', 'approver')}, ${person('recovery_sessions.ended_by', 'ender')},
        recovery_sessions.requested_at, recovery_sessions.request_expires_at, recovery_sessions.opened_at,
        recovery_sessions.expires_at, recovery_sessions.declined_at, recovery_sessions.ended_at,
        recovery_sessions.end_reason
        from ${sessions} left join organization_names as organizations on organizations.id = recovery_sessions.organization_id
        where ${which} order by recovery_sessions.id`,
    ),
    section(
      'recovery_session_participants',
      sql`select joined.session_id, ${person('joined.user_id', 'participant')}, joined.first_at, joined.last_at
        from recovery_session_participants as joined join (${sessions}) on recovery_sessions.id = joined.session_id
        where ${which} and ${isShown('joined.user_id')} order by joined.session_id, joined.first_at, joined.user_id`,
    ),
    section(
      'recovery_session_events',
      sql`select events.session_id, events.at, events.kind, events.subject, events.succeeded,
        ${person('events.user_id', 'participant')}
        from recovery_session_events as events join (${sessions}) on recovery_sessions.id = events.session_id
        where ${which} and ${isShown('events.user_id')} order by events.id`,
    ),
  ];
}
