import type { SiteAuthorization, SiteNewestValues, SiteReachability } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { orNotFound, Unavailable } from '../../common/errors.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { SitePlatform } from '../platform.ts';
import {
  issueCredentials,
  issueReadOnlyCredentials,
  issueRecoveryCredentials,
  recordRead,
} from './credentials.ts';
import { RECOVERY_ROLE, requireGrantable } from './policy.ts';
import { presentAuthorization } from './present.ts';
import { type ProbeTarget, presentReachability } from './reachability.ts';
import { findRecord, type SiteRecord } from './records.ts';

/** Retry-After while no proxy was ever seen, in seconds. */
const NO_PROXY_RETRY_S = 5;

/** The address of a site's device, or what is known of it without one. */
export interface SiteRoute {
  /** Undefined for a site without device, and while no proxy was ever seen. */
  readonly target: ProbeTarget | undefined;
  readonly name: string | null;
  /** ISO 8601. */
  readonly lastSeenAt: string | null;
  /** The values that the cloud received last; null without the consent of the owner. */
  readonly newestValues: SiteNewestValues | null;
}

/** @throws NotFound; Forbidden for a role that is never granted; Unavailable while no proxy was ever seen */
export async function authorizeSite(
  platform: SitePlatform,
  caller: Caller,
  { site: { id }, query: { roles = '' } }: InputOf<'authorizeSite'>,
): Promise<SiteAuthorization> {
  const site = orNotFound(await findRecord(platform.db, caller, id));
  const requested = roles.split(',').map((role) => role.trim());
  requireGrantable(requested, caller);
  const proxies = await platform.proxies.directory();
  const proxy = proxies.proxyForSite(site);
  if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
  const isRecovery = requested.includes(RECOVERY_ROLE);
  const issue = isRecovery ? issueRecoveryCredentials : issueCredentials;
  return presentAuthorization(site, proxy.host, proxies, await issue(platform, caller, id));
}

/** Probes the site through its proxy. @throws NotFound */
export async function probeSite(
  platform: SitePlatform,
  caller: Caller,
  { site: { id } }: InputOf<'probeSite'>,
): Promise<SiteReachability> {
  const { db, prober, clock } = platform;
  const site = orNotFound(await findRecord(db, caller, id));
  if (site.deviceUid === null) return presentReachability('not_found', clock.now());
  return prober.probe(id, () => probeTarget(platform, caller, site));
}

/** For calls of the cloud on behalf of the caller, with a read-only token. @throws NotFound */
export async function routeToSite(platform: SitePlatform, caller: Caller, id: number): Promise<SiteRoute> {
  const site = orNotFound(await findRecord(platform.db, caller, id));
  const [target, proxies] = await Promise.all([
    site.deviceUid === null ? undefined : probeTarget(platform, caller, site),
    platform.proxies.directory(),
  ]);
  if (target !== undefined) await recordRead(platform, caller, site);
  return {
    target,
    name: site.name,
    lastSeenAt: proxies.lastSeen(site)?.toISOString() ?? null,
    newestValues: site.newestValues,
  };
}

async function probeTarget(
  platform: SitePlatform,
  caller: Caller,
  site: SiteRecord,
): Promise<ProbeTarget | undefined> {
  const proxy = (await platform.proxies.directory()).proxyForSite(site);
  if (proxy === undefined) return undefined;
  const issued = await issueReadOnlyCredentials(platform, caller, site);
  return { proxyUrl: `${new URL(proxy.url).protocol}//${proxy.host}`, siteId: site.id, ...issued };
}
