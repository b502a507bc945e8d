import {
  ALERT_SEVERITIES,
  type AlertSeverity,
  MAX_SORTED_SITES,
  SITE_STATES,
  type SiteSort,
  type SiteState,
} from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { singleSiteOf } from '../../access/site-permissions.ts';
import { employs } from '../../access/visible-sites.ts';
import { worstOpenSeverity } from '../../alerting/alerts/open-alerts.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyDirectory } from '../../devices/proxies/service.ts';
import type { SiteCriteria } from './matching.ts';
import { NAME_KEY, ORDERS, type OrderedPage } from './order.ts';
import { pageOf } from './page.ts';
import { type ListedRecord, selectListed } from './records.ts';
import { stateOf } from './state.ts';

/** A page of the sites that match. */
export async function selectPage(
  db: Database,
  caller: Caller,
  query: SiteCriteria,
  page: OrderedPage,
): Promise<ListedRecord[]> {
  if (page.limit === 0) return [];
  const listed = selectListed(db, caller).innerJoin(
    pageOf(caller, await employersOf(db, caller), query, page).as('page'),
    'page.id',
    'sites.id',
  );
  const ordered =
    page.order === 'newest'
      ? listed.orderBy('page.id', 'desc')
      : listed.orderBy('page.key').orderBy('page.id');
  return ordered.execute();
}

/** A page of the sites that match in an order that is sorted for the request. */
export async function selectSortedPage(
  db: Database,
  caller: Caller,
  query: SiteCriteria,
  { order, offset, limit }: OrderedPage,
  { sort, direction }: ChosenOrder,
): Promise<ListedRecord[]> {
  if (limit === 0) return [];
  const first = pageOf(caller, await employersOf(db, caller), query, {
    order,
    offset: 0,
    limit: MAX_SORTED_SITES,
  });
  const way = direction === 'ascending' ? sql`asc` : sql`desc`;
  const keys = db
    .selectFrom(first.as('first'))
    .innerJoin('sites', 'sites.id', 'first.id')
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .select(['sites.id', NAME_KEY.as('name'), sortKeyOf(sort, query.proxies).as('chosen')])
    .orderBy(sql`chosen ${way} nulls last, name, sites.id`)
    .offset(offset)
    .limit(limit);
  return selectListed(db, caller)
    .innerJoin(keys.as('page'), 'page.id', 'sites.id')
    .orderBy(sql`page.chosen ${way} nulls last, page.name, page.id`)
    .execute();
}

/** Counts by state and by the severity of the worst open alert, of at most `MAX_SORTED_SITES` sites; the total is larger by one where there are more. */
export async function countStates(
  db: Database,
  caller: Caller,
  query: SiteCriteria,
  order: OrderedPage['order'],
) {
  const first = pageOf(caller, await employersOf(db, caller), query, {
    order,
    offset: 0,
    limit: MAX_SORTED_SITES + 1,
  });
  const numbered = sql<{
    id: number;
    nth: number;
  }>`(select id, row_number() over (order by ${ORDERS[order].byKey})::integer as nth from ${first} as first)`;
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .innerJoin('sites', 'sites.id', 'numbered.id')
    .leftJoin('devices', 'devices.site_id', 'sites.id')
    .select([
      stateOf(query.proxies).as('state'),
      worstOpenSeverity.as('severity'),
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`count(*) filter (where nth <= ${MAX_SORTED_SITES})::integer`.as('counted'),
    ])
    .groupBy(['state', 'severity'])
    .execute();
  const sumOf = (key: 'count' | 'counted', isMeant: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(isMeant).reduce((sum, row) => sum + row[key], 0);
  return {
    inState: (state: SiteState) => sumOf('counted', (row) => row.state === state),
    withSeverity: (severity: AlertSeverity) =>
      sumOf('counted', (row) => row.severity === ALERT_SEVERITIES.indexOf(severity) + 1),
    total: sumOf('count', () => true),
  };
}

/** @param page its limit bounds the count, and can exceed that of any page that is read */
export async function countMatches(
  db: Database,
  caller: Caller,
  query: SiteCriteria,
  page: OrderedPage,
): Promise<number> {
  const counted = sql<number>`count(*)::integer`.as('count');
  const keys = pageOf(caller, await employersOf(db, caller), query, page);
  const found = db.selectFrom(keys.as('page')).select(counted);
  return (await found.executeTakeFirstOrThrow()).count;
}

/** The organizations whose sites an account sees as an employee. */
async function employersOf(db: Database, caller: Caller): Promise<number[]> {
  if (caller.staff || singleSiteOf(caller) !== undefined) return [];
  const employments = db.selectFrom('organization_members as employees').select('organization_id');
  const rows = await employments.where(employs(caller)).execute();
  return rows.map(({ organization_id: id }) => id);
}

interface ChosenOrder {
  readonly sort: SiteSort;
  readonly direction: 'ascending' | 'descending';
}

/** The key that a list is sorted by, of `sites` left joined with `devices`. */
function sortKeyOf(sort: SiteSort, proxies: ProxyDirectory): RawBuilder<unknown> {
  switch (sort) {
    case 'attention':
      // Information is no reason for a visit.
      return sql`case ${worstOpenSeverity} when 3 then 0 when 2 then 10 else 20 end
        + array_position(${[...SITE_STATES]}::text[], ${stateOf(proxies)})`;
    case 'name':
      return NAME_KEY;
    case 'customer':
      return sql`coalesce(
        (select concat_ws(' ', first_name, last_name, email) collate natural_order
          from site_invitations where site_id = sites.id and user_id = sites.owner_id),
        (select concat_ws(' ', first_name, last_name, email) collate natural_order
          from users where id = sites.owner_id))`;
    case 'last_seen':
      return sql`coalesce((select announced_at from proxies
        where devices.online and proxies.name = devices.proxy_name), devices.last_seen_at)`;
  }
}
