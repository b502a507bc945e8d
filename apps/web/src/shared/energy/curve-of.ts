import type { HistoryAnswer } from '@heliograph/client';
import type { CurveSeries } from '../components/curve/series.ts';
import { toneOf } from '../format/tone.ts';
import type { TailPoint } from './tail.ts';

/** The name and the unit of a topic, known before its history. */
interface CurveHead {
  readonly topic: string;
  readonly name: string;
  readonly unit: string;
}

/**
 * A topic's curve: its mean in each step of the history, and the live values since.
 *
 * @param answer the history; undefined when there is none
 * @param tail in the order of time
 */
export function curveOf(
  { topic, name, unit }: CurveHead,
  answer: HistoryAnswer | undefined,
  tail: readonly TailPoint[],
): CurveSeries {
  const history = answer?.series.find((one) => one.topic === topic);
  const historyEnd = history?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const since = tail.filter(({ time }) => time > historyEnd);
  return {
    key: topic,
    name,
    unit: history?.unit ?? unit,
    tone: toneOf(topic),
    times: [...(history?.times ?? []), ...since.map(({ time }) => time)],
    values: [...(history?.mean ?? []), ...since.map(({ value }) => value)],
  };
}
