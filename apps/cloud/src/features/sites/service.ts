import {
  type AuthorizeSiteQuery,
  type ListQuery,
  type LocalSite,
  type LocalSitesQuery,
  MAX_ID,
  MAX_LIMIT,
  type Site,
  type SiteAuthorization,
  type SiteListQuery,
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
import { listOrder, requireGrantable } from './policy.ts';
import {
  type BriefSite,
  presentAuthorization,
  presentBrief,
  presentLocal,
  presentSite,
  presentSummary,
} from './present.ts';
import { parseSiteQuery } from './query.ts';
import { type ProbeTarget, presentReachability, type SiteProber } from './reachability.ts';
import type { SiteRecord } from './records.ts';
import type { SiteRepository } from './repository.ts';
import type { WordFrequencies } from './word-frequencies.ts';

/** When to come back while no proxy was ever seen, in seconds. */
const NO_PROXY_RETRY_S = 5;

/** Sites that are counted at most, where how many match is told beside a page of them. */
export const MAX_COUNTED = 1_000;

/** A page of sites in a few words for each. */
export interface BriefList {
  readonly sites: readonly BriefSite[];
  /** How many match, on every page; no more than `MAX_COUNTED` are counted. */
  readonly total: number;
}

/** The way to a site's device. */
export interface SiteRoute {
  /** Undefined for a site without device, and while no proxy was ever seen. */
  readonly target: ProbeTarget | undefined;
  readonly name: string | null;
  /** ISO 8601. */
  readonly lastSeenAt: string | null;
}

export interface SiteServiceOptions {
  readonly sites: SiteRepository;
  readonly words: WordFrequencies;
  readonly credentials: SiteCredentialIssuer;
  readonly prober: SiteProber;
  readonly proxies: ProxyService;
  readonly clock: Clock;
}

/** The sites that callers see, and their way to them. */
export class SiteService {
  readonly #options: SiteServiceOptions;

  constructor(options: SiteServiceOptions) {
    this.#options = options;
  }

  /** A page of the sites the caller sees; a limit above the largest page is served as the largest page. */
  async list(caller: Caller, query: SiteListQuery): Promise<SiteSummary[]> {
    const reader = withinOrganization(caller, query.organization_id);
    if (reader === undefined) return [];
    const page = { ...pageFrom(query), order: listOrder(caller) };
    const listed = await this.#listed(query);
    const sites = await this.#options.sites.list(reader, listed, page);
    return sites.map((site) => presentSummary(site, listed.proxies));
  }

  /** The same page in a few words for each site, and how many sites match at all. */
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

  /** Sites that the caller sees and whose devices are on the caller's own network. */
  async local(caller: Caller, { q }: LocalSitesQuery): Promise<LocalSite[]> {
    const { sites, proxies } = this.#options;
    const asked = parseSiteQuery(q).filters.find(({ key }) => key === 'uid');
    const uid = asked?.key === 'uid' ? asked.text : undefined;
    const [found, directory] = await Promise.all([
      caller.network === null ? [] : sites.onNetwork(caller, caller.network, MAX_LIMIT),
      proxies.directory(),
    ]);
    return found.map((site) => presentLocal(site, directory, site.deviceUid === uid));
  }

  /** @throws NotFound; Forbidden for a role that nobody is given; Unavailable while no proxy was ever seen */
  async authorize(
    caller: Caller,
    id: number,
    { roles = '' }: AuthorizeSiteQuery,
  ): Promise<SiteAuthorization> {
    const site = await this.requireVisible(caller, id);
    requireGrantable(roles.split(','));
    const proxies = await this.#options.proxies.directory();
    const proxy = proxies.proxyForSite(site);
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    const credentials = await this.#options.credentials.issue(caller, id);
    return presentAuthorization(site, proxy.host, proxies, credentials);
  }

  /** Whether the site answers now, as the cloud finds it. @throws NotFound */
  async reachability(caller: Caller, id: number): Promise<SiteReachability> {
    const site = await this.requireVisible(caller, id);
    const { prober, clock } = this.#options;
    if (site.deviceUid === null) return presentReachability('not_found', clock.now());
    return prober.probe(id, () => this.#probeTarget(caller, site));
  }

  /** How the cloud asks a site for something in the caller's name, with a token that only reads. @throws NotFound */
  async routeTo(caller: Caller, id: number): Promise<SiteRoute> {
    const site = await this.requireVisible(caller, id);
    const [target, proxies] = await Promise.all([
      site.deviceUid === null ? undefined : this.#probeTarget(caller, site),
      this.#options.proxies.directory(),
    ]);
    return {
      target,
      name: site.name,
      lastSeenAt: proxies.lastSeen(site)?.toISOString() ?? null,
    };
  }

  /** A site, if it exists for the caller. @throws NotFound */
  async requireVisible(caller: Caller, id: number): Promise<SiteRecord> {
    const site = id < 1 || id > MAX_ID ? undefined : await this.#options.sites.find(caller, id);
    if (site === undefined) throw new NotFound();
    return site;
  }

  async #listed({ q }: ListQuery): Promise<SiteCriteria> {
    const { words, filters } = parseSiteQuery(q);
    const [proxies, shares] = await Promise.all([
      this.#options.proxies.directory(),
      this.#options.words.sharesOf(words),
    ]);
    return { words: shares, filters, proxies };
  }

  async #probeTarget(caller: Caller, site: SiteRecord): Promise<ProbeTarget | undefined> {
    const { proxies, credentials } = this.#options;
    const proxy = (await proxies.directory()).proxyForSite(site);
    if (proxy === undefined) return undefined;
    const issued = await credentials.issueReadOnly(caller, site);
    return { proxyUrl: `${new URL(proxy.url).protocol}//${proxy.host}`, siteId: site.id, ...issued };
  }
}
