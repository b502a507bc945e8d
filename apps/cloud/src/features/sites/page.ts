import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../tokens/policy.ts';
import { type Condition, conditionsOf } from './filters.ts';
import { belongsTo, employs, singleSiteOf } from './policy.ts';
import type { SiteQuery } from './query.ts';

export interface Page {
  readonly order: 'newest' | 'name';
  readonly offset: number;
  readonly limit: number;
}

export interface ListedSites extends SiteQuery {
  /** Names of the proxies that can hold a device now. */
  readonly liveProxies: readonly string[];
}

/** What a list is ordered by. */
type Keys = RawBuilder<{ id: number; key: string | null }>;

const ORDER = { newest: sql`id desc`, name: sql`key, id` } as const;

/** As the indexes spell it. */
const INDEXED_ORDER = { newest: sql`sites.id desc`, name: sql`lower(sites.name), sites.id` } as const;

/**
 * The keys of a page of the sites that a caller sees and that match, in no order.
 *
 * It says what `visibleTo` says, as a union of sets that indexes give in the order of the list. Each set ends where
 * the page would end if it were the only one, so that a page costs what it holds and not what the caller sees.
 */
export function pageOf(caller: Caller, query: ListedSites, page: Page): Keys {
  const { order, offset, limit } = page;
  const conditions = conditionsOf(query, query.liveProxies);
  const single = singleSiteOf(caller);
  if (single !== undefined) conditions.push(sql`sites.id = ${single}`);
  const sets = setsOf(caller, (seen) => {
    return sql`select sites.id, lower(sites.name) as key from sites
      left join devices on devices.site_id = sites.id
      where ${sql.join([seen, ...conditions], sql` and `)}
      order by ${INDEXED_ORDER[order]} limit ${offset + limit}`;
  });
  const union = sql.join(
    sets.map((set) => sql`(${set})`),
    sql` union `,
  );
  return sql`(select id, key from (${union}) as keys order by ${ORDER[order]} offset ${offset} limit ${limit})`;
}

/** @param matching the keys of what matches among the sites with a condition */
function setsOf(caller: Caller, matching: (seen: Condition) => Keys): Keys[] {
  const { userId, organizationId, staff } = caller;
  if (staff && organizationId === null) return [matching(sql`true`)];
  if (staff) {
    return [
      matching(sql`sites.organization_id = ${organizationId}`),
      matching(
        sql`sites.id in (select site_id from organization_sites where organization_id = ${organizationId})`,
      ),
    ];
  }
  const few = sql<SqlBool>`sites.id in (
    select owned.id from sites as owned where owned.owner_id = ${userId}
    union select site_id from site_members where user_id = ${userId}
    union select site_id from organization_sites join organization_members as employees using (organization_id)
      where ${employs(caller)})`;
  const ofEmployers: Keys = sql`select own.id, own.key from organization_members as employees
    cross join lateral (${matching(sql`sites.organization_id = employees.organization_id`)}) as own
    where ${employs(caller)}`;
  return [
    matching(organizationId === null ? few : sql`${few} and ${belongsTo(sql`${organizationId}`)}`),
    ofEmployers,
  ];
}
