import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../session/cloud.ts';
import { pagedQuery } from '../ui/lists/paged.ts';

export const ticketsQuery = pagedQuery(['tickets'], (page) => cloud.listOwnTickets(page));

/** An open conversation shows new answers without a reload. */
const REFRESH_MS = 30_000;

export const ticketQuery = (id: number) =>
  queryOptions({
    queryKey: ['ticket', id],
    queryFn: () => cloud.getOwnTicket({ id }),
    refetchInterval: REFRESH_MS,
  });

/** Sites that a request can be about: as many as one page of the list has. */
export const ticketSitesQuery = queryOptions({
  queryKey: ['tickets', 'sites'],
  queryFn: () => cloud.listSites({ limit: 200 }),
});
