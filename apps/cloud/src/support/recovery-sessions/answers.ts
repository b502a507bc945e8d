import type { RecoverySession } from '@heliograph/contracts';
import { Forbidden, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { type AccessibleSite, findSite } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { mailSession } from './mails.ts';
import { recordSession, requireDeviceAllows } from './open-session.ts';
import { presentRecoverySession } from './present.ts';
import {
  changeSession,
  getSession,
  lockSite,
  type RecoveryChanges,
  readableSession,
  type SessionRecord,
} from './rows.ts';
import { exceeds, HOUR_MS, MAX_SESSION_MS, requireState } from './states.ts';

type SessionIds = InputOf<'getRecoverySession'>['params'];

/** Work on one session, whose site is locked. */
type Work<T> = (tx: Database, session: SessionRecord, site: AccessibleSite, at: Date) => Promise<T>;

/** @throws NotFound; Forbidden; ValidationError; WrongRecoveryState; Unprocessable where the device refuses support */
export function approveRecoverySession(
  platform: Platform,
  caller: Caller,
  { params, body }: InputOf<'approveRecoverySession'>,
): Promise<RecoverySession> {
  return withConsent(platform, caller, params, async (tx, session, _site, at) => {
    requireState(session, 'requested');
    await requireDeviceAllows(tx, session.siteId);
    const { access = session.access === 'settings' ? 'repair' : session.access, hours = session.hours } =
      body ?? {};
    if (exceeds(access, session.access))
      throw new ValidationError({ access: [`must be no more than was requested, ${session.access}`] });
    if (hours > session.hours)
      throw new ValidationError({ hours: [`must be no more than was requested, ${session.hours}`] });
    return change(platform, tx, caller, session, at, 'approved', {
      access,
      approved_by: caller.userId,
      opened_at: at,
      expires_at: new Date(at.getTime() + hours * HOUR_MS),
    });
  });
}

/** @throws NotFound; Forbidden; WrongRecoveryState */
export function declineRecoverySession(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'declineRecoverySession'>,
): Promise<RecoverySession> {
  return withConsent(platform, caller, params, async (tx, session, _site, at) => {
    requireState(session, 'requested');
    const changes = { declined_at: at, ended_by: caller.userId, is_concluded: true };
    return change(platform, tx, caller, session, at, 'declined', changes);
  });
}

/**
 * Is consent, too, so the account that uses the session gives none.
 *
 * @throws NotFound; Forbidden; ValidationError beyond seven days in all; WrongRecoveryState
 */
export function extendRecoverySession(
  platform: Platform,
  caller: Caller,
  { params, body: { hours } }: InputOf<'extendRecoverySession'>,
): Promise<RecoverySession> {
  return withConsent(platform, caller, params, async (tx, session, _site, at) => {
    requireState(session, 'active');
    const { openedAt, expiresAt, extendedBy, participants } = session;
    if (participants.some((person) => person.id === caller.userId))
      throw new Forbidden('You use this session yourself: another person of the household extends it');
    const until = (expiresAt ?? at).getTime() + hours * HOUR_MS;
    if (until > (openedAt ?? at).getTime() + MAX_SESSION_MS)
      throw new ValidationError({ hours: ['would take the session beyond seven days in all'] });
    return change(platform, tx, caller, session, at, 'extended', {
      expires_at: new Date(until),
      extended_by: [...extendedBy, caller.userId],
    });
  });
}

/** Ends it at once, or withdraws it; no change where it is over already. @throws NotFound; Forbidden */
export function endRecoverySession(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'endRecoverySession'>,
): Promise<void> {
  return withSession(platform, caller, params, async (tx, session, site, at) => {
    const { id } = session;
    const reason = site.permissions.has('consent') ? 'owner' : 'support';
    const which = sql`recovery_sessions.id = ${id}`;
    const ended = await endRecoverySessions(tx, which, { reason, by: caller.userId }, actorOf(caller), at);
    if (ended.length === 0) return;
    const changed = await getSession(tx, id, at);
    // A request that is withdrawn gave no access.
    if (session.state === 'active') await mailSession(platform, tx, 'ended', changed, caller.userId);
    await changeSession(tx, id, { is_concluded: true });
  });
}

async function change(
  platform: Platform,
  tx: Database,
  caller: Caller,
  { id }: SessionRecord,
  at: Date,
  what: 'approved' | 'declined' | 'extended',
  changes: RecoveryChanges,
): Promise<RecoverySession> {
  await changeSession(tx, id, changes);
  const session = await getSession(tx, id, at);
  await recordSession(tx, caller, session, at, `recovery_session.${what}`);
  const event = what === 'approved' ? 'opened' : what;
  await mailSession(platform, tx, event, session, caller.userId);
  return presentRecoverySession(session, caller.locale);
}

/** For owners and admins of the site. */
function withConsent<T>(platform: Platform, caller: Caller, ids: SessionIds, work: Work<T>): Promise<T> {
  return withSession(platform, caller, ids, (tx, session, site, at) => {
    requirePermission(site.permissions, 'consent');
    return work(tx, session, site, at);
  });
}

function withSession<T>(
  { db, clock }: Platform,
  caller: Caller,
  { id: siteId, session_id: id }: SessionIds,
  work: Work<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const at = new Date(clock.now());
    await lockSite(tx, siteId);
    const site = orNotFound(await findSite(tx, caller, siteId));
    const session = await readableSession(tx, caller, site, id, at);
    return work(tx, session, site, at);
  });
}
