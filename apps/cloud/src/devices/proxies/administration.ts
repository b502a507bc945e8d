import type { AuditAction, ProxySummary } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { requireOperator } from '../../organizations/organizations/policy.ts';
import type { Platform } from '../../platform.ts';
import { revokeProxyCredentialsIn } from './credentials.ts';
import { isLive, type ProxyRecord } from './directory.ts';
import { replaceSessions } from './presence.ts';
import { lockProxy, removeProxy, selectProxies, setDrainWanted } from './rows.ts';

type Ground = Pick<Platform, 'db' | 'clock'>;

/** @throws Forbidden unless the caller is an operator */
export async function listProxies(platform: Ground, caller: Caller): Promise<ProxySummary[]> {
  requireOperator(caller);
  return proxiesOf(platform);
}

/** @throws Forbidden; NotFound */
export async function drainProxy(
  platform: Ground,
  caller: Caller,
  { params: { name } }: InputOf<'drainProxy'>,
): Promise<ProxySummary> {
  requireOperator(caller);
  return (await wantDrain(platform, actorOf(caller), name, true)).proxy;
}

/** @throws Forbidden; NotFound */
export async function undrainProxy(
  platform: Ground,
  caller: Caller,
  { params: { name } }: InputOf<'undrainProxy'>,
): Promise<ProxySummary> {
  requireOperator(caller);
  return (await wantDrain(platform, actorOf(caller), name, false)).proxy;
}

/** @throws Forbidden; NotFound; Unprocessable while the proxy is live */
export async function forgetProxy(
  platform: Ground,
  caller: Caller,
  { params: { name } }: InputOf<'forgetProxy'>,
): Promise<void> {
  requireOperator(caller);
  const forgotten = await forget(platform, actorOf(caller), name);
  if (!forgotten) throw new Unprocessable('The proxy is still heard of: end it first');
}

export async function proxiesOf({ db, clock }: Ground): Promise<ProxySummary[]> {
  return (await selectProxies(db)).map((proxy) => present(proxy, clock.now()));
}

/**
 * Drains a proxy, or undoes that. The proxy gets the instruction in the answer to its next announcement; no device
 * is assigned to it from now on.
 *
 * @throws NotFound
 */
export function wantDrain(
  platform: Ground,
  actor: Actor,
  name: string,
  wanted: boolean,
): Promise<{ proxy: ProxySummary; changed: boolean }> {
  return platform.db.transaction().execute(async (tx) => {
    const changed = await setDrainWanted(tx, name, wanted);
    const proxy = orNotFound(await lockProxy(tx, name));
    if (changed)
      await record(platform, tx, actor, wanted ? 'proxy.drain_wanted' : 'proxy.drain_unwanted', name);
    return { proxy: present(proxy, platform.clock.now()), changed };
  });
}

/** Deletes a proxy that is gone for good. @returns false while it is live @throws NotFound */
export function forget(platform: Ground, actor: Actor, name: string): Promise<boolean> {
  return platform.db.transaction().execute(async (tx) => {
    const proxy = orNotFound(await lockProxy(tx, name));
    if (isLive(proxy, platform.clock.now())) return false;
    await forgetIn(platform, tx, actor, proxy);
    return true;
  });
}

/**
 * Revokes every credential of a proxy and deletes it, live or not.
 *
 * @throws NotFound for one that has neither a credential nor ever announced itself
 */
export async function remove(platform: Ground, actor: Actor, name: string): Promise<void> {
  await platform.db.transaction().execute(async (tx) => {
    const proxy = await lockProxy(tx, name);
    // A proxy that never announced itself has credentials only.
    if (proxy === undefined || proxy.isTrusted) await revokeProxyCredentialsIn(platform, tx, actor, name);
    if (proxy !== undefined) await forgetIn(platform, tx, actor, proxy);
  });
}

async function forgetIn(
  platform: Ground,
  tx: Database,
  actor: Actor,
  { name, announcedAt }: ProxyRecord,
): Promise<void> {
  const gone = { proxyName: name, before: announcedAt, sessions: [], returning: false };
  await replaceSessions((work) => work(tx), gone);
  await removeProxy(tx, name);
  await record(platform, tx, actor, 'proxy.forgotten', name);
}

function record(
  { clock }: Ground,
  tx: Database,
  actor: Actor,
  action: AuditAction,
  name: string,
): Promise<void> {
  return recordAudit(tx, actor, new Date(clock.now()), { action, details: { name } });
}

function present(proxy: ProxyRecord, nowMs: number): ProxySummary {
  const isDraining = proxy.draining || proxy.drainWanted;
  return {
    name: proxy.name,
    region: proxy.region,
    region_domain: proxy.regionDomain,
    host: proxy.host,
    url: proxy.url,
    state: isLive(proxy, nowMs) ? (isDraining ? 'draining' : 'open') : 'gone',
    drain_wanted: proxy.drainWanted,
    sessions: proxy.sessionCount,
    capacity: proxy.capacity,
    announced_at: proxy.announcedAt.toISOString(),
  };
}
