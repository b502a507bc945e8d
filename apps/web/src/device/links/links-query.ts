import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** Nothing tells the pages when a connection breaks: it is asked for while somebody looks. */
const LOOK_EVERY_MS = 3_000;

export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: ({ signal }) => device.links({ signal }),
});

export const watchedLinksQuery = queryOptions({ ...linksQuery, refetchInterval: LOOK_EVERY_MS });
