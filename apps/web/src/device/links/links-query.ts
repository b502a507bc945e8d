import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** The device cannot push the state of connections to its pages: they poll. */
const LOOK_EVERY_MS = 3_000;

export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: ({ signal }) => device.links({ signal }),
});

export const watchedLinksQuery = queryOptions({ ...linksQuery, refetchInterval: LOOK_EVERY_MS });
