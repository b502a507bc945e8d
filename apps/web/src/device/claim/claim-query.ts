import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** The cloud informs the device, but the device cannot push to its pages: they poll. */
const LOOK_EVERY_MS = 3_000;

export const claimQuery = queryOptions({
  queryKey: ['claim'],
  queryFn: ({ signal }) => device.claim({ signal }),
});

export const watchedClaimQuery = queryOptions({
  ...claimQuery,
  refetchInterval: ({ state }) => (state.data?.state === 'claimed' ? false : LOOK_EVERY_MS),
});
