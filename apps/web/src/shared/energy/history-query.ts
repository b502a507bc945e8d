import { queryOptions, skipToken } from '@tanstack/react-query';
import { deviceKey } from '../live/device-key.ts';
import type { HistorySource } from '../live/history-source.tsx';
import type { Span } from './ranges.ts';

/** How often the history of today is read again, in milliseconds: once a step. */
const STEP_MS = 5 * 60_000;

/** The history of one topic. */
export function historyQuery(
  source: HistorySource | undefined,
  topic: string,
  isGrowing: boolean,
  span: Span,
) {
  const { from, to, stepS } = span;
  return queryOptions({
    queryKey: ['device', deviceKey(source), 'history', topic, from, to],
    queryFn:
      source === undefined
        ? skipToken
        : ({ signal }) =>
            source.history({ topic, from: new Date(from * 1000), to: new Date(to * 1000), stepS, signal }),
    staleTime: STEP_MS,
    refetchInterval: isGrowing ? STEP_MS : false,
  });
}
