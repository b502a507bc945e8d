import type { Connection, SiteConnections } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { presentConnection, presentSiteConnections } from './present.ts';
import { ConnectionRepository, isOwn } from './repository.ts';
import { revokeGrants } from './revoke.ts';

/** The grants of the caller, the newest first. */
export async function listConnections({ db, clock }: Platform, caller: Caller): Promise<Connection[]> {
  const grants = await new ConnectionRepository(db).ofUser(caller, new Date(clock.now()));
  return grants.map(presentConnection);
}

/** @throws NotFound unless it is a live grant of the caller */
export async function endConnection(
  platform: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'endConnection'>,
): Promise<void> {
  await end(platform, caller, sql<SqlBool>`oauth_grants.id = ${id} and ${isOwn(caller)}`);
}

/** Third parties with access to a site, for its owner and admins. */
export async function listSiteConnections(
  { db, clock }: Platform,
  _caller: Caller,
  { site: { id } }: InputOf<'listSiteConnections'>,
): Promise<SiteConnections> {
  const connections = new ConnectionRepository(db);
  const [shares, grants] = await Promise.all([
    connections.sharesOf(id),
    connections.ofSite(id, new Date(clock.now())),
  ]);
  return presentSiteConnections(shares, grants);
}

/** @throws NotFound unless it is a live grant for this site */
export async function endSiteConnection(
  platform: Platform,
  caller: Caller,
  { site, params: { connection_id: id } }: InputOf<'endSiteConnection'>,
): Promise<void> {
  await end(platform, caller, sql<SqlBool>`oauth_grants.id = ${id} and oauth_grants.site_id = ${site.id}`);
}

async function end({ db, clock }: Platform, caller: Caller, which: Expression<SqlBool>): Promise<void> {
  const ended = await db.transaction().execute((tx) => revokeGrants(tx, which, actorOf(caller), clock));
  if (ended === 0) throw new NotFound();
}
