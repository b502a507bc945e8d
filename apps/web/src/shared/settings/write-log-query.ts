import type { DeviceClient } from '@heliograph/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';

/** How many entries are loaded at a time. */
const PAGE_SIZE = 20;

/** How soon a log with an outcome that is not known yet is read again, in milliseconds. */
const PENDING_REFETCH_MS = 15_000;

/** Pages of setting writes, the newest first. */
export function writeLogQuery(device: DeviceClient | undefined) {
  return infiniteQueryOptions({
    queryKey: ['setting writes', deviceKey(device)],
    queryFn: async ({ pageParam: before }) =>
      (await device?.settingWrites({ limit: PAGE_SIZE, ...(before !== undefined && { before }) })) ?? [],
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.some(({ pending }) => pending)) === true
        ? PENDING_REFETCH_MS
        : false,
    enabled: device !== undefined,
  });
}
