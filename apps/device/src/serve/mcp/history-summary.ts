import type { TimeRange } from '@heliograph/mcp';
import { type getHistory, MAX_STATES } from '@heliograph/mcp';
import type { Static } from 'typebox';
import { countedEnergy, roundKwh, sumKwh } from './counted-energy.ts';
import type { HistoryStep, TopicHistory } from './topic-history.ts';

type Summary = NonNullable<Static<typeof getHistory.output>['series'][number]['summary']>;

const HOUR_MS = 3_600_000;

/** Means are rounded to so many parts of a unit, as those of the history are. */
const MEAN_PARTS = 1_000;

/** Watt-milliseconds of a kilowatt-hour. */
const WMS_PER_KWH = 1_000 * HOUR_MS;

/** How much of the span a step's readings speak for, in milliseconds. */
export function widthIn({ fromMs, toMs }: TimeRange, { atMs, untilMs }: HistoryStep): number {
  return Math.max(0, Math.min(toMs, untilMs) - Math.max(fromMs, atMs));
}

/** A time's mean counts as long as the time is, in milliseconds; undefined where there is none. */
export function meanOf(parts: readonly { readonly mean: number; readonly ms: number }[]): number | undefined {
  const ms = parts.reduce((sum, part) => sum + part.ms, 0);
  const sum = parts.reduce((total, part) => total + part.mean * part.ms, 0);
  return ms === 0 ? undefined : Math.round((sum / ms) * MEAN_PARTS) / MEAN_PARTS;
}

/** @param formatTime writes a moment as text */
export function measurementSummary(
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

export function energySummary(series: TopicHistory): Summary {
  return { energy_kwh: sumKwh(countedEnergy(series)) };
}

export function statesSummary({ states }: TopicHistory, { fromMs, toMs }: TimeRange): Summary {
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
