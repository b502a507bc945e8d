import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurveSeries } from '../components/curve/series.ts';
import { shownTimeZone } from '../format/time-zone.ts';
import { useHistorySource } from '../live/history-source.tsx';
import { useDefinitions, useLive } from '../live/live-context.tsx';
import { curveOf } from './curve-of.ts';
import { historyQuery } from './history-query.ts';
import { type HistoryRange, type Span, spanOf, spanOfDate } from './ranges.ts';
import { extendTails, type Tails } from './tail.ts';
import { topicName } from './topic-names.ts';
import { useDeviceAbout } from './use-device-about.ts';

/** The curves of some topics over a range, which go on by themselves while it is today. */
export function useCurves(topics: readonly string[], range: HistoryRange): Curves {
  const timeZone = useSiteTimeZone();
  return useCurvesOf(topics, spanOf(range, Date.now(), timeZone), range === 'today', timeZone);
}

/** The curves of some topics over a day of the site. @param date as 2026-11-22 */
export function useCurvesOfDate(topics: readonly string[], date: string, isToday: boolean): Curves {
  const timeZone = useSiteTimeZone();
  return useCurvesOf(topics, spanOfDate(date, timeZone), isToday, timeZone);
}

function useCurvesOf(topics: readonly string[], span: Span, isGrowing: boolean, timeZone: string): Curves {
  const { t } = useTranslation('site');
  const source = useHistorySource();
  const definitions = useDefinitions();
  const tails = useTails(topics, isGrowing);
  const answers = useQueries({
    queries: topics.map((topic) => historyQuery(source, topic, isGrowing, span)),
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
        const history = data[index]?.series.find((one) => one.topic === topic);
        const name = topicName(topic, t) ?? defined?.name ?? history?.name ?? topic;
        return curveOf(
          { topic, name, unit: defined?.unit ?? history?.unit ?? '' },
          data[index],
          tails.get(topic) ?? [],
        );
      }),
    [topics, definitions, data, tails, t],
  );
  return { series, span, timeZone, ...state };
}

/** The time zone of the site, in which its days begin; the reader's own where the device does not answer, or the browser does not know it. */
export function useSiteTimeZone(): string {
  return shownTimeZone(useDeviceAbout()?.time_zone);
}

/** How often a curve takes in what is live, in milliseconds: often enough to be seen to move. */
const EVERY_MS = 10_000;

/** Live values of some topics as they were every ten seconds since this was shown. */
function useTails(topics: readonly string[], isOn: boolean): Tails {
  const { values } = useLive();
  const [tails, setTails] = useState<Tails>(new Map());
  const key = topics.join(' ');
  useEffect(() => {
    if (!isOn) return;
    const take = (): void => {
      if (values.status.state !== 'live' || document.hidden) return;
      // A point of CSV is named by its second.
      const time = Math.floor(Date.now() / 1000);
      setTails((before) =>
        extendTails(
          before,
          time,
          key.split(' ').map((topic) => [topic, known(values.get(topic)?.value)]),
        ),
      );
    };
    const timer = setInterval(take, EVERY_MS);
    return () => clearInterval(timer);
  }, [values, key, isOn]);
  return tails;
}

function known(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export interface Curves {
  readonly series: readonly CurveSeries[];
  readonly span: Span;
  readonly timeZone: string;
  readonly isLoading: boolean;
  /** Why the history of some topic could not be read. */
  readonly error: unknown;
  readonly retry: () => void;
}
