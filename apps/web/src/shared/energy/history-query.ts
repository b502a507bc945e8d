import type { DeviceClient } from '@heliograph/client';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';
import type { Span } from './ranges.ts';

/** How often the history of today is read again, in milliseconds: once a step. */
const STEP_MS = 5 * 60_000;

/** The history of one topic. */
export function historyQuery(
  device: DeviceClient | undefined,
  topic: string,
  isGrowing: boolean,
  span: Span,
) {
  const { from, to, stepS } = span;
  return queryOptions({
    queryKey: ['device', deviceKey(device), 'history', topic, from, to],
    queryFn:
      device === undefined
        ? skipToken
        : ({ signal }) =>
            device.history({ topic, from: new Date(from * 1000), to: new Date(to * 1000), stepS, signal }),
    staleTime: STEP_MS,
    refetchInterval: isGrowing ? STEP_MS : false,
  });
}
