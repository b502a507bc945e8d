import { RECOVERY_CHANGES, type RecoverySessionAccess, type RecoveryState } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { recoveryEndReason, recoveryState } from '../../db/recovery-sessions.ts';

export interface PersonNames {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
}

export type SessionRecord = Awaited<ReturnType<RecoverySessionRepository['list']>>[number];
export type EventRecord = Awaited<ReturnType<RecoverySessionRepository['events']>>[number];

export interface NewRecoverySession {
  readonly siteId: number;
  readonly organizationId: number | null;
  readonly access: RecoverySessionAccess;
  readonly reason: string;
  readonly ticketId: number | null;
  readonly hours: number;
  readonly requestedBy: number;
  readonly requestExpiresAt: Date | null;
  readonly openedAt: Date | null;
  readonly expiresAt: Date | null;
}

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
const CONCLUDED_IN_BATCH = 200;

export class RecoverySessionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first. @param which a condition on `recovery_sessions` with their `sites` */
  list(which: Condition, at: Date, page: Page, db: Database = this.#db) {
    return selectSessions(db, at)
      .where(which)
      .orderBy('recovery_sessions.id', 'desc')
      .offset(page.offset)
      .limit(page.limit)
      .execute();
  }

  find(which: Condition, at: Date, db: Database = this.#db): Promise<SessionRecord | undefined> {
    return selectSessions(db, at).where(which).executeTakeFirst();
  }

  async require(tx: Database, id: number, at: Date): Promise<SessionRecord> {
    return selectSessions(tx, at).where('recovery_sessions.id', '=', id).executeTakeFirstOrThrow();
  }

  /** Holds other changes of the site's sessions up until the transaction ends. */
  async lockSite(tx: Database, siteId: number): Promise<void> {
    await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
  }

  /** Whether the device of a site refuses all support. */
  async isRefusedByDevice(tx: Database, siteId: number): Promise<boolean> {
    const found = await tx
      .selectFrom('devices')
      .select('uid')
      .where('site_id', '=', siteId)
      .where('support_access', '=', 'never')
      .executeTakeFirst();
    return found !== undefined;
  }

  async isEmployee(tx: Database, userId: number, organizationId: number): Promise<boolean> {
    const found = await tx
      .selectFrom('organization_members')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return found !== undefined;
  }

  /**
   * Whether a session of a site can be about a ticket, which stays open until the transaction ends: it is about the site, or
   * about none and requested by a member of it.
   *
   * @param isVisible a condition on `tickets`
   */
  async lockTicket(tx: Database, id: number, siteId: number, isVisible: Condition): Promise<boolean> {
    const isOfMember = sql<SqlBool>`(tickets.site_id is null and tickets.requester_id in (
      select owner_id from sites where id = ${siteId}
      union all select user_id from site_members where site_id = ${siteId}))`;
    const found = await tx
      .selectFrom('tickets')
      .select('id')
      .where('id', '=', id)
      .where('state', '<>', 'closed')
      .where((eb) => eb.or([eb('tickets.site_id', '=', siteId), isOfMember]))
      .where(isVisible)
      .forShare()
      .executeTakeFirst();
    return found !== undefined;
  }

  async add(tx: Database, session: NewRecoverySession, at: Date): Promise<number> {
    const { id } = await tx
      .insertInto('recovery_sessions')
      .values({
        site_id: session.siteId,
        organization_id: session.organizationId,
        access: session.access,
        reason: session.reason,
        ticket_id: session.ticketId,
        hours: session.hours,
        requested_by: session.requestedBy,
        requested_at: at,
        request_expires_at: session.requestExpiresAt,
        opened_at: session.openedAt,
        expires_at: session.expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async change(tx: Database, id: number, changes: RecoveryChanges): Promise<void> {
    await tx.updateTable('recovery_sessions').set(changes).where('id', '=', id).execute();
  }

  /** @returns whether the account used the session for the first time */
  async join(tx: Database, sessionId: number, userId: number, at: Date): Promise<boolean> {
    const joined = await tx
      .updateTable('recovery_session_participants')
      .set({ last_at: sql`greatest(last_at, ${at})` })
      .where('session_id', '=', sessionId)
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst();
    if (joined !== undefined) return false;
    await tx
      .insertInto('recovery_session_participants')
      .values({ session_id: sessionId, user_id: userId, first_at: at, last_at: at })
      .execute();
    return true;
  }

  /** One that was added before is left out. @returns those that were added */
  async addEvents(
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
  events(sessionId: number, page: Page) {
    return this.#db
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

  /** Sessions that are over and whose end is not mailed yet; locked, and passed over where another process does it. */
  async unconcluded(tx: Database, at: Date): Promise<SessionRecord[]> {
    const { rows } = await sql<{ id: number }>`select recovery_sessions.id from recovery_sessions
      join sites on sites.id = recovery_sessions.site_id
      where not is_concluded and ${recoveryState(at)} not in ('requested', 'active')
      order by recovery_sessions.id limit ${CONCLUDED_IN_BATCH}
      for update of recovery_sessions skip locked`.execute(tx);
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    return selectSessions(tx, at).where('recovery_sessions.id', 'in', ids).execute();
  }

  /** Owner and admins of a site who have accepted that. */
  async household(tx: Database, siteId: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from (
        select owner_id as id from sites where id = ${siteId}
        union select user_id from site_members where site_id = ${siteId} and role = 'admin') as people
      where not exists (select from site_invitations where site_id = ${siteId} and user_id = people.id)
      order by 1`.execute(tx);
    return rows.map(({ id }) => id);
  }
}

function personAs(table: string) {
  const id = sql.ref(`${table}.id`);
  return sql<PersonNames | null>`case when ${id} is not null then json_build_object('id', ${id},
    'first_name', ${sql.ref(`${table}.first_name`)}, 'last_name', ${sql.ref(`${table}.last_name`)}) end`;
}

function selectSessions(db: Database, at: Date) {
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
