import {
  type DeviceHistoryDay,
  type EnergyAnswer,
  HISTORY_ENERGY_FIELDS,
  HISTORY_TOTAL_NAMES,
  HISTORY_TOTALS,
  type HistoryAnswer,
  type HistoryEnergyField,
  type HistoryTotal,
} from '@heliograph/contracts';
import { hoursOfDay, type LocalHour } from '@heliograph/kit/local-hours';
import { DAY_MS, type LocalDay, localDay, startOfDay } from '@heliograph/kit/local-time';

export const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;

const NAMES = new Map<string, HistoryTotal>(
  HISTORY_TOTAL_NAMES.map((name) => [HISTORY_TOTALS[name].topic, name]),
);

/** Reads means of quarters of an hour, and energy by the hour. */
export interface HistoryReads {
  readonly history: (request: {
    readonly matches: (topic: string) => boolean;
    readonly fromMs: number;
    readonly toMs: number;
    readonly stepMs: number;
  }) => Promise<HistoryAnswer>;
  /** @param countedMs energy of hours that begin before it is left out */
  readonly energy: (
    request: { readonly fromMs: number; readonly toMs: number; readonly step: 'hour' },
    countedMs: number,
  ) => Promise<EnergyAnswer>;
  /** When the first of either is, in milliseconds since the epoch; undefined while nothing is known. */
  readonly since: () => number | undefined;
  readonly zone: string;
}

/** In milliseconds since the epoch. */
export interface DayBounds {
  /** A beginning of a quarter of an hour. */
  readonly fromMs: number;
  /** The end of the last quarter. */
  readonly untilMs: number;
  readonly nowMs: number;
  /** The cloud has the energy of hours that begin before it by the clock of another zone. */
  readonly countedMs: number;
}

/**
 * The part of a local day from a quarter of an hour on: the whole quarters until a time, and the energy of the hours that they lie
 * in, the last of which may not be over.
 */
export async function historyOfDay(
  { history, energy, zone }: HistoryReads,
  day: LocalDay,
  { fromMs, untilMs, nowMs, countedMs }: DayBounds,
): Promise<DeviceHistoryDay> {
  const beginMs = startOfDay(day, zone);
  const endMs = startOfDay(day + 1, zone);
  const firstQuarter = Math.max(0, Math.floor((fromMs - beginMs) / QUARTER_MS));
  const quarters = Math.max(0, Math.floor((Math.min(untilMs, endMs) - beginMs) / QUARTER_MS) - firstQuarter);
  const hoursOf = hoursOfDay(day, zone);
  const firstHour = Math.max(
    0,
    hoursOf.findLastIndex((hour) => hour <= beginMs + firstQuarter * QUARTER_MS),
  );
  const means = await meansOf(history, beginMs + firstQuarter * QUARTER_MS, quarters);
  const hours = await energyOf(energy, hoursOf.slice(firstHour), Math.min(endMs, nowMs), countedMs);
  return {
    date: new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
    time_zone: zone,
    first_quarter: firstQuarter,
    means,
    first_hour: firstHour,
    energy: hours,
  };
}

async function meansOf(
  read: HistoryReads['history'],
  fromMs: number,
  quarters: number,
): Promise<DeviceHistoryDay['means']> {
  if (quarters === 0) return {};
  const toMs = fromMs + quarters * QUARTER_MS;
  const answer = await read({ matches: (topic) => NAMES.has(topic), fromMs, toMs, stepMs: QUARTER_MS });
  // Long ago only hours are kept.
  const quartersOfStep = Math.max(1, Math.round((answer.step * 1000) / QUARTER_MS));
  const means: DeviceHistoryDay['means'] = {};
  for (const { topic, times, mean } of answer.series) {
    const name = NAMES.get(topic);
    if (name === undefined) continue;
    const { decimals } = HISTORY_TOTALS[name];
    const column = new Array<number | null>(quarters).fill(null);
    for (const [i, time] of times.entries()) {
      const value = mean[i];
      if (value === null || value === undefined) continue;
      const first = Math.round((time * 1000 - fromMs) / QUARTER_MS);
      for (let quarter = first; quarter < first + quartersOfStep; quarter++)
        if (quarter >= 0 && quarter < quarters) column[quarter] = Number(value.toFixed(decimals));
    }
    means[name] = column;
  }
  return means;
}

/** @param hours of which the last may not be over, or have begun */
async function energyOf(
  read: HistoryReads['energy'],
  hours: readonly LocalHour[],
  untilMs: number,
  countedMs: number,
): Promise<DeviceHistoryDay['energy']> {
  const [fromMs = untilMs] = hours;
  if (fromMs >= untilMs) return {};
  const { steps } = await read({ fromMs, toMs: untilMs, step: 'hour' }, countedMs);
  const count = hours.filter((hour) => hour < untilMs).length;
  const energy: Partial<Record<HistoryEnergyField, (number | null)[]>> = {};
  for (const [i, step] of steps.entries()) {
    const startMs = Date.parse(step.from);
    const hour = hours.indexOf(startMs);
    if (hour === -1 || hour >= count || step.coverage === 0) continue;
    const next = steps[i + 1]?.from;
    const lengthMs = Math.min(next === undefined ? startMs + HOUR_MS : Date.parse(next), untilMs) - startMs;
    for (const field of HISTORY_ENERGY_FIELDS) {
      const amount = field === 'covered_s' ? (step.coverage * lengthMs) / 1000 : step[field];
      if (amount === null) continue;
      const column = energy[field] ?? new Array<number | null>(count).fill(null);
      column[hour] = Number(amount.toFixed(5));
      energy[field] = column;
    }
  }
  // The cloud drops its former values from the first hour on that is known.
  if (fromMs < countedMs) for (const column of Object.values(energy)) column[0] ??= 0;
  return energy;
}

/** The local days of a time, in order. */
export function daysBetween(fromMs: number, untilMs: number, zone: string): readonly LocalDay[] {
  const first = localDay(fromMs, zone);
  const last = localDay(Math.max(fromMs, untilMs - 1), zone);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
