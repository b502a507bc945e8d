import type { RecoveryEvent, RecoverySession } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { findSite } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { isOfParty, isReadableBy, requireReader } from './policy.ts';
import { presentRecoveryEvent, presentRecoverySession } from './present.ts';
import { listSessions, readableSession, type SessionRecord, selectEvents } from './rows.ts';
import { recoverySearch } from './search.ts';

/** @throws NotFound; Forbidden */
export async function listSiteRecoverySessions(
  { db, clock }: Platform,
  caller: Caller,
  { params: { id: siteId }, query }: InputOf<'listSiteRecoverySessions'>,
): Promise<RecoverySession[]> {
  const { permissions } = orNotFound(await findSite(db, caller, siteId));
  requireReader(permissions);
  const which = sql<boolean>`(recovery_sessions.site_id = ${siteId} and ${isReadableBy(caller, permissions)})`;
  const found = await listSessions(db, which, new Date(clock.now()), pageFrom(query));
  return found.map((session) => presentRecoverySession(session, caller.locale));
}

/** Those that let the caller in; operators see all. */
export async function listRecoverySessions(
  { db, clock }: Platform,
  caller: Caller,
  { query: { q, ...page } }: InputOf<'listRecoverySessions'>,
): Promise<RecoverySession[]> {
  const at = new Date(clock.now());
  const isOurs = caller.staff && caller.organizationId === null ? sql`true` : isOfParty(caller);
  const which = sql<boolean>`(${isOurs} and ${recoverySearch(q, at)})`;
  const found = await listSessions(db, which, at, pageFrom(page));
  return found.map((session) => presentRecoverySession(session, caller.locale));
}

/** @throws NotFound; Forbidden */
export async function getRecoverySession(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'getRecoverySession'>,
): Promise<RecoverySession> {
  return presentRecoverySession(await requireReadable(platform, caller, params), caller.locale);
}

/** @throws NotFound; Forbidden */
export async function listRecoverySessionEvents(
  platform: Platform,
  caller: Caller,
  { params, query }: InputOf<'listRecoverySessionEvents'>,
): Promise<RecoveryEvent[]> {
  await requireReadable(platform, caller, params);
  const found = await selectEvents(platform.db, params.session_id, pageFrom(query));
  return found.map((event) => presentRecoveryEvent(event, caller.locale));
}

async function requireReadable(
  { db, clock }: Platform,
  caller: Caller,
  { id: siteId, session_id: id }: InputOf<'getRecoverySession'>['params'],
): Promise<SessionRecord> {
  const site = orNotFound(await findSite(db, caller, siteId));
  return readableSession(db, caller, site, id, new Date(clock.now()));
}
