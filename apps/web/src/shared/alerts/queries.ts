import { type Alert, type DeviceClient, listAlertRules, listAlerts } from '@heliograph/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';

/** How often open alerts are requested while they are shown, in milliseconds. */
const REFRESH_MS = 15_000;

const PAGE_SIZE = 20;

/** The beginning of the keys of all that is known of the alerts of a device. */
export function alertsKey(device: DeviceClient | undefined): readonly unknown[] {
  return ['device', deviceKey(device), 'alerts'];
}

/** Alerts that have not cleared, newest first. */
export function openAlertsQuery(device: DeviceClient | undefined) {
  return queryOptions({
    queryKey: [...alertsKey(device), 'open'],
    queryFn: async ({ signal }): Promise<readonly Alert[]> =>
      device === undefined ? [] : listAlerts(device, { open: true, limit: 200 }, signal),
    refetchInterval: REFRESH_MS,
    enabled: device !== undefined,
  });
}

/** All alerts of the last year, newest first. */
export function allAlertsQuery(device: DeviceClient | undefined) {
  return infiniteQueryOptions({
    queryKey: [...alertsKey(device), 'all'],
    queryFn: async ({ pageParam: before, signal }): Promise<readonly Alert[]> =>
      device === undefined
        ? []
        : listAlerts(device, { limit: PAGE_SIZE, ...(before !== undefined && { before }) }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    enabled: device !== undefined,
  });
}

export function alertRulesQuery(device: DeviceClient | undefined) {
  return queryOptions({
    queryKey: [...alertsKey(device), 'rules'],
    queryFn: ({ signal }) => listAlertRules(device as DeviceClient, signal),
    enabled: device !== undefined,
  });
}
