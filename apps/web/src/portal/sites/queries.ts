import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged.ts';
import { cloud } from '../session/cloud.ts';
import { headlineOf } from '../site/headline.ts';
import { deviceQuery, SITE_LISTS_KEY } from '../site/queries.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { queryOf, type SiteSearch } from './search.ts';

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
