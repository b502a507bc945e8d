import type { TimeRange } from '@heliograph/mcp';
import { type getHistory, MAX_POINTS } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { countedEnergy, sumKwh } from './counted-energy.ts';
import type { Steps } from './curve-steps.ts';
import { energySummary, meanOf, measurementSummary, statesSummary, widthIn } from './history-summary.ts';
import type { TopicHistory } from './topic-history.ts';

type Point = NonNullable<Static<typeof getHistory.output>['series'][number]['points']>[number];

type Series = Static<typeof getHistory.output>['series'][number];

/** The form of a topic's history in an answer. */
export interface SeriesFormat {
  readonly span: TimeRange;
  /** Those of a curve; undefined for a summary. */
  readonly steps: Steps | undefined;
  /** How many topics share the points of an answer. */
  readonly topics: number;
  /** Writes a moment as text. */
  readonly formatTime: (atMs: number) => string;
}

/** @param name and unit of a topic that nothing is known of in this time */
export function emptySeries(topic: string, { name, unit }: Pick<TopicHistory, 'name' | 'unit'>): Series {
  return { topic, name, unit, kind: 'nothing', first_at: null, last_at: null, covered_percent: 0 };
}

/** A number's history where it has one, otherwise that of a text. */
export function seriesOf(topic: string, series: TopicHistory, format: SeriesFormat): Series {
  const { name, unit, steps, states } = series;
  const { span, formatTime } = format;
  const known = steps.length > 0 ? steps : states;
  const within = (atMs: number): string => formatTime(Math.max(atMs, span.fromMs));
  const [first, last] = [known[0], known.at(-1)];
  const common = {
    topic,
    name,
    unit,
    first_at: first ? within(first.atMs) : null,
    last_at: last ? within(last.atMs) : null,
  };
  if (steps.length === 0)
    return { ...common, kind: 'text', covered_percent: null, ...textBody(series, format) };
  const coveredMs = steps.reduce((sum, step) => sum + widthIn(span, step), 0);
  const covered_percent = Math.round((100 * coveredMs) / (span.toMs - span.fromMs));
  return unit === 'kWh'
    ? { ...common, kind: 'energy', covered_percent, ...energyBody(series, format) }
    : { ...common, kind: 'measurement', covered_percent, ...measurementBody(series, format) };
}

type SeriesBody = Pick<Series, 'summary' | 'points' | 'points_left_out'>;

function measurementBody(series: TopicHistory, { span, steps, formatTime }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: measurementSummary(series, span, formatTime) };
  return { points: measurementPoints(series, steps.startsMs, span, formatTime) };
}

function energyBody(series: TopicHistory, { steps, formatTime }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: energySummary(series) };
  return { points: energyPoints(series, steps.startsMs, formatTime) };
}

function textBody(series: TopicHistory, { span, steps, topics, formatTime }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: statesSummary(series, span) };
  return statePoints(series, Math.floor(MAX_POINTS / topics), formatTime);
}

/** @param startsMs when the points begin, in milliseconds since the epoch @param formatTime writes a moment as text */
function measurementPoints(
  { steps }: TopicHistory,
  startsMs: readonly number[],
  span: TimeRange,
  formatTime: (atMs: number) => string,
): Point[] {
  return grouped(steps, startsMs).map(([atMs, inPoint]) => {
    const mean = meanOf(inPoint.map((step) => ({ mean: step.mean, ms: widthIn(span, step) })));
    return {
      at: formatTime(atMs),
      ...(mean !== undefined && { mean }),
      min: Math.min(...inPoint.map(({ min }) => min)),
      max: Math.max(...inPoint.map(({ max }) => max)),
    };
  });
}

function energyPoints(
  series: TopicHistory,
  startsMs: readonly number[],
  formatTime: (atMs: number) => string,
): Point[] {
  return grouped(countedEnergy(series), startsMs).map(([atMs, inPoint]) => ({
    at: formatTime(atMs),
    kwh: sumKwh(inPoint),
  }));
}

/** @param most how many of the newest are listed; the rest are counted */
function statePoints(
  { states }: TopicHistory,
  most: number,
  formatTime: (atMs: number) => string,
): { readonly points: Point[]; readonly points_left_out?: number } {
  const newest = states.slice(-most);
  const leftOut = states.length - newest.length;
  return {
    points: newest.map(({ atMs, value }) => ({ at: formatTime(atMs), value })),
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
