import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../../session/cloud.ts';
import { pagedQuery } from '../../../ui/lists/paged.ts';

/** A request, and its end elsewhere, appear without a reload. */
const REFRESH_MS = 15_000;

/** Keys of all that shows a site's sessions: its own list, that of support, and tickets. */
export const shownSessions = (id: number) => [
  ['recovery', id],
  ['staff', 'recovery'],
  ['staff', 'ticket'],
  ['ticket'],
];

/** The sessions of a site, the newest first: the open ones are on the first page. */
export const recoveryQuery = (id: number) => ({
  ...pagedQuery(['recovery', id], (page) => cloud.listSiteRecoverySessions({ id, ...page })),
  refetchInterval: REFRESH_MS,
});

/** Whether a ticket is the reader's own. */
export const ownTicketQuery = (id: number) =>
  queryOptions({
    queryKey: ['recovery', 'own-ticket', id],
    queryFn: async () =>
      (await cloud.listOwnTickets({ q: `${id}`, limit: 200 })).some((one) => one.id === id),
  });

export const recoveryEventsQuery = (id: number, sessionId: number) =>
  queryOptions({
    queryKey: ['recovery', id, sessionId, 'events'],
    queryFn: () => cloud.listRecoverySessionEvents({ id, session_id: sessionId, limit: 200 }),
  });
