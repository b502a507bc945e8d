import { type RawBuilder, sql } from 'kysely';
import type { ProxyDirectory } from '../proxies/service.ts';
import { type Condition, conditionOf, isUnique, matchesWords, needsDevice } from './filters.ts';
import { type Keys, ORDERS, type OrderedPage } from './order.ts';
import type { SiteFilter } from './query.ts';
import type { WordShare } from './word-frequencies.ts';

/** What sites must have. */
export interface SiteCriteria {
  readonly words: readonly WordShare[];
  readonly filters: readonly SiteFilter[];
  readonly proxies: ProxyDirectory;
}

/** Words that so many sites have are no help in finding some, if there is anything else to find them by. */
const COMMON_SHARE = 0.05;

/**
 * How many sites are looked at one by one before the index of words is asked. Where the words are likely to be found
 * soon, more: that ends early, and the index would first gather all that have them. In the list of all sites
 * neighbours lie side by side and are looked at quickly; those of one organization lie anywhere.
 */
const GLANCE = {
  all: { likelyShare: 0.003, likely: 20_000, else: 2_000 },
  organization: { likelyShare: 0.05, likely: 2_000, else: 500 },
} as const;

/** The first keys of what matches among few sites, which may all be looked at. */
export function firstAmongFew(
  scope: Condition,
  { words, filters, proxies }: SiteCriteria,
  page: OrderedPage,
): Keys {
  const filtered = filters.map((filter) => conditionOf(filter, proxies));
  return select([scope, ...filtered, matchesWords(words, 'row')], page, ORDERS[page.order].indexed);
}

/**
 * The first keys of what matches among many sites.
 *
 * The planner knows how much a filter finds, but guesses for words, and a wrong guess walks through every site. So
 * words are looked for in the first sites of the list; only if these do not fill the page, in the index.
 */
export function firstAmongMany(
  scope: Condition,
  extent: keyof typeof GLANCE,
  sites: SiteCriteria,
  page: OrderedPage,
): Keys {
  const { words, filters, proxies } = sites;
  if (words.length === 0 && extent === 'all' && filters.some(needsDevice)) return newestDevices(sites, page);
  if (words.length === 0 || filters.some(isUnique)) return firstAmongFew(scope, sites, page);
  const { key, byKey, indexed, unindexed } = ORDERS[page.order];
  const filtered = filters.map((filter) => conditionOf(filter, proxies));
  const size = glanceFor(words, extent);
  const near = sql`select sites.id, sites.key from
    (select sites.*, ${key} as key from sites where ${scope} order by ${indexed} limit ${size}) as sites
    left join devices on devices.site_id = sites.id
    where ${sql.join([...filtered, matchesWords(words, 'row')], sql` and `)}
    order by ${byKey} limit ${count(page)}`;
  const far = select(
    [sql`not (select done from glance)`, scope, ...filtered, ...byIndex(words, filters.length > 0)],
    page,
    unindexed,
  );
  return sql`with near as materialized (${near}), glance as (
      select count(*) >= ${count(page)}
        or (select count(*) from (select from sites where ${scope} limit ${size}) as seen) < ${size} as done
      from near)
    select id, key from near where (select done from glance) union all (${far})`;
}

/** The sites of devices: where no filter asks more of a site, only the index of a filter is read. */
function newestDevices({ filters, proxies }: SiteCriteria, page: OrderedPage): Keys {
  const filtered = filters.map((filter) => conditionOf(filter, proxies));
  return sql`select devices.site_id as id, null::text as key from devices
    left join sites on sites.id = devices.site_id
    where ${sql.join([sql`devices.site_id is not null`, ...filtered], sql` and `)}
    order by devices.site_id desc limit ${count(page)}`;
}

function select(conditions: readonly Condition[], page: OrderedPage, by: RawBuilder<unknown>): Keys {
  return sql`select sites.id, ${ORDERS[page.order].key} as key from sites
    left join devices on devices.site_id = sites.id
    where ${sql.join(conditions, sql` and `)} order by ${by} limit ${count(page)}`;
}

function count({ offset, limit }: OrderedPage): number {
  return offset + limit;
}

function glanceFor(words: readonly WordShare[], extent: keyof typeof GLANCE): number {
  const share = words.reduce((product, word) => product * word.share, 1);
  return share >= GLANCE[extent].likelyShare ? GLANCE[extent].likely : GLANCE[extent].else;
}

/** @param filtered whether filters find sites too */
function byIndex(words: readonly WordShare[], filtered: boolean): Condition[] {
  const telling = words.filter(({ share }) => share < COMMON_SHARE);
  if (telling.length === 0 && !filtered) return [matchesWords(words, 'index')];
  return [matchesWords(telling, 'index'), matchesWords(words, 'row')];
}
