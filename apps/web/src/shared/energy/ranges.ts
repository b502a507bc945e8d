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
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const midnights = [day, day + 1].map((each) => midnightOf(Date.UTC(year, month - 1, each), timeZone));
  return { from: midnights[0] ?? 0, to: midnights[1] ?? 0, stepS: 5 * MINUTE_S };
}

/** When a day begins, in seconds since 1970. @param days how many after today; negative are before */
function dayStart(nowMs: number, days: number, timeZone: string): number {
  const { year, month, day } = wallClock(nowMs, timeZone);
  return midnightOf(Date.UTC(year, month - 1, day + days), timeZone);
}

/** When a date begins at the place, in seconds since 1970. @param midnightUtcMs when it begins in UTC */
function midnightOf(midnightUtcMs: number, timeZone: string): number {
  // The offset is that of the day's own beginning, which is found within two steps, also beside a change of clocks.
  const estimateMs = midnightUtcMs - offsetMs(midnightUtcMs, timeZone);
  return Math.round((midnightUtcMs - offsetMs(estimateMs, timeZone)) / 1000);
}

/** How far the clocks of a place are ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(atMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

interface WallClock {
  readonly year: number;
  /** From 1 on. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function wallClock(atMs: number, timeZone: string): WallClock {
  // Written as `2026-06-21, 13:05:09`.
  const text = new Intl.DateTimeFormat('sv-u-ca-gregory-nu-latn', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(atMs);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(
    Number,
  );
  return { year, month, day, hour, minute, second };
}
