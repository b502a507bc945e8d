import type { HistoryAnswer } from '@heliograph/client';
import type { CurveSeries } from '../components/curve/series.ts';
import { toneOf } from '../format/tone.ts';
import type { TailPoint } from './tail.ts';

/** What a topic is called and counted in, before the past is there. */
export interface CurveHead {
  readonly topic: string;
  readonly name: string;
  readonly unit: string;
}

/**
 * A topic's curve: its mean in each step of the past, and what came live since.
 *
 * @param answer the past; undefined when there is none
 * @param tail in the order of time
 */
export function curveOf(
  { topic, name, unit }: CurveHead,
  answer: HistoryAnswer | undefined,
  tail: readonly TailPoint[],
): CurveSeries {
  const past = answer?.series.find((one) => one.topic === topic);
  const pastEnd = past?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const since = tail.filter(({ time }) => time > pastEnd);
  return {
    key: topic,
    name,
    unit: past?.unit ?? unit,
    tone: toneOf(topic),
    times: [...(past?.times ?? []), ...since.map(({ time }) => time)],
    values: [...(past?.mean ?? []), ...since.map(({ value }) => value)],
  };
}
