import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';

export const ALERTS_KEY = ['alerts'] as const;

/** How often open alerts are requested while they are shown, in milliseconds. */
const REFRESH_MS = 15_000;

const MAX_OPEN = 200;

/** @param siteId the one site whose alerts count; all that the reader sees when left out */
export function openAlertsQuery(siteId?: number) {
  const query = { open: '1', limit: MAX_OPEN } as const;
  return queryOptions({
    queryKey: [...ALERTS_KEY, siteId ?? 'all', 'open'],
    queryFn: () =>
      siteId === undefined ? cloud.listAlerts(query) : cloud.listSiteAlerts({ id: siteId, ...query }),
    refetchInterval: REFRESH_MS,
  });
}
