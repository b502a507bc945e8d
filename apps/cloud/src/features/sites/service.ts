import {
  type AuthorizeSiteQuery,
  type ListQuery,
  type LocalSite,
  type LocalSitesQuery,
  MAX_ID,
  MAX_LIMIT,
  MAX_SORTED_SITES,
  type Site,
  type SiteAuthorization,
  type SiteCounts,
  type SiteFilterQuery,
  type SiteListQuery,
  type SiteNewestValues,
  type SiteReachability,
  type SiteSummary,
} from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { withinOrganization } from '../../access/visible-sites.ts';
import { Unavailable } from '../../common/errors.ts';
import { pageFrom } from '../../db/page.ts';
import type { ProxyService } from '../proxies/service.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import type { SiteCriteria } from './matching.ts';
import { listOrder, RECOVERY_ROLE, requireGrantable } from './policy.ts';
import { type BriefSite, presentAuthorization, presentBrief, presentLocal, presentSite } from './present.ts';
import { parseSiteQuery } from './query.ts';
import { type ProbeTarget, presentReachability, type SiteProber } from './reachability.ts';
import type { SiteRecord } from './records.ts';
import type { SiteRepository } from './repository.ts';
import { presentSummary } from './summary.ts';
import type { WordFrequencies } from './word-frequencies.ts';

/** Retry-After while no proxy was ever seen, in seconds. */
const NO_PROXY_RETRY_S = 5;

const NO_SITES: SiteCounts = {
  ...{ hardware_silent: 0, offline: 0, never_seen: 0, online: 0, complete: true },
  alerts: { critical: 0, warning: 0, information: 0 },
};

/** Upper bound of `BriefList.total`. */
export const MAX_COUNTED = 1_000;

export interface BriefList {
  readonly sites: readonly BriefSite[];
  /** Matching sites on all pages, up to `MAX_COUNTED`. */
  readonly total: number;
}

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

export interface SiteServiceOptions {
  readonly sites: SiteRepository;
  readonly wordFrequencies: WordFrequencies;
  readonly credentials: SiteCredentialIssuer;
  readonly prober: SiteProber;
  readonly proxies: ProxyService;
  readonly clock: Clock;
}

/** The sites that are visible to callers, and access to their devices. */
export class SiteService {
  readonly #options: SiteServiceOptions;

  constructor(options: SiteServiceOptions) {
    this.#options = options;
  }

  /** A limit above the largest page is served as the largest page. */
  async list(caller: Caller, query: SiteListQuery): Promise<SiteSummary[]> {
    const reader = withinOrganization(caller, query.organization_id);
    if (reader === undefined) return [];
    const page = { ...pageFrom(query), order: listOrder(caller) };
    const listed = await this.#listed(query);
    const { sort, direction = 'ascending' } = query;
    const sites =
      sort === undefined
        ? await this.#options.sites.list(reader, listed, page)
        : await this.#options.sites.listSorted(reader, listed, page, { sort, direction });
    return sites.map((site) => presentSummary(site, sitePermissions(caller, site), listed.proxies));
  }

  /** How many of the sites that match are in each state, and how many have open alerts. */
  async counts(caller: Caller, query: SiteFilterQuery): Promise<SiteCounts> {
    const reader = withinOrganization(caller, query.organization_id);
    if (reader === undefined) return NO_SITES;
    const listed = await this.#listed(query);
    const { sites } = this.#options;
    const { inState, withSeverity, total } = await sites.counts(reader, listed, listOrder(caller));
    return {
      hardware_silent: inState('hardware_silent'),
      offline: inState('offline'),
      never_seen: inState('never_seen'),
      online: inState('online'),
      alerts: {
        critical: withSeverity('critical'),
        warning: withSeverity('warning'),
        information: withSeverity('information'),
      },
      complete: total <= MAX_SORTED_SITES,
    };
  }

  /** The same page with fewer fields, and the number of matches. */
  async listBrief(caller: Caller, query: ListQuery): Promise<BriefList> {
    const page = { ...pageFrom(query), order: listOrder(caller) };
    const listed = await this.#listed(query);
    const [sites, total] = await Promise.all([
      this.#options.sites.list(caller, listed, page),
      this.#options.sites.count(caller, listed, { ...page, offset: 0, limit: MAX_COUNTED }),
    ]);
    return { sites: sites.map((site) => presentBrief(site, listed.proxies)), total };
  }

  /** @throws NotFound when there is no such site, or none the caller sees */
  async show(caller: Caller, id: number): Promise<Site> {
    const site = await this.requireVisible(caller, id);
    const { sites, proxies } = this.#options;
    const [members, directory] = await Promise.all([sites.members(id), proxies.directory()]);
    return presentSite(site, members, sitePermissions(caller, site), directory);
  }

  /** Visible sites with devices on the caller's own network. */
  async local(caller: Caller, { q }: LocalSitesQuery): Promise<LocalSite[]> {
    const { sites, proxies } = this.#options;
    const uid = parseSiteQuery(q).filters.find(({ key }) => key === 'uid')?.value;
    const [found, directory] = await Promise.all([
      caller.network === null ? [] : sites.onNetwork(caller, caller.network, MAX_LIMIT),
      proxies.directory(),
    ]);
    return found.map((site) => presentLocal(site, directory, site.deviceUid === uid));
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

  /** @throws NotFound when there is no such site, or none that is visible to the caller */
  async requireVisible(caller: Caller, id: number): Promise<SiteRecord> {
    const site = id < 1 || id > MAX_ID ? undefined : await this.#options.sites.find(caller, id);
    if (site === undefined) throw new NotFound();
    return site;
  }

  async #listed({ q }: ListQuery): Promise<SiteCriteria> {
    const { searchTerms, filters } = parseSiteQuery(q);
    const [proxies, shares] = await Promise.all([
      this.#options.proxies.directory(),
      this.#options.wordFrequencies.sharesOf(searchTerms),
    ]);
    return { searchTerms: shares, filters, proxies };
  }

  async #probeTarget(caller: Caller, site: SiteRecord): Promise<ProbeTarget | undefined> {
    const { proxies, credentials } = this.#options;
    const proxy = (await proxies.directory()).proxyForSite(site);
    if (proxy === undefined) return undefined;
    const issued = await credentials.issueReadOnly(caller, site);
    return { proxyUrl: `${new URL(proxy.url).protocol}//${proxy.host}`, siteId: site.id, ...issued };
  }
}
