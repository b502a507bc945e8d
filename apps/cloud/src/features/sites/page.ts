import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { singleSiteOf } from '../../access/site-permissions.ts';
import { belongsTo, employs, visibleTo } from '../../access/visible-sites.ts';
import type { Condition } from './filters.ts';
import { firstAmongFew, firstAmongMany, type SiteCriteria } from './matching.ts';
import { type Keys, ORDERS, type OrderedPage } from './order.ts';

/**
 * The keys of a page of the sites that a caller sees and that match, in no order.
 *
 * It says what `visibleTo` says, as a union of sets that indexes give in the order of the list. Each set ends where
 * the page would end if it were the only one, so that a page costs what it holds and not what the caller sees.
 */
export function pageOf(caller: Caller, sites: SiteCriteria, page: OrderedPage): Keys {
  const { order, offset, limit } = page;
  const sets = setsOf(caller, (scope, extent) =>
    extent === 'few' ? firstAmongFew(scope, sites, page) : firstAmongMany(scope, extent, sites, page),
  );
  const union = sql.join(
    sets.map((set) => sql`(${set})`),
    sql` union `,
  );
  const by = ORDERS[order].byKey;
  return sql`(select id, key from (${union}) as keys order by ${by} offset ${offset} limit ${limit})`;
}

/** @param find the keys of what matches among the sites with a condition, and how many these may be */
function setsOf(
  caller: Caller,
  find: (scope: Condition, extent: 'few' | 'organization' | 'all') => Keys,
): Keys[] {
  const { userId, organizationId, staff } = caller;
  const single = singleSiteOf(caller);
  if (single !== undefined) return [find(sql`sites.id = ${single} and ${visibleTo(caller)}`, 'few')];
  if (staff && organizationId === null) return [find(sql`true`, 'all')];
  if (staff) {
    const shared = sql`select site_id from organization_sites where organization_id = ${organizationId}`;
    return [
      find(sql`sites.organization_id = ${organizationId}`, 'organization'),
      find(sql`sites.id in (${shared})`, 'few'),
    ];
  }
  const own = sql<SqlBool>`sites.id in (
    select owned.id from sites as owned where owned.owner_id = ${userId}
    union select site_id from site_members where user_id = ${userId}
    union select site_id from organization_sites join organization_members as employees using (organization_id)
      where ${employs(caller)})`;
  // An organization that is known by its id is one whose size the planner knows.
  const employer = organizationId === null ? sql`employees.organization_id` : sql`${organizationId}::int`;
  return [
    find(organizationId === null ? own : sql`${own} and ${belongsTo(sql`${organizationId}`)}`, 'few'),
    sql`select employers.id, employers.key from organization_members as employees
      cross join lateral (${find(sql`sites.organization_id = ${employer}`, 'organization')}) as employers
      where ${employs(caller)}`,
  ];
}
