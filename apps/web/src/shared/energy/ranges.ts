import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';

/** The time ranges of curves. */
export const RANGES = ['today', 'yesterday', 'week', 'month', 'year'] as const;
export type HistoryRange = (typeof RANGES)[number];

/** A time range and its resolution. All in seconds; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly stepS: number;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** How many days before today a range begins, and its steps: those that devices keep rolled up, a few hundred of them. */
const SHAPES: Readonly<Record<HistoryRange, { readonly daysBack: number; readonly stepS: number }>> = {
  today: { daysBack: 0, stepS: 5 * MINUTE_S },
  yesterday: { daysBack: 1, stepS: 5 * MINUTE_S },
  week: { daysBack: 6, stepS: 30 * MINUTE_S },
  month: { daysBack: 29, stepS: 3 * HOUR_S },
  year: { daysBack: 364, stepS: DAY_S },
};

/**
 * Which stretch a range is, in whole days of the place: today and those before it.
 *
 * @param nowMs milliseconds since 1970
 * @param timeZone IANA name of the place's
 */
export function spanOf(range: HistoryRange, nowMs: number, timeZone: string): Span {
  const { daysBack, stepS } = SHAPES[range];
  const from = dayStart(nowMs, -daysBack, timeZone);
  const to = dayStart(nowMs, range === 'yesterday' ? 0 : 1, timeZone);
  return { from, to, stepS };
}

/** A day of the place in steps of five minutes. @param date as 2026-11-22 */
export function spanOfDate(date: string, timeZone: string): Span {
  const day = Date.parse(date) / DAY_MS;
  const [from, to] = [startOfDay(day, timeZone) / 1000, startOfDay(day + 1, timeZone) / 1000];
  return { from, to, stepS: 5 * MINUTE_S };
}

/** When a day begins, in seconds since 1970. @param days how many after today; negative are before */
function dayStart(nowMs: number, days: number, timeZone: string): number {
  return startOfDay(localDay(nowMs, timeZone) + days, timeZone) / 1000;
}
