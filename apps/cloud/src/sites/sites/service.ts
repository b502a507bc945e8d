import type {
  AuthorizeSiteQuery,
  SiteAuthorization,
  SiteNewestValues,
  SiteReachability,
} from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { Unavailable } from '../../common/errors.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import { RECOVERY_ROLE, requireGrantable } from './policy.ts';
import { presentAuthorization } from './present.ts';
import { type ProbeTarget, presentReachability, type SiteProber } from './reachability.ts';
import { SiteReader, type SiteReaderOptions } from './reader.ts';
import type { SiteRecord } from './records.ts';

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

export interface SiteServiceOptions extends SiteReaderOptions {
  readonly credentials: SiteCredentialIssuer;
  readonly prober: SiteProber;
}

/** The sites that are visible to callers, and access to their devices. */
export class SiteService extends SiteReader {
  readonly #options: SiteServiceOptions;

  constructor(options: SiteServiceOptions) {
    super(options);
    this.#options = options;
  }

  /** @throws NotFound; Forbidden for a role that is never granted; Unavailable while no proxy was ever seen */
  async authorize(
    caller: Caller,
    id: number,
    { roles = '' }: AuthorizeSiteQuery,
  ): Promise<SiteAuthorization> {
    const site = await this.requireVisible(caller, id);
    const requested = roles.split(',').map((role) => role.trim());
    requireGrantable(requested, caller);
    const proxies = await this.#options.proxies.directory();
    const proxy = proxies.proxyForSite(site);
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    const { credentials: issuer } = this.#options;
    const isRecovery = requested.includes(RECOVERY_ROLE);
    const credentials = await (isRecovery ? issuer.issueRecovery(caller, id) : issuer.issue(caller, id));
    return presentAuthorization(site, proxy.host, proxies, credentials);
  }

  /** Probes the site through its proxy. @throws NotFound */
  async reachability(caller: Caller, id: number): Promise<SiteReachability> {
    const site = await this.requireVisible(caller, id);
    const { prober, clock } = this.#options;
    if (site.deviceUid === null) return presentReachability('not_found', clock.now());
    return prober.probe(id, () => this.#probeTarget(caller, site));
  }

  /** For calls of the cloud on behalf of the caller, with a read-only token. @throws NotFound */
  async routeTo(caller: Caller, id: number): Promise<SiteRoute> {
    const site = await this.requireVisible(caller, id);
    const [target, proxies] = await Promise.all([
      site.deviceUid === null ? undefined : this.#probeTarget(caller, site),
      this.#options.proxies.directory(),
    ]);
    if (target !== undefined) await this.#options.credentials.recordRead(caller, site);
    return {
      target,
      name: site.name,
      lastSeenAt: proxies.lastSeen(site)?.toISOString() ?? null,
      newestValues: site.newestValues,
    };
  }

  async #probeTarget(caller: Caller, site: SiteRecord): Promise<ProbeTarget | undefined> {
    const { proxies, credentials } = this.#options;
    const proxy = (await proxies.directory()).proxyForSite(site);
    if (proxy === undefined) return undefined;
    const issued = await credentials.issueReadOnly(caller, site);
    return { proxyUrl: `${new URL(proxy.url).protocol}//${proxy.host}`, siteId: site.id, ...issued };
  }
}
