import { type RawBuilder, sql } from 'kysely';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import { type Keys, ORDERS, type OrderedPage } from './order.ts';
import type { Condition, SiteFilter } from './search-keys.ts';
import type { WordShare } from './word-frequencies.ts';

/** Conditions on the sites of a list. */
export interface SiteCriteria {
  readonly searchTerms: readonly WordShare[];
  readonly filters: readonly SiteFilter[];
  readonly proxies: ProxyDirectory;
}

/** Terms that a larger share of sites matches are not looked up in the index, if there are other conditions. */
const COMMON_SHARE = 0.05;

/**
 * Rows that are scanned before the index of words is used. More where the terms are likely to match soon: the scan
 * then ends early, whereas the index first collects all matches. Neighbours in the list of all sites are adjacent on
 * disk and scanned quickly; those of one organization are scattered.
 */
const SCAN_ROWS = {
  all: { likelyShare: 0.003, likely: 20_000, else: 2_000 },
  organization: { likelyShare: 0.05, likely: 2_000, else: 500 },
} as const;

/** The first keys of the matches among few sites, which can all be scanned. */
export function firstAmongFew(
  scope: Condition,
  { searchTerms, filters, proxies }: SiteCriteria,
  page: OrderedPage,
): Keys {
  const filtered = filters.map((filter) => filter.condition(proxies));
  return select([scope, ...filtered, matchesTerms(searchTerms, 'row')], page, ORDERS[page.order].indexed);
}

/**
 * The first keys of the matches among many sites.
 *
 * The planner has statistics for filters but a fixed estimate for terms, and a wrong estimate scans every site. So
 * terms are searched in the first rows of the list, and in the index only if these do not fill the page.
 */
export function firstAmongMany(
  scope: Condition,
  extent: keyof typeof SCAN_ROWS,
  sites: SiteCriteria,
  page: OrderedPage,
): Keys {
  const { searchTerms, filters, proxies } = sites;
  if (searchTerms.length === 0 && extent === 'all') {
    const [filter, second] = filters;
    // Joined with devices, the planner could pass all newer ones to find the sites of an old model.
    const newest = second === undefined ? filter?.newest?.(count(page)) : undefined;
    if (newest !== undefined) return newest;
    if (filters.some(({ needsDevice }) => needsDevice)) return newestDevices(sites, page);
  }
  if (searchTerms.length === 0 || filters.some(({ isUnique }) => isUnique))
    return firstAmongFew(scope, sites, page);
  const { key, byKey, indexed, unindexed } = ORDERS[page.order];
  const filtered = filters.map((filter) => filter.condition(proxies));
  const size = scanRows(searchTerms, extent);
  const scanned = sql`select sites.id, sites.key from
    (select sites.*, ${key} as key from sites where ${scope} order by ${indexed} limit ${size}) as sites
    left join devices on devices.site_id = sites.id
    where ${sql.join([...filtered, matchesTerms(searchTerms, 'row')], sql` and `)}
    order by ${byKey} limit ${count(page)}`;
  const fromIndex = select(
    [sql`not (select done from scan)`, scope, ...filtered, ...byIndex(searchTerms, filters.length > 0)],
    page,
    unindexed,
  );
  return sql`with scanned as materialized (${scanned}), scan as (
      select count(*) >= ${count(page)}
        or (select count(*) from (select from sites where ${scope} limit ${size}) as seen) < ${size} as done
      from scanned)
    select id, key from scanned where (select done from scan) union all (${fromIndex})`;
}

/** The sites of devices that match; only indexes of devices are read where no filter is about the site itself. */
function newestDevices({ filters, proxies }: SiteCriteria, page: OrderedPage): Keys {
  const filtered = filters.map((filter) => filter.condition(proxies));
  return sql`select devices.site_id as id, null::text as key from devices
    left join sites on sites.id = devices.site_id
    where ${sql.join([sql`devices.site_id is not null`, ...filtered], sql` and `)}
    order by devices.site_id desc limit ${count(page)}`;
}

/**
 * A site matches when each term is a prefix of one of its words, in any order.
 *
 * @param by `index` searches through the index of words, `row` tests each row
 */
function matchesTerms(searchTerms: readonly { readonly word: string }[], by: 'index' | 'row'): Condition {
  if (searchTerms.length === 0) return sql`true`;
  const query = sql`search_query(${searchTerms.map(({ word }) => word).join(' ')})`;
  // The function behind @@, which uses no index.
  return by === 'index' ? sql`sites.search @@ ${query}` : sql`ts_match_vq(sites.search, ${query})`;
}

function select(conditions: readonly Condition[], page: OrderedPage, by: RawBuilder<unknown>): Keys {
  return sql`select sites.id, ${ORDERS[page.order].key} as key from sites
    left join devices on devices.site_id = sites.id
    where ${sql.join(conditions, sql` and `)} order by ${by} limit ${count(page)}`;
}

function count({ offset, limit }: OrderedPage): number {
  return offset + limit;
}

function scanRows(searchTerms: readonly WordShare[], extent: keyof typeof SCAN_ROWS): number {
  const share = searchTerms.reduce((product, word) => product * word.share, 1);
  const rows = SCAN_ROWS[extent];
  return share >= rows.likelyShare ? rows.likely : rows.else;
}

/** @param filtered whether there are filters besides the terms */
function byIndex(searchTerms: readonly WordShare[], filtered: boolean): Condition[] {
  const selective = searchTerms.filter(({ share }) => share < COMMON_SHARE);
  if (selective.length === 0 && !filtered) return [matchesTerms(searchTerms, 'index')];
  return [matchesTerms(selective, 'index'), matchesTerms(searchTerms, 'row')];
}
