import { queryOptions } from '@tanstack/react-query';
import { device } from '../session/device.ts';

/** The cloud informs the device, but the device cannot push to its pages: they poll. */
const LOOK_EVERY_MS = 3_000;

export const claimQuery = queryOptions({
  queryKey: ['claim'],
  queryFn: ({ signal }) => device.claim({ signal }),
});

/** Also of a device that is claimed: its site may be released. */
export const watchedClaimQuery = queryOptions({ ...claimQuery, refetchInterval: LOOK_EVERY_MS });
