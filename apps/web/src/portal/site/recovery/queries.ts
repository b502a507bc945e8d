import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../../parts/paged.ts';
import { cloud } from '../../session/cloud.ts';

/** A request, and its end elsewhere, appear without a reload. */
const REFRESH_MS = 15_000;

/** The sessions of a site, the newest first: the open ones are on the first page. */
export const recoveryQuery = (id: number) => ({
  ...pagedQuery(['recovery', id], (page) => cloud.listSiteRecoverySessions({ id, ...page })),
  refetchInterval: REFRESH_MS,
});

export const recoveryEventsQuery = (id: number, sessionId: number) =>
  queryOptions({
    queryKey: ['recovery', id, sessionId, 'events'],
    queryFn: () => cloud.listRecoverySessionEvents({ id, session_id: sessionId, limit: 200 }),
  });
