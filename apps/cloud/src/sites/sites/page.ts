import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { singleSiteOf } from '../../access/site-permissions.ts';
import { belongsTo, employs, visibleTo } from '../../access/visible-sites.ts';
import { firstAmongFew, firstAmongMany, type SiteCriteria } from './matching.ts';
import { type Keys, ORDERS, type OrderedPage } from './order.ts';
import type { Condition } from './search-keys.ts';

/**
 * The keys of a page of the sites that are visible to a caller and match, in the order of the list.
 *
 * The condition is that of `visibleTo`, as disjoint sets that indexes return in the order of the list: they are merged, not
 * sorted, as names are slow to compare. Each set is limited to the end of the page, so that the cost of a page depends on
 * its size and not on the number of sites.
 *
 * @param employers ids of the organizations that `employs` selects; read before, so that each is a constant of the plan
 */
export function pageOf(
  caller: Caller,
  employers: readonly number[],
  sites: SiteCriteria,
  page: OrderedPage,
): Keys {
  const { order, offset, limit } = page;
  const sets = setsOf(caller, employers, (scope, extent) =>
    extent === 'few' ? firstAmongFew(scope, sites, page) : firstAmongMany(scope, extent, sites, page),
  );
  const union = sql.join(
    sets.map((set) => sql`(${set})`),
    sql` union all `,
  );
  const by = ORDERS[order].byKey;
  return sql`(select id, key from (${union}) as keys order by ${by} offset ${offset} limit ${limit})`;
}

/** @param find returns the keys of the matches among the sites of a scope, given how many these can be */
function setsOf(
  caller: Caller,
  employers: readonly number[],
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
      find(
        sql`sites.id in (${shared}) and sites.organization_id is distinct from ${organizationId}::int`,
        'few',
      ),
    ];
  }
  const own = sql<SqlBool>`sites.id in (
    select owned.id from sites as owned where owned.owner_id = ${userId}
    union select site_id from site_members where user_id = ${userId}
    union select site_id from organization_sites join organization_members as employees using (organization_id)
      where ${employs(caller)})
    and not exists (select from organization_members as employees where ${employs(caller)}
      and employees.organization_id = sites.organization_id
      and employees.organization_id = any(${employers}::int[]))`;
  return [
    find(organizationId === null ? own : sql`${own} and ${belongsTo(sql`${organizationId}`)}`, 'few'),
    // A role that has ended since they were read gives nothing.
    ...employers.map((employer) =>
      find(
        sql`sites.organization_id = ${employer}::int and exists (select from organization_members as employees
          where ${employs(caller)} and employees.organization_id = ${employer}::int)`,
        'organization',
      ),
    ),
  ];
}
