import type { getHistory } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { countedEnergy, sumKwh } from './counted-energy.ts';
import { meanOf, widthIn } from './history-summary.ts';
import type { TimeRange } from './parse-time-range.ts';
import type { TopicHistory } from './topic-history.ts';

type Point = NonNullable<Static<typeof getHistory.output>['series'][number]['points']>[number];

/** @param startsMs when the points begin, in milliseconds since the epoch @param spoken writes a moment as text */
export function measurementPoints(
  { steps }: TopicHistory,
  startsMs: readonly number[],
  span: TimeRange,
  spoken: (atMs: number) => string,
): Point[] {
  return grouped(steps, startsMs).map(([atMs, inPoint]) => {
    const mean = meanOf(inPoint.map((step) => ({ mean: step.mean, ms: widthIn(span, step) })));
    return {
      at: spoken(atMs),
      ...(mean !== undefined && { mean }),
      min: Math.min(...inPoint.map(({ min }) => min)),
      max: Math.max(...inPoint.map(({ max }) => max)),
    };
  });
}

export function energyPoints(
  { steps, before }: TopicHistory,
  startsMs: readonly number[],
  spoken: (atMs: number) => string,
): Point[] {
  return grouped(countedEnergy(steps, before), startsMs).map(([atMs, inPoint]) => ({
    at: spoken(atMs),
    kwh: sumKwh(inPoint),
  }));
}

/** @param most how many of the newest are listed; the rest are counted */
export function statePoints(
  { states }: TopicHistory,
  most: number,
  spoken: (atMs: number) => string,
): { readonly points: Point[]; readonly points_left_out?: number } {
  const newest = states.slice(-most);
  const leftOut = states.length - newest.length;
  return {
    points: newest.map(({ atMs, value }) => ({ at: spoken(atMs), value })),
    ...(leftOut > 0 && { points_left_out: leftOut }),
  };
}

/** The steps that begin in each point, for points with any; both in the order of time. */
function grouped<T extends { readonly atMs: number }>(
  steps: readonly T[],
  startsMs: readonly number[],
): readonly (readonly [number, readonly T[]])[] {
  const groups: [number, T[]][] = [];
  let point = 0;
  for (const step of steps) {
    while (point + 1 < startsMs.length && (startsMs[point + 1] ?? Number.POSITIVE_INFINITY) <= step.atMs)
      point++;
    const start = startsMs[point] ?? step.atMs;
    const group = groups.at(-1);
    if (group?.[0] === start) group[1].push(step);
    else groups.push([start, [step]]);
  }
  return groups;
}
