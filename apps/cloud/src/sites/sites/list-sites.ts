import {
  type ListQuery,
  type LocalSite,
  MAX_LIMIT,
  MAX_SORTED_SITES,
  type SiteCounts,
  type SiteSummary,
} from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { visibleTo, withinOrganization } from '../../access/visible-sites.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { DevicePlatform } from '../../devices/platform.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { SiteListPlatform } from '../platform.ts';
import type { SiteCriteria } from './matching.ts';
import { NAME_KEY } from './order.ts';
import { listOrder } from './policy.ts';
import { type BriefSite, presentBrief, presentLocal } from './present.ts';
import { parseSiteQuery } from './query.ts';
import { countMatches, countStates, selectPage, selectSortedPage } from './rows.ts';
import { presentSummary, type SummaryRecord, selectSummaries } from './summary.ts';

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

/** A limit above the largest page is served as the largest page. */
export async function listSites(
  platform: SiteListPlatform,
  caller: Caller,
  { query }: InputOf<'listSites'>,
): Promise<SiteSummary[]> {
  const reader = withinOrganization(caller, query.organization_id);
  if (reader === undefined) return [];
  const page = { ...pageFrom(query), order: listOrder(caller) };
  const criteria = await criteriaOf(platform, query);
  const { sort, direction = 'ascending' } = query;
  const sites =
    sort === undefined
      ? await selectPage(platform.db, reader, criteria, page)
      : await selectSortedPage(platform.db, reader, criteria, page, { sort, direction });
  return sites.map((site) => presentSummary(site, sitePermissions(caller, site), criteria.proxies));
}

/** How many of the sites that match are in each state, and how many have open alerts. */
export async function countSites(
  platform: SiteListPlatform,
  caller: Caller,
  { query }: InputOf<'countSites'>,
): Promise<SiteCounts> {
  const reader = withinOrganization(caller, query.organization_id);
  if (reader === undefined) return NO_SITES;
  const criteria = await criteriaOf(platform, query);
  const { inState, withSeverity, total } = await countStates(
    platform.db,
    reader,
    criteria,
    listOrder(caller),
  );
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

/** The page of `listSites` with fewer fields, and the number of matches. */
export async function listBriefSites(
  platform: SiteListPlatform,
  caller: Caller,
  query: ListQuery,
): Promise<BriefList> {
  const page = { ...pageFrom(query), order: listOrder(caller) };
  const criteria = await criteriaOf(platform, query);
  const [sites, total] = await Promise.all([
    selectPage(platform.db, caller, criteria, page),
    countMatches(platform.db, caller, criteria, { ...page, offset: 0, limit: MAX_COUNTED }),
  ]);
  return { sites: sites.map((site) => presentBrief(site, criteria.proxies, caller.locale)), total };
}

/** Visible sites with devices on the caller's own network. */
export async function listLocalSites(
  { db, proxies }: DevicePlatform,
  caller: Caller,
  { query: { q } }: InputOf<'listLocalSites'>,
): Promise<LocalSite[]> {
  const uid = parseSiteQuery(q).filters.find(({ key }) => key === 'uid')?.value;
  const [found, directory] = await Promise.all([
    caller.network === null ? [] : sitesOnNetwork(db, caller, caller.network),
    proxies.directory(),
  ]);
  return found.map((site) => presentLocal(site, directory, site.deviceUid === uid));
}

async function criteriaOf(
  { proxies, wordFrequencies }: SiteListPlatform,
  { q }: ListQuery,
): Promise<SiteCriteria> {
  const { searchTerms, filters } = parseSiteQuery(q);
  const [directory, shares] = await Promise.all([proxies.directory(), wordFrequencies.sharesOf(searchTerms)]);
  return { searchTerms: shares, filters, proxies: directory };
}

/** @param network in CIDR notation */
function sitesOnNetwork(db: Database, caller: Caller, network: string): Promise<SummaryRecord[]> {
  return selectSummaries(db)
    .where(sql<boolean>`devices.public_ip <<= ${network}::inet`)
    .where(visibleTo(caller))
    .orderBy(NAME_KEY)
    .orderBy('sites.id')
    .limit(MAX_LIMIT)
    .execute();
}
