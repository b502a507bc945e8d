import type { SiteSummary } from '@heliograph/client';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';
import { limitConcurrency } from '../bulk/limit-concurrency.ts';
import { headlineOf } from '../site/overview/headline.ts';
import { deviceQuery, SITE_LISTS_KEY } from '../site/queries.ts';
import { queryOf, type SiteSearch, searchParams } from './search.ts';

/** In milliseconds: the online state changes by itself, and live values faster. */
const LIST_REFRESH_MS = 60_000;
const HEADLINE_REFRESH_MS = 10_000;
const NEARBY_REFRESH_MS = 5_000;

export const sitesQuery = (search: SiteSearch) => ({
  ...pagedQuery([...SITE_LISTS_KEY, queryOf(search)], (page) =>
    cloud.listSites({ q: queryOf(search), ...page }),
  ),
  placeholderData: keepPreviousData,
  refetchInterval: LIST_REFRESH_MS,
});

/** Sites on a page of the table. */
export const TABLE_ROWS = 50;

export const siteTableQuery = (search: SiteSearch) =>
  queryOptions({
    queryKey: [...SITE_LISTS_KEY, 'table', searchParams(search, undefined).toString()],
    queryFn: () =>
      cloud.listSites({ ...tableRequest(search), limit: TABLE_ROWS, offset: (search.page - 1) * TABLE_ROWS }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_REFRESH_MS,
  });

/** Counts by state of the sites that a text finds. */
export const siteCountsQuery = (text: string) =>
  queryOptions({
    queryKey: [...SITE_LISTS_KEY, 'counts', text.trim()],
    queryFn: () => cloud.countSites({ q: text.trim() }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_REFRESH_MS,
  });

/** Sites that a map shows, those that need attention first. */
const MAP_SITES = 2_000;

export const siteMapQuery = (search: SiteSearch) =>
  queryOptions({
    queryKey: [...SITE_LISTS_KEY, 'map', queryOf(search)],
    queryFn: () => fetchSites({ ...search, sort: 'attention', isDescending: false }, MAP_SITES),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_REFRESH_MS,
  });

/** The API answers at most so many sites at once. */
const EXPORT_ROWS = 200;

/** All sites that match, in the order of the table. */
export function fetchAllSites(search: SiteSearch): Promise<SiteSummary[]> {
  return fetchSites(search, Number.POSITIVE_INFINITY);
}

async function fetchSites(search: SiteSearch, limit: number): Promise<SiteSummary[]> {
  const sites: SiteSummary[] = [];
  for (;;) {
    const page = await cloud.listSites({
      ...tableRequest(search),
      limit: EXPORT_ROWS,
      offset: sites.length,
    });
    sites.push(...page);
    if (page.length < EXPORT_ROWS || sites.length >= limit) return sites;
  }
}

function tableRequest(search: SiteSearch) {
  const direction = search.isDescending ? ('descending' as const) : ('ascending' as const);
  return { q: queryOf(search), sort: search.sort, direction };
}

/** A long list must not query every device at once. */
const limited = limitConcurrency(4);

/** The headline values of a device, polled while they are visible. */
export const headlineQuery = (queries: QueryClient, siteId: number) =>
  queryOptions({
    queryKey: ['headline', siteId],
    queryFn: ({ signal }) =>
      limited(async () => {
        signal.throwIfAborted();
        const device = await queries.ensureQueryData(deviceQuery(siteId));
        return headlineOf(await device.metrics({ topic: 'total/*', signal }));
      }),
    refetchInterval: HEADLINE_REFRESH_MS,
    retry: false,
  });

/** Sites whose devices are on the network that this browser is on. @param uid marks the one that has this device */
export const nearbyQuery = (uid: string | undefined) =>
  queryOptions({
    queryKey: ['nearby', uid],
    queryFn: () => cloud.listLocalSites({ q: uid === undefined ? undefined : `uid:${uid}` }),
    refetchInterval: NEARBY_REFRESH_MS,
  });

/** The site that has an address. @param host as the browser had it */
export const siteAtQuery = (host: string) =>
  queryOptions({
    queryKey: [...SITE_LISTS_KEY, 'at', host],
    queryFn: async () => {
      const [name = ''] = host.split('.');
      const sites = await cloud.listSites({ q: `name:${name}` });
      return sites.find(({ url }) => url !== null && new URL(url).host === host) ?? null;
    },
  });
