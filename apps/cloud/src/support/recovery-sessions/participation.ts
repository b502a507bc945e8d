import { cleanLine, MAX_ID } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { RecoveryAccess, RecoveryClaim } from '@heliograph/wire';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { endRecoverySessions, recoveryState } from '../../db/recovery-sessions.ts';
import type { Platform } from '../../platform.ts';
import { mailSession } from './mails.ts';
import { isOfParty } from './policy.ts';
import { nameOf } from './present.ts';
import {
  addEvents,
  changeSession,
  findSession,
  getSession,
  listSessions,
  lockSite,
  type NewRecoveryEvent,
  type SessionRecord,
} from './rows.ts';

/** An active session, as its device shows it. */
export interface ActiveSession {
  readonly id: number;
  readonly access: SessionRecord['access'];
  readonly reason: string;
  readonly firm: string | null;
  readonly expiresAt: Date;
}

/** The part of a device's call about sessions, unread. */
export interface RecoveryReport {
  readonly ended?: unknown;
  readonly events?: unknown;
}

/** Most events of one report; a device sends the rest with the next one. */
const MAX_REPORTED = 100;

const MAX_SUBJECT_LENGTH = 200;

/**
 * Joins the active session of a site that lets the caller in. A session that is about to end is waited for: it then
 * revokes what is issued here.
 *
 * @param siteId of a site that the transaction has locked
 * @throws Forbidden without such a session, and to the account that consented to it
 */
export async function joinRecoverySession(
  tx: Database,
  caller: Caller,
  siteId: number,
  at: Date,
): Promise<RecoveryClaim> {
  const which = sql<boolean>`(recovery_sessions.site_id = ${siteId} and ${isOfParty(caller)}
    and ${recoveryState(at)} = 'active')`;
  const found = await findSession(tx, which, at);
  if (found !== undefined)
    await tx.selectFrom('recovery_sessions').select('id').where('id', '=', found.id).forShare().execute();
  const session = await findSession(tx, which, at);
  if (session?.expiresAt == null) throw new Forbidden('No support recovery session of the site lets you in');
  if (consentersOf(session).includes(caller.userId))
    throw new Forbidden('You consented to this session yourself: another person of the support uses it');
  const { id: sessionId, expiresAt, siteOrganizationId: organizationId } = session;
  const access = withinScopes(session.access, caller);
  if (await addParticipant(tx, sessionId, caller.userId, at)) {
    const event = { kind: 'joined', userId: caller.userId, subject: null, succeeded: true } as const;
    await addEvents(tx, sessionId, [{ ...event, at, reportId: null }]);
    const details = { recovery_session: sessionId, access };
    const audit = { action: 'recovery_session.joined', siteId, organizationId, details } as const;
    await recordAudit(tx, actorOf(caller), at, audit);
  }
  const person = await tx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'locale'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  return {
    sessionId,
    access,
    name: nameOf(person, person.locale),
    firm: session.organizationName,
    until: expiresAt.getTime(),
  };
}

export async function activeRecoverySessions(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  siteId: number,
): Promise<ActiveSession[]> {
  const at = new Date(clock.now());
  const which = sql<boolean>`(recovery_sessions.site_id = ${siteId} and ${recoveryState(at)} = 'active')`;
  const found = await listSessions(db, which, at, { offset: 0, limit: 100 });
  return found.flatMap(({ id, access, reason, organizationName: firm, expiresAt }) =>
    expiresAt === null ? [] : [{ id, access, reason, firm, expiresAt }],
  );
}

/**
 * Stores what a site's device reports. What cannot be read, and what is about sessions of other sites, is left out.
 *
 * @returns the ids of events that the device may forget
 */
export async function storeRecoveryReport(
  platform: Pick<Platform, 'db' | 'clock' | 'mail'>,
  siteId: number,
  { ended, events }: RecoveryReport,
  actor: Actor,
): Promise<string[]> {
  const endedIds = (Array.isArray(ended) ? ended : []).filter(isId).slice(0, MAX_REPORTED);
  const reported = (Array.isArray(events) ? events : []).slice(0, MAX_REPORTED).flatMap(eventIn);
  if (endedIds.length === 0 && reported.length === 0) return [];
  const at = new Date(platform.clock.now());
  return platform.db.transaction().execute(async (tx) => {
    await lockSite(tx, siteId);
    const written: Pick<NewRecoveryEvent, 'at' | 'subject' | 'succeeded'>[] = [];
    for (const [sessionId, ofSession] of Map.groupBy(reported, (event) => event.sessionId)) {
      const which = sql<boolean>`(recovery_sessions.id = ${sessionId} and recovery_sessions.site_id = ${siteId})`;
      const session = await findSession(tx, which, at);
      if (session === undefined) continue;
      const added = await addEvents(tx, sessionId, eventsOf(session, ofSession, at));
      const isRemoved = added.some(({ kind, succeeded }) => kind === 'password_removed' && succeeded);
      if (isRemoved) await mailSession(platform, tx, 'passwordRemoved', session, null);
      written.push(...added.filter(({ kind }) => kind === 'setting_written'));
    }
    if (written.length > 0) await appendWritten(tx, siteId, written, at);
    if (endedIds.length > 0) await endByDevice(platform, tx, siteId, endedIds, actor, at);
    return reported.map(({ reportId }) => reportId);
  });
}

