import { BadRequest } from '@heliograph/kit';
import { dateOf, firstDay, nextDay } from '@heliograph/kit/calendar-days';
import { DAY_MS, instantOf, type LocalDay, localDay, localIso, startOfDay } from '@heliograph/kit/local-time';
import { TIME_FORMS } from './get-history.ts';

/** A stretch of time, in milliseconds since the epoch; its end does not belong to it. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

const RELATIVE = /^-(\d{1,6})([mhdw])$/;
const DATE_TIME =
  /^(today|yesterday|\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:?\d{2})?$/;

/**
 * The range between two texts, by the site's clock and calendar. A day, week, month or year is its beginning as
 * `from` and its end as `to`; a range that is not over yet ends now.
 *
 * @throws BadRequest with the forms that are understood
 */
export function parseTimeRange(from: string, to: string, nowMs: number, zone: string): TimeRange {
  const fromMs = edgeOf('from', from, nowMs, zone).fromMs;
  const toMs = Math.min(edgeOf('to', to, nowMs, zone).toMs, nowMs);
  if (fromMs >= nowMs) {
    throw new BadRequest(
      `from (${localIso(fromMs, zone)}) is in the future: it is ${localIso(nowMs, zone)} now`,
    );
  }
  if (fromMs >= toMs) {
    throw new BadRequest(`from (${localIso(fromMs, zone)}) must be before to (${localIso(toMs, zone)})`);
  }
  return { fromMs, toMs };
}

function edgeOf(name: string, text: string, nowMs: number, zone: string): TimeRange {
  const input = text.trim().toLowerCase();
  const span =
    relative(input, nowMs) ?? named(input, nowMs, zone) ?? dated(input, zone) ?? timed(input, nowMs, zone);
  if (span !== undefined) return span;
  throw new BadRequest(`${name} "${text}" is not understood. It may be ${TIME_FORMS}.`);
}

function relative(input: string, nowMs: number): TimeRange | undefined {
  const [, count, unit = ''] = RELATIVE.exec(input) ?? [];
  return count === undefined ? undefined : momentOf(nowMs - Number(count) * (UNITS_MS[unit] ?? 0));
}

function named(input: string, nowMs: number, zone: string): TimeRange | undefined {
  const today = localDay(nowMs, zone);
  switch (input.replaceAll(/[ -]/g, '_')) {
    case 'now':
      return momentOf(nowMs);
    case 'today':
      return daysOf(today, today + 1, zone);
    case 'yesterday':
      return daysOf(today - 1, today, zone);
    case 'this_week':
      return daysOf(firstDay(today, 'week'), nextDay(today, 'week'), zone);
    case 'last_week':
      return before(today, 'week', zone);
    case 'this_month':
      return daysOf(firstDay(today, 'month'), nextDay(today, 'month'), zone);
    case 'last_month':
      return before(today, 'month', zone);
    case 'this_year':
      return daysOf(firstDay(today, 'year'), nextDay(today, 'year'), zone);
    case 'last_year':
      return before(today, 'year', zone);
    default:
      return undefined;
  }
}

function dated(input: string, zone: string): TimeRange | undefined {
  const month = /^\d{4}-\d{2}$/.test(input);
  const day = dateOf(month ? `${input}-01` : input);
  if (day === undefined) return undefined;
  return daysOf(day, month ? nextDay(day, 'month') : day + 1, zone);
}

function timed(input: string, nowMs: number, zone: string): TimeRange | undefined {
  const [, day = '', time = '', offset] = DATE_TIME.exec(input) ?? [];
  const date = writtenDate(day, nowMs, zone);
  if (dateOf(date) === undefined) return undefined;
  const atMs = Date.parse(`${date}T${time}${(offset ?? 'z').toUpperCase()}`);
  if (Number.isNaN(atMs)) return undefined;
  return momentOf(offset === undefined ? instantOf(atMs, zone) : atMs);
}

/** A date as it is written; `today` and `yesterday` are dates, too. */
function writtenDate(day: string, nowMs: number, zone: string): string {
  const back = ['today', 'yesterday'].indexOf(day);
  if (back < 0) return day;
  return new Date((localDay(nowMs, zone) - back) * DAY_MS).toISOString().slice(0, 10);
}

function before(today: LocalDay, unit: 'week' | 'month' | 'year', zone: string): TimeRange {
  const end = firstDay(today, unit);
  return daysOf(firstDay(end - 1, unit), end, zone);
}

function daysOf(first: LocalDay, end: LocalDay, zone: string): TimeRange {
  return { fromMs: startOfDay(first, zone), toMs: startOfDay(end, zone) };
}

function momentOf(atMs: number): TimeRange {
  return { fromMs: atMs, toMs: atMs };
}
