import type { DeviceClient } from '@heliograph/client';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';

/** How long a client for a device is kept that no page shows, in milliseconds. */
const CLIENT_CACHE_MS = 5 * 60_000;

/** The prefix of the keys of all lists of sites. */
export const SITE_LISTS_KEY = ['sites'] as const;

export const siteQuery = (id: number) =>
  queryOptions({ queryKey: ['site', id], queryFn: () => cloud.getSite({ id }) });

/**
 * The client of a site's device. It stays the same while the site is open, since another one would open another
 * connection; it renews its token by itself.
 */
export const deviceQuery = (id: number) =>
  queryOptions({
    queryKey: ['device', id],
    queryFn: () => cloud.device(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CLIENT_CACHE_MS,
    structuralSharing: false,
  });

export const siteDelegationsQuery = (id: number) =>
  queryOptions({ queryKey: ['site', id, 'delegations'], queryFn: () => cloud.listSiteDelegations({ id }) });

/** The device's own facts. @param device undefined while the device is unreachable, which disables the query */
export const aboutQuery = (id: number, device: DeviceClient | undefined) =>
  queryOptions({
    queryKey: ['about', id],
    queryFn: device === undefined ? skipToken : ({ signal }) => device.about({ signal }),
  });
