import type { DeviceAbout, DeviceClient } from '@heliograph/client';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';
import { useLive } from '../live/live-context.tsx';
import type { HistoryRange, Span } from './ranges.ts';

/** What a device is changes when somebody configures it, in milliseconds. */
const ABOUT_FRESH_FOR_MS = 60_000;

/** What is said of the device that is followed; undefined while it is unknown, or when the device does not tell. */
export function useDeviceAbout(): DeviceAbout | undefined {
  const { device } = useLive();
  const { data } = useQuery({
    queryKey: ['device', deviceKey(device), 'about'],
    queryFn: device === undefined ? skipToken : ({ signal }) => device.about({ signal }),
    staleTime: ABOUT_FRESH_FOR_MS,
  });
  return data;
}

/** How often a past that goes on is read again, in milliseconds: as often as a step of it ends. */
const STEP_MS = 5 * 60_000;

/** The past of one topic. */
export function historyQuery(
  device: DeviceClient | undefined,
  topic: string,
  range: HistoryRange,
  span: Span,
) {
  const { from, to, stepS } = span;
  const goesOn = range === 'today';
  return queryOptions({
    queryKey: ['device', deviceKey(device), 'history', topic, from, to],
    queryFn:
      device === undefined
        ? skipToken
        : ({ signal }) =>
            device.history({ topic, from: new Date(from * 1000), to: new Date(to * 1000), stepS, signal }),
    staleTime: STEP_MS,
    refetchInterval: goesOn ? STEP_MS : false,
  });
}
