import { ApiError, type EnergyAnswer } from '@heliograph/client';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';
import type { HistorySource } from '../live/history-source.tsx';

/** How often energy of a time that is not over is read again, in milliseconds. */
const GROWS_EVERY_MS = 60_000;

/** How often a device that has just begun to count is read again, in milliseconds. */
const BEGINS_EVERY_MS = 5_000;

/** Energy of a time that is over stays as it is, in milliseconds. */
const STALE_AFTER_MS = 5 * 60_000;

/** @param from the first day @param to the first day after it */
export function energyQuery(
  source: HistorySource | undefined,
  { from, to, step }: { readonly from: string; readonly to: string; readonly step: EnergyAnswer['step'] },
  isGrowing: boolean,
) {
  return queryOptions({
    queryKey: ['device', deviceKey(source), 'energy', step, from, to],
    queryFn: source === undefined ? skipToken : ({ signal }) => source.energy({ from, to, step, signal }),
    staleTime: isGrowing ? GROWS_EVERY_MS : STALE_AFTER_MS,
    refetchInterval: ({ state: { data } }) => {
      if (!isGrowing) return false;
      return data?.since === null ? BEGINS_EVERY_MS : GROWS_EVERY_MS;
    },
  });
}

/** Whether a device is of a version that keeps no energy by the hour. */
export function isTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
