import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** The cloud tells the device, and nothing tells the pages: it is asked for while somebody waits. */
const LOOK_EVERY_MS = 3_000;

export const claimQuery = queryOptions({
  queryKey: ['claim'],
  queryFn: ({ signal }) => device.claim({ signal }),
});

export const watchedClaimQuery = queryOptions({
  ...claimQuery,
  refetchInterval: ({ state }) => (state.data?.state === 'claimed' ? false : LOOK_EVERY_MS),
});
