import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../tokens/policy.ts';
import { type Condition, conditionOf, isUnique, mentions } from './filters.ts';
import { belongsTo, employs, singleSiteOf } from './policy.ts';
import type { SiteFilter } from './query.ts';
import type { WordShare } from './word-frequencies.ts';

export interface Page {
  readonly order: 'newest' | 'name';
  readonly offset: number;
  readonly limit: number;
}

export interface ListedSites {
  readonly words: readonly WordShare[];
  readonly filters: readonly SiteFilter[];
  /** Names of the proxies that can hold a device now. */
  readonly liveProxies: readonly string[];
}

/** What a list is ordered by. */
type Keys = RawBuilder<{ id: number; key: string | null }>;

const ORDER = { newest: sql`id desc`, name: sql`key, id` } as const;

/** What the id alone does not order by; nothing is read that is not needed. */
const KEY = { newest: sql`null::text`, name: sql`lower(sites.name)` } as const;

/** The order as the indexes spell it. */
const INDEXED = { newest: sql`sites.id desc`, name: sql`lower(sites.name), sites.id` } as const;

/** The same where walking along such an index would be a mistake. */
const UNINDEXED = { newest: sql`sites.id + 0 desc`, name: sql`lower(sites.name) || '', sites.id` } as const;

/** Words that so many sites have are no help in finding some, if there is anything else to find them by. */
const COMMON_SHARE = 0.05;

/**
 * How many sites are looked at one by one before the index of words is asked. Where the words are likely to be found
 * soon, longer: that ends early and the index would first gather all that have them. New sites lie side by side and
 * are looked at quickly, sites in the order of their names do not.
 */
const GLANCE = {
  newest: { likelyShare: 0.003, likely: 20_000, else: 2_000 },
  name: { likelyShare: 0.05, likely: 2_000, else: 200 },
} as const;

/**
 * The keys of a page of the sites that a caller sees and that match, in no order.
 *
 * It says what `visibleTo` says, as a union of sets that indexes give in the order of the list. Each set ends where
 * the page would end if it were the only one, so that a page costs what it holds and not what the caller sees.
 */
export function pageOf(caller: Caller, sites: ListedSites, page: Page): Keys {
  const { order, offset, limit } = page;
  const union = sql.join(
    setsOf(caller, (scope) => sql`(${matching(scope, sites, page)})`),
    sql` union `,
  );
  return sql`(select id, key from (${union}) as keys order by ${ORDER[order]} offset ${offset} limit ${limit})`;
}

/** @param find the keys of what matches among the sites with a condition */
function setsOf(caller: Caller, find: (scope: Condition) => Keys): Keys[] {
  const { userId, organizationId, staff } = caller;
  const single = singleSiteOf(caller);
  const within = (scope: Condition) =>
    find(single === undefined ? scope : sql`${scope} and sites.id = ${single}`);
  if (staff && organizationId === null) return [within(sql`true`)];
  if (staff) {
    return [
      within(sql`sites.organization_id = ${organizationId}`),
      within(
        sql`sites.id in (select site_id from organization_sites where organization_id = ${organizationId})`,
      ),
    ];
  }
  const few = sql<SqlBool>`sites.id in (
    select owned.id from sites as owned where owned.owner_id = ${userId}
    union select site_id from site_members where user_id = ${userId}
    union select site_id from organization_sites join organization_members as employees using (organization_id)
      where ${employs(caller)})`;
  return [
    within(organizationId === null ? few : sql`${few} and ${belongsTo(sql`${organizationId}`)}`),
    sql`(select own.id, own.key from organization_members as employees
      cross join lateral ${within(sql`sites.organization_id = employees.organization_id`)} as own
      where ${employs(caller)})`,
  ];
}

/** The first keys of what matches within a scope: as many as the page could need. */
function matching(scope: Condition, { words, filters, liveProxies }: ListedSites, page: Page): Keys {
  const { order, offset, limit } = page;
  const count = offset + limit;
  const filtered = filters.map((filter) => conditionOf(filter, liveProxies));
  const first = (conditions: readonly Condition[], by: RawBuilder<unknown>, from = sql`sites`): Keys =>
    sql`select sites.id, ${KEY[order]} as key from ${from} left join devices on devices.site_id = sites.id
      where ${sql.join(conditions, sql` and `)} order by ${by} limit ${count}`;

  const byRow = mentions(words, 'row');
  if (words.length === 0 || filters.some(isUnique)) return first([scope, ...filtered, byRow], INDEXED[order]);
  const glance = sql`(select * from sites where ${scope} order by ${INDEXED[order]} limit ${glanceFor(words, order)}) as sites`;
  const near = first([...filtered, byRow], INDEXED[order], glance);
  const far = first(
    [sql`not (select filled from glance)`, scope, ...filtered, ...byIndex(words, filters.length > 0)],
    UNINDEXED[order],
  );
  return sql`with near as materialized (${near}), glance as (select count(*) >= ${count} as filled from near)
    select id, key from near where (select filled from glance) union all (${far})`;
}

function glanceFor(words: readonly WordShare[], order: Page['order']): number {
  const share = words.reduce((product, word) => product * word.share, 1);
  return share >= GLANCE[order].likelyShare ? GLANCE[order].likely : GLANCE[order].else;
}

/** @param filtered whether filters find sites too */
function byIndex(words: readonly WordShare[], filtered: boolean): Condition[] {
  const telling = words.filter(({ share }) => share < COMMON_SHARE);
  if (telling.length === 0 && !filtered) return [mentions(words, 'index')];
  return [mentions(telling, 'index'), mentions(words, 'row')];
}
