import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurveSeries } from '../components/curve/series.ts';
import { useDefinitions, useLive } from '../live/live-context.tsx';
import { curveOf } from './curve-of.ts';
import { historyQuery } from './queries.ts';
import { type HistoryRange, type Span, spanOf } from './ranges.ts';
import { topicName } from './topic-names.ts';
import { useTails } from './use-tails.ts';
import { useSiteTimeZone } from './use-zone.ts';

export interface Curves {
  readonly series: readonly CurveSeries[];
  readonly span: Span;
  readonly timeZone: string;
  readonly isLoading: boolean;
  /** Why the past of some topic could not be read. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** The curves of some topics over a range, which go on by themselves while it is today. */
export function useCurves(topics: readonly string[], range: HistoryRange): Curves {
  const { t } = useTranslation('site');
  const { device } = useLive();
  const definitions = useDefinitions();
  const timeZone = useSiteTimeZone();
  const tails = useTails(topics, range === 'today');
  const span = spanOf(range, Date.now(), timeZone);
  const answers = useQueries({
    queries: topics.map((topic) => historyQuery(device, topic, range, span)),
    combine: (all) => ({
      data: all.map((one) => one.data),
      isLoading: all.some((one) => one.isLoading),
      error: all.find((one) => one.error !== null)?.error ?? undefined,
      retry: () => all.forEach((one) => void (one.error !== null && one.refetch())),
    }),
  });
  const { data, ...state } = answers;
  // A plot takes its data over when it is another one: it stays the same while nothing came.
  const series = useMemo(
    () =>
      topics.map((topic, index) => {
        const defined = definitions.find((one) => one.topic === topic);
        const past = data[index]?.series.find((one) => one.topic === topic);
        const name = topicName(topic, t) ?? defined?.name ?? past?.name ?? topic;
        return curveOf({ topic, name, unit: defined?.unit ?? '' }, data[index], tails.get(topic) ?? []);
      }),
    [topics, definitions, data, tails, t],
  );
  return { series, span, timeZone, ...state };
}
