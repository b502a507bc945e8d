import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** The device cannot push who has access to its pages: they poll. */
const LOOK_EVERY_MS = 10_000;

export const supportQuery = queryOptions({
  queryKey: ['support'],
  queryFn: ({ signal }) => device.support({ signal }),
  refetchInterval: LOOK_EVERY_MS,
});
