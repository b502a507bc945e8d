import {
  type ListQuery,
  type LocalSite,
  type LocalSitesQuery,
  MAX_ID,
  MAX_LIMIT,
  MAX_SORTED_SITES,
  type Site,
  type SiteCounts,
  type SiteFilterQuery,
  type SiteListQuery,
  type SiteSummary,
} from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { withinOrganization } from '../../access/visible-sites.ts';
import { pageFrom } from '../../db/page.ts';
import type { ProxyService } from '../../devices/proxies/service.ts';
import type { SiteCriteria } from './matching.ts';
import { listOrder } from './policy.ts';
import { type BriefSite, presentBrief, presentLocal, presentSite } from './present.ts';
import { parseSiteQuery } from './query.ts';
import type { SiteRecord } from './records.ts';
import type { SiteRepository } from './repository.ts';
import { presentSummary } from './summary.ts';
import type { WordFrequencies } from './word-frequencies.ts';

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

export interface SiteReaderOptions {
  readonly sites: SiteRepository;
  readonly wordFrequencies: WordFrequencies;
  readonly proxies: ProxyService;
  readonly clock: Clock;
}

/** The sites that are visible to callers. */
export class SiteReader {
  readonly #options: SiteReaderOptions;

  constructor(options: SiteReaderOptions) {
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
    return { sites: sites.map((site) => presentBrief(site, listed.proxies, caller.locale)), total };
  }

  /** @throws NotFound when there is no such site, or none the caller sees */
  async show(caller: Caller, id: number): Promise<Site> {
    const site = await this.requireVisible(caller, id);
    const { sites, proxies } = this.#options;
    const [members, transfer, directory] = await Promise.all([
      sites.members(id),
      sites.transfer(id),
      proxies.directory(),
    ]);
    return presentSite(site, members, sitePermissions(caller, site), directory, transfer, caller.userId);
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
}
