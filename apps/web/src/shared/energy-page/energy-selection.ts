import type { EnergyAnswer } from '@heliograph/client';
import { formatDate } from '@heliograph/kit/calendar-days';
import { localDay } from '@heliograph/kit/local-time';

/** Lengths of time that the energy page shows. */
export const ENERGY_UNITS = ['day', 'week', 'month', 'year'] as const;
export type EnergyUnit = (typeof ENERGY_UNITS)[number];

/** A day, week, month or year of the site's calendar. */
export interface EnergySelection {
  readonly unit: EnergyUnit;
  /** Its first day, as 2026-11-22. */
  readonly date: string;
}

/** The length of one bar. */
export const STEP_OF: Readonly<Record<EnergyUnit, EnergyAnswer['step']>> = {
  day: 'hour',
  week: 'day',
  month: 'day',
  year: 'month',
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first date that can be chosen; no device is older. */
export const FIRST_DATE = '2000-01-01';

/**
 * The time in an address: `?day=2026-11-22`, `?week=2026-11-16`, `?month=2026-11` or `?year=2026`; today otherwise.
 *
 * @param today the date of the site
 */
export function selectionIn(search: string, today: string): EnergySelection {
  const params = new URLSearchParams(search);
  for (const unit of ENERGY_UNITS) {
    const text = params.get(unit);
    const date = text === null ? undefined : dateIn(text);
    if (date !== undefined && date >= FIRST_DATE) return selectionOf(unit, date < today ? date : today);
  }
  return { unit: 'day', date: today };
}

/** A date as 2026-11-22, 2026-11 or 2026; undefined for what the calendar does not have. */
function dateIn(text: string): string | undefined {
  if (!/^\d{4}(-\d{2}(-\d{2})?)?$/.test(text)) return undefined;
  const date = `${text}-01-01`.slice(0, 10);
  const atMs = Date.parse(date);
  return !Number.isNaN(atMs) && dateOf(atMs) === date ? date : undefined;
}

export function searchOf({ unit, date }: EnergySelection): string {
  const lengths = { day: 10, week: 10, month: 7, year: 4 };
  return `${unit}=${date.slice(0, lengths[unit])}`;
}

/** The unit that a date lies in. */
export function selectionOf(unit: EnergyUnit, date: string): EnergySelection {
  const at = new Date(date);
  switch (unit) {
    case 'day':
      return { unit, date };
    case 'week':
      return { unit, date: dateOf(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS) };
    case 'month':
      return { unit, date: `${date.slice(0, 7)}-01` };
    case 'year':
      return { unit, date: `${date.slice(0, 4)}-01-01` };
  }
}

/** The one so many units later. */
export function moved({ unit, date }: EnergySelection, by: number): EnergySelection {
  const at = new Date(date);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (unit) {
    case 'day':
      return { unit, date: dateOf(Date.UTC(year, month, day + by)) };
    case 'week':
      return { unit, date: dateOf(Date.UTC(year, month, day + 7 * by)) };
    case 'month':
      return { unit, date: dateOf(Date.UTC(year, month + by, 1)) };
    case 'year':
      return { unit, date: dateOf(Date.UTC(year + by, 0, 1)) };
  }
}

/** Its first day, and the first after it. */
export function spanOf(selection: EnergySelection): { readonly from: string; readonly to: string } {
  return { from: selection.date, to: moved(selection, 1).date };
}

/** The finer time that a step of it is: a day of a month, a month of a year; none of a day. @param from of the step */
export function within({ unit }: EnergySelection, from: string): EnergySelection | undefined {
  const date = from.slice(0, 10);
  switch (unit) {
    case 'day':
      return undefined;
    case 'year':
      return selectionOf('month', date);
    default:
      return selectionOf('day', date);
  }
}

/** The date that the calendar of a zone shows. @param nowMs milliseconds since 1970 */
export function todayIn(timeZone: string, nowMs: number): string {
  return formatDate(localDay(nowMs, timeZone));
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
