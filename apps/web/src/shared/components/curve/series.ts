import type { Tone } from '../../format/tone.ts';

/** One curve: the values of one topic at points in time. */
export interface CurveSeries {
  /** The topic. */
  readonly key: string;
  readonly name: string;
  /** As metrics have it; curves of one unit share an axis. */
  readonly unit: string;
  readonly tone: Tone;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** As many as there are times; null is a gap, where the line breaks. */
  readonly values: readonly (number | null)[];
}

/** Curves with their points on one axis of times, as they are plotted. */
export interface Aligned {
  readonly times: readonly number[];
  /**
   * For each curve as many as there are times. Undefined where a curve has no point of its own, which its line passes
   * over; null where it breaks.
   */
  readonly values: readonly (readonly (number | null | undefined)[])[];
}

export function aligned(series: readonly CurveSeries[]): Aligned {
  const times = [...new Set(series.flatMap((one) => one.times))].toSorted((a, b) => a - b);
  const values = series.map((one) => {
    const byTime = new Map(one.times.map((time, index) => [time, one.values[index] ?? null]));
    return times.map((time) => byTime.get(time));
  });
  return { times, values };
}

/** The highest, lowest and last point of a curve; undefined when it has none. */
interface Extremes {
  readonly highest: Point;
  readonly lowest: Point;
  readonly last: Point;
}

interface Point {
  /** Seconds since 1970. */
  readonly time: number;
  readonly value: number;
}

export function extremesOf({ times, values }: CurveSeries): Extremes | undefined {
  let found: Extremes | undefined;
  for (const [index, value] of values.entries()) {
    const time = times[index];
    if (value === null || time === undefined) continue;
    const last = { time, value };
    found = {
      highest: found === undefined || value > found.highest.value ? last : found.highest,
      lowest: found === undefined || value < found.lowest.value ? last : found.lowest,
      last,
    };
  }
  return found;
}
