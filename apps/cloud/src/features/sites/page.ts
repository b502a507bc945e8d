import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../tokens/policy.ts';
import { type Condition, conditionOf, isUnique, mentions } from './filters.ts';
import { belongsTo, employs, singleSiteOf } from './policy.ts';
import type { SiteFilter } from './query.ts';
import type { SplitWords } from './word-frequencies.ts';

export interface Page {
  readonly order: 'newest' | 'name';
  readonly offset: number;
  readonly limit: number;
}

export interface ListedSites {
  readonly words: SplitWords;
  readonly filters: readonly SiteFilter[];
  /** Names of the proxies that can hold a device now. */
  readonly liveProxies: readonly string[];
}

/** What a list is ordered by. */
type Keys = RawBuilder<{ id: number; key: string | null }>;

const ORDER = { newest: sql`id desc`, name: sql`key, id` } as const;

/** As the indexes spell it. */
const INDEXED = { newest: sql`sites.id desc`, name: sql`lower(sites.name), sites.id` } as const;

/** The same where walking along such an index would be a mistake. */
const UNINDEXED = { newest: sql`sites.id + 0 desc`, name: sql`lower(sites.name) || '', sites.id` } as const;

/**
 * From which share of all sites on a word is frequent: looking at sites one by one then finds a page of them sooner
 * than fetching all that have it. New sites lie side by side, sites in the order of their names do not.
 */
export const FREQUENT_SHARE = { newest: 0.003, name: 0.05 } as const;

/** How many sites are looked at one by one before the index is asked after all. */
const GLANCE = { newest: 20_000, name: 2_000 } as const;

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
  const { rare, frequent } = words;
  const filtered = filters.map((filter) => conditionOf(filter, liveProxies));
  const first = (
    conditions: readonly Condition[],
    by: typeof INDEXED | typeof UNINDEXED,
    from = sql`sites`,
  ): Keys =>
    sql`select sites.id, lower(sites.name) as key from ${from} left join devices on devices.site_id = sites.id
      where ${sql.join(conditions, sql` and `)} order by ${by[order]} limit ${count}`;

  if (rare.length > 0) {
    return first([scope, ...filtered, mentions(rare, 'index'), mentions(frequent, 'row')], UNINDEXED);
  }
  if (frequent.length === 0 || filters.some(isUnique)) {
    return first([scope, ...filtered, mentions(frequent, 'row')], INDEXED);
  }
  const nearby = sql`(select * from sites where ${scope} order by ${INDEXED[order]} limit ${GLANCE[order]}) as sites`;
  return sql`with near as materialized (${first([...filtered, mentions(frequent, 'row')], INDEXED, nearby)}),
    enough as (select count(*) >= ${count} as is from near)
    select id, key from near where (select is from enough)
    union all (${first([sql`not (select is from enough)`, scope, ...filtered, mentions(frequent, 'index')], UNINDEXED)})`;
}
