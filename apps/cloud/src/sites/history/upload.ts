import {
  type DeviceHistoryBody,
  type DeviceHistoryDay,
  HISTORY_ENERGY_FIELDS,
  HISTORY_TOTAL_NAMES,
  HISTORY_YEARS,
  MAX_QUARTERS,
} from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { dateOf } from '@heliograph/kit/calendar-days';
import { hoursOfDay } from '@heliograph/kit/local-hours';
import { DAY_MS, startOfDay } from '@heliograph/kit/local-time';
import type { Column } from './day-codec.ts';
import type { HistoryDay } from './store.ts';

/** Dates after that of UTC exist in some zones; a clock may run a little fast. */
const AHEAD_MS = 2 * DAY_MS;

const KEPT_MS = HISTORY_YEARS * 366 * DAY_MS;

const QUARTER_MS = 15 * 60_000;

/** The days of an upload. @throws Unprocessable for a date or zone that does not exist, and values beyond their day */
export function daysOf({ days }: DeviceHistoryBody, nowMs: number): readonly HistoryDay[] {
  const found = days.map((day) => dayOf(day, nowMs));
  if (new Set(found.map(({ day }) => day)).size < found.length)
    throw new Unprocessable('A day is there more than once');
  return found;
}

function dayOf(sent: DeviceHistoryDay, nowMs: number): HistoryDay {
  const { date, time_zone: zone, first_quarter: firstQuarter, first_hour: firstHour } = sent;
  const day = dateOf(date);
  if (day === undefined || day * DAY_MS > nowMs + AHEAD_MS || day * DAY_MS < nowMs - KEPT_MS)
    throw new Unprocessable(`There is no history of ${date}`);
  const { quarters, hours } = sizeOfDay(day, zone);
  const means = shifted(sent.means, HISTORY_TOTAL_NAMES, firstQuarter, quarters);
  const energy = shifted(sent.energy, HISTORY_ENERGY_FIELDS, firstHour, hours);
  return { day, zone, values: { means, energy } };
}

/** @throws Unprocessable */
function sizeOfDay(day: number, zone: string): { readonly quarters: number; readonly hours: number } {
  try {
    const quarters = Math.ceil((startOfDay(day + 1, zone) - startOfDay(day, zone)) / QUARTER_MS);
    return { quarters: Math.min(quarters, MAX_QUARTERS), hours: hoursOfDay(day, zone).length };
  } catch {
    throw new Unprocessable('There is no such time zone');
  }
}

function shifted<Name extends string>(
  columns: Readonly<Partial<Record<Name, Column>>>,
  names: readonly Name[],
  first: number,
  most: number,
): Partial<Record<Name, Column>> {
  const placed: Partial<Record<Name, Column>> = {};
  for (const name of names) {
    const column = columns[name];
    if (column === undefined || column.length === 0) continue;
    if (first + column.length > most) throw new Unprocessable('The day has not so many values');
    placed[name] = [...new Array<null>(first).fill(null), ...column];
  }
  return placed;
}