async function endByDevice(
  platform: Pick<Platform, 'mail'>,
  tx: Database,
  siteId: number,
  ids: readonly number[],
  actor: Actor,
  at: Date,
): Promise<void> {
  const which = sql`recovery_sessions.site_id = ${siteId} and recovery_sessions.id = any(${ids})`;
  for (const id of await endRecoverySessions(tx, which, { reason: 'device', by: null }, actor, at)) {
    await mailSession(platform, tx, 'ended', await getSession(tx, id, at), null);
    await changeSession(tx, id, { is_concluded: true });
  }
}

/** @returns whether the account used the session for the first time */
export async function addParticipant(
  tx: Database,
  sessionId: number,
  userId: number,
  at: Date,
): Promise<boolean> {
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

function consentersOf({ approver, extendedBy, requestExpiresAt, requestedBy }: SessionRecord) {
  // Without a request it was opened by one who may consent.
  return [...extendedBy, approver?.id ?? (requestExpiresAt === null ? requestedBy : null)];
}

/** A token that writes nothing by itself writes nothing as support. */
function withinScopes(access: RecoveryAccess, { scopes }: Caller): RecoveryAccess {
  return scopes.has('sites:write_all') ? access : 'diagnose';
}

/** Events of settings that support changed at the hardware. @param at the time of the report */
async function appendWritten(
  tx: Database,
  siteId: number,
  written: readonly Pick<NewRecoveryEvent, 'at' | 'subject' | 'succeeded'>[],
  at: Date,
): Promise<void> {
  const site = await tx
    .selectFrom('sites')
    .select('organization_id as organizationId')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const events = written.map((one) => ({
    type: 'setting.written' as const,
    at,
    siteId,
    organizationId: site.organizationId,
    data: {
      ...settingIn(one.subject),
      outcome: one.succeeded ? 'written' : 'failed',
      written_at: one.at.toISOString(),
    },
  }));
  await appendEvents(tx, events);
}

/** Devices report `topic = value`. */
function settingIn(subject: string | null): { topic: string | null; value: string | null } {
  const [topic = null, ...value] = subject?.split(' = ') ?? [];
  return { topic, value: value.length === 0 ? null : value.join(' = ') };
}

interface ReportedEvent extends Omit<NewRecoveryEvent, 'reportId'> {
  readonly sessionId: number;
  readonly reportId: string;
}

/** Names of participants alone are believed, and no time after now. */
function eventsOf(
  { participants }: SessionRecord,
  events: readonly ReportedEvent[],
  now: Date,
): NewRecoveryEvent[] {
  return events.map(({ sessionId: _sessionId, userId, at, ...event }) => ({
    ...event,
    at: at > now ? now : at,
    userId: participants.some(({ id }) => id === userId) ? userId : null,
  }));
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID;
}

/** Devices may be newer than the cloud, and have further kinds. */
function isReportedKind(kind: unknown): kind is string {
  return typeof kind === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(kind) && kind !== 'joined';
}

function eventIn(value: unknown): ReportedEvent[] {
  if (typeof value !== 'object' || value === null) return [];
  const {
    id,
    session_id: sessionId,
    user_id: userId,
    at,
    kind,
    subject,
    succeeded,
  } = value as Record<string, unknown>;
  const date = new Date(typeof at === 'string' ? at : Number.NaN);
  if (typeof id !== 'string' || id.length > 64 || !isId(sessionId) || !isReportedKind(kind)) return [];
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return [];
  return [
    {
      reportId: id,
      sessionId,
      userId: isId(userId) ? userId : null,
      at: date,
      kind,
      subject:
        typeof subject === 'string' ? cleanLine(subject).slice(0, MAX_SUBJECT_LENGTH).toWellFormed() : null,
      succeeded: succeeded === true,
    },
  ];
}
