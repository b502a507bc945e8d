import { RECOVERY_CHANGES, type RecoverySessionAccess, type RecoveryState } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { AccessibleSite } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { recoveryEndReason, recoveryState } from '../../db/recovery-sessions.ts';
import { isReadableBy, requireReader } from './policy.ts';

export interface PersonNames {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
}

export type SessionRecord = Awaited<ReturnType<typeof listSessions>>[number];
export type EventRecord = Awaited<ReturnType<typeof selectEvents>>[number];

export interface RecoveryChanges {
  readonly access?: RecoverySessionAccess;
  readonly approved_by?: number;
  readonly extended_by?: number[];
  readonly opened_at?: Date;
  readonly expires_at?: Date;
  readonly declined_at?: Date;
  readonly ended_by?: number;
  readonly is_concluded?: boolean;
}

export interface NewRecoveryEvent {
  readonly userId: number | null;
  readonly kind: string;
  readonly subject: string | null;
  readonly succeeded: boolean;
  readonly at: Date;
  /** The device's id of it; null for an event of the cloud. */
  readonly reportId: string | null;
}

type Condition = Expression<SqlBool>;

const CHANGES = [...RECOVERY_CHANGES];

/** The newest first. @param which a condition on `recovery_sessions` with their `sites` */
export function listSessions(db: Database, which: Condition, at: Date, page: Page) {
  return selectSessions(db, at)
    .where(which)
    .orderBy('recovery_sessions.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

export function findSession(db: Database, which: Condition, at: Date): Promise<SessionRecord | undefined> {
  return selectSessions(db, at).where(which).executeTakeFirst();
}

/** A session that the caller reads. @throws NotFound; Forbidden for those who only read the site */
export async function readableSession(
  db: Database,
  caller: Caller,
  { id: siteId, permissions }: AccessibleSite,
  id: number,
  at: Date,
): Promise<SessionRecord> {
  requireReader(permissions);
  const which = sql<boolean>`(recovery_sessions.id = ${id} and recovery_sessions.site_id = ${siteId}
    and ${isReadableBy(caller, permissions)})`;
  return orNotFound(await findSession(db, which, at));
}

export async function getSession(tx: Database, id: number, at: Date): Promise<SessionRecord> {
  return selectSessions(tx, at).where('recovery_sessions.id', '=', id).executeTakeFirstOrThrow();
}

/** Holds other changes of the site's sessions up until the transaction ends. */
export async function lockSite(tx: Database, siteId: number): Promise<void> {
  await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
}

export async function changeSession(tx: Database, id: number, changes: RecoveryChanges): Promise<void> {
  await tx.updateTable('recovery_sessions').set(changes).where('id', '=', id).execute();
}

/** One that was added before is left out. @returns those that were added */
export async function addEvents(
  tx: Database,
  sessionId: number,
  events: readonly NewRecoveryEvent[],
): Promise<Pick<NewRecoveryEvent, 'at' | 'kind' | 'subject' | 'succeeded'>[]> {
  if (events.length === 0) return [];
  return tx
    .insertInto('recovery_session_events')
    .values(
      events.map(({ userId, reportId, ...event }) => ({
        ...event,
        session_id: sessionId,
        user_id: userId,
        report_id: reportId,
      })),
    )
    .onConflict((conflict) => conflict.columns(['session_id', 'report_id']).doNothing())
    .returning(['at', 'kind', 'subject', 'succeeded'])
    .execute();
}

/** The newest first. */
export function selectEvents(db: Database, sessionId: number, page: Page) {
  return db
    .selectFrom('recovery_session_events as events')
    .leftJoin('users', 'users.id', 'events.user_id')
    .select(['events.id', 'events.at', 'events.kind', 'events.subject', 'events.succeeded'])
    .select(personAs('users').as('user'))
    .where('events.session_id', '=', sessionId)
    .orderBy('events.at', 'desc')
    .orderBy('events.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

function personAs(table: string) {
  const id = sql.ref(`${table}.id`);
  return sql<PersonNames | null>`case when ${id} is not null then json_build_object('id', ${id},
    'first_name', ${sql.ref(`${table}.first_name`)}, 'last_name', ${sql.ref(`${table}.last_name`)}) end`;
}

/** Sessions as they are at a moment, with their sites. */
export function selectSessions(db: Database, at: Date) {
  return db
    .selectFrom('recovery_sessions')
    .innerJoin('sites', 'sites.id', 'recovery_sessions.site_id')
    .leftJoin('organization_names as organizations', 'organizations.id', 'recovery_sessions.organization_id')
    .leftJoin('users as requesters', 'requesters.id', 'recovery_sessions.requested_by')
    .leftJoin('users as approvers', 'approvers.id', 'recovery_sessions.approved_by')
    .leftJoin('users as enders', 'enders.id', 'recovery_sessions.ended_by')
    .select([
      'recovery_sessions.id',
      'recovery_sessions.site_id as siteId',
      'sites.name as siteName',
      'sites.organization_id as siteOrganizationId',
      'recovery_sessions.organization_id as organizationId',
      'organizations.name as organizationName',
      'recovery_sessions.access',
      'recovery_sessions.reason',
      'recovery_sessions.ticket_id as ticketId',
      'recovery_sessions.hours',
      'recovery_sessions.requested_by as requestedBy',
      'recovery_sessions.requested_at as requestedAt',
      'recovery_sessions.request_expires_at as requestExpiresAt',
      'recovery_sessions.extended_by as extendedBy',
      'recovery_sessions.opened_at as openedAt',
      'recovery_sessions.expires_at as expiresAt',
      'recovery_sessions.declined_at as declinedAt',
      'recovery_sessions.ended_at as endedAt',
      recoveryState(at).$castTo<RecoveryState>().as('state'),
      recoveryEndReason(at).as('endReason'),
      personAs('requesters').as('requester'),
      personAs('approvers').as('approver'),
      personAs('enders').as('ender'),
      sql<number>`(select count(*)::int from recovery_session_events as events
        where events.session_id = recovery_sessions.id and succeeded and kind = any(${CHANGES}))`.as(
        'changes',
      ),
      sql<(PersonNames & { first_at: string; last_at: string })[]>`coalesce((
        select json_agg(json_build_object('id', users.id, 'first_name', users.first_name, 'last_name', users.last_name,
          'first_at', joined.first_at, 'last_at', joined.last_at) order by joined.first_at, users.id)
        from recovery_session_participants as joined join users on users.id = joined.user_id
        where joined.session_id = recovery_sessions.id), '[]')`.as('participants'),
    ]);
}
