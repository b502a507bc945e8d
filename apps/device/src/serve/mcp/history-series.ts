import type { TimeRange } from '@heliograph/mcp';
import { type getHistory, MAX_POINTS, MAX_STATES } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { countedEnergy, roundKwh, sumKwh } from './counted-energy.ts';
import type { Steps } from './curve-steps.ts';
import type { HistoryStep, TopicHistory } from './topic-history.ts';

type Summary = NonNullable<Static<typeof getHistory.output>['series'][number]['summary']>;

const HOUR_MS = 3_600_000;

/** Means are rounded to so many parts of a unit, as those of the history are. */
const MEAN_PARTS = 1_000;

/** Watt-milliseconds of a kilowatt-hour. */
const WMS_PER_KWH = 1_000 * HOUR_MS;

/** How much of the span a step's readings speak for, in milliseconds. */
function widthIn({ fromMs, toMs }: TimeRange, { atMs, untilMs }: HistoryStep): number {
  return Math.max(0, Math.min(toMs, untilMs) - Math.max(fromMs, atMs));
}

/** A time's mean counts as long as the time is, in milliseconds; undefined where there is none. */
function meanOf(parts: readonly { readonly mean: number; readonly ms: number }[]): number | undefined {
  const ms = parts.reduce((sum, part) => sum + part.ms, 0);
  const sum = parts.reduce((total, part) => total + part.mean * part.ms, 0);
  return ms === 0 ? undefined : Math.round((sum / ms) * MEAN_PARTS) / MEAN_PARTS;
}

/** @param formatTime writes a moment as text */
function measurementSummary(
  { steps, unit }: TopicHistory,
  span: TimeRange,
  formatTime: (atMs: number) => string,
): Summary {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return {};
  const lowest = steps.reduce((low, step) => (step.min < low.min ? step : low), first);
  const highest = steps.reduce((high, step) => (step.max > high.max ? step : high), first);
  const parts = steps.map((step) => ({ mean: step.mean, ms: widthIn(span, step) }));
  const mean = meanOf(parts);
  const energy = parts.reduce((sum, part) => sum + part.mean * part.ms, 0) / WMS_PER_KWH;
  return {
    min: lowest.min,
    min_at: formatTime(Math.max(span.fromMs, lowest.atMs)),
    max: highest.max,
    max_at: formatTime(Math.max(span.fromMs, highest.atMs)),
    ...(mean !== undefined && { mean }),
    first: first.last,
    last: last.last,
    change: Math.round((last.last - first.last) * MEAN_PARTS) / MEAN_PARTS,
    ...(unit === 'W' && { energy_kwh: roundKwh(energy) }),
  };
}

function energySummary(series: TopicHistory): Summary {
  return { energy_kwh: sumKwh(countedEnergy(series)) };
}

function statesSummary({ states }: TopicHistory, { fromMs, toMs }: TimeRange): Summary {
  const lasted = new Map<string | null, number>();
  for (const [i, { atMs, value }] of states.entries()) {
    const end = Math.min(toMs, states[i + 1]?.atMs ?? toMs);
    lasted.set(value, (lasted.get(value) ?? 0) + Math.max(0, end - Math.max(fromMs, atMs)));
  }
  const longest = [...lasted].toSorted(([, a], [, b]) => b - a).slice(0, MAX_STATES);
  return {
    states: longest.map(([value, ms]) => ({ value, hours: Math.round((ms / HOUR_MS) * 100) / 100 })),
  };
}

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
