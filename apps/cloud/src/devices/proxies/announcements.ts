import type { ProxyAnnounceAnswer, ProxyAnnounceBody, ProxyChangeBody } from '@heliograph/contracts';
import { BadRequest } from '@heliograph/kit';
import { regionDomainOf } from '@heliograph/wire';
import { Conflict } from '../../common/errors.ts';
import type { ProxyPlatform } from '../platform.ts';
import { isLive } from './directory.ts';
import { type AnnouncementTransaction, changeSessions, replaceSessions } from './presence.ts';
import { advanceAnnouncement, lockRun, saveAnnouncement } from './rows.ts';

/** Capacity in devices of a proxy that announces none: as many as fit into a GiB of memory. */
const DEFAULT_CAPACITY = 40_000;

/** The part of the answer about the proxy and its devices. */
export type Instructions = Pick<ProxyAnnounceAnswer, 'revoked' | 'drain' | 'others'>;

// Each transaction of an announcement first locks the proxy's row, so that those of one proxy are serialized across the
// processes of the cloud.

/**
 * Stores a full announcement. A proxy holds many devices, so it takes several transactions.
 *
 * @throws BadRequest for invalid addresses; Conflict when a newer full announcement of the proxy overtook this one
 */
export async function announceProxy(
  platform: ProxyPlatform,
  name: string,
  body: ProxyAnnounceBody,
): Promise<Instructions> {
  requireAddresses(body);
  const { db, proxies, connectSources } = platform;
  const { host, url, region, sessions } = body;
  const state = {
    name,
    region,
    regionDomain: body.region_domain === undefined ? (regionDomainOf(host) ?? null) : body.region_domain,
    host,
    url,
    capacity: body.capacity ?? DEFAULT_CAPACITY,
    draining: body.draining ?? false,
    sessionCount: sessions.length,
    announcedAt: new Date(platform.clock.now()),
    run: body.run ?? null,
    sequence: body.sequence ?? null,
  };
  const { proxy, before } = await db.transaction().execute((tx) => saveAnnouncement(tx, state));
  proxies.update(proxy);
  connectSources.update(proxy);
  const step: AnnouncementTransaction = (work) =>
    db.transaction().execute(async (tx) => {
      if ((await lockRun(tx, name)) !== state.run) throw new Conflict('Another announcement came');
      return work(tx);
    });
  // After a silence, in which they were offline, devices that are not listed were last seen before it.
  const wasLive = isLive({ announcedAt: before, isTrusted: proxy.isTrusted }, state.announcedAt.getTime());
  const returning = body.returning === true && wasLive;
  const revoked = await replaceSessions(step, { proxyName: name, before, sessions, returning });
  return { revoked, drain: proxy.drainWanted, others: await hasOthers(platform, name) };
}

/**
 * Stores an announcement of the changes since the one before.
 *
 * @throws Conflict when the cloud has not stored the one before: the proxy then announces everything
 */
export async function announceProxyChanges(
  platform: ProxyPlatform,
  name: string,
  body: ProxyChangeBody,
): Promise<Instructions> {
  const { db, proxies } = platform;
  const { run, sequence, draining, added, removed } = body;
  const sessionDelta = added.length - removed.length;
  const step = { run, sequence, draining, sessionDelta, announcedAt: new Date(platform.clock.now()) };
  const { proxy, revoked } = await db.transaction().execute(async (tx) => {
    const announced = await advanceAnnouncement(tx, name, step);
    if (announced === undefined) throw new Conflict('Announce everything: this does not follow');
    const { proxy, before } = announced;
    return {
      proxy,
      revoked: await changeSessions(tx, { proxyName: name, before, added, removed }),
    };
  });
  proxies.update(proxy);
  return { revoked, drain: proxy.drainWanted, others: await hasOthers(platform, name) };
}

async function hasOthers({ proxies }: ProxyPlatform, name: string): Promise<boolean> {
  return (await proxies.directory()).hasOpenBesides(name);
}

function requireAddresses({ host, url, region_domain: domain = null }: ProxyAnnounceBody): void {
  if (!isHost(host)) throw new BadRequest('host must be a host name or address, with a port at most');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new BadRequest('url must be an http or https URL');
  }
  if (domain !== null && !DOMAIN.test(domain)) {
    throw new BadRequest('region_domain must be a domain name, without a port');
  }
}

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

function isHost(text: string): boolean {
  return URL.canParse(`http://${text}`) && /^[^\s/?#@\\]+$/.test(text);
}
