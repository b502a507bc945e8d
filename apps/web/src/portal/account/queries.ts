import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged.ts';
import { cloud } from '../session/cloud.ts';

export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: () => cloud.tokens.list(),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: () => cloud.tokens.sessions(),
});

export const activityQuery = pagedQuery(['account', 'activity'], (page) => cloud.audit.own(page));

export const connectionsQuery = queryOptions({
  queryKey: ['account', 'connections'],
  queryFn: () => cloud.connections.list(),
});
