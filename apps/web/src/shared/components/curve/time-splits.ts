import { firstDay, nextDay } from '@heliograph/kit/calendar-days';
import { DAY_MS, instantOf, localDay, localTime, startOfDay } from '@heliograph/kit/local-time';

const DAY_S = DAY_MS / 1000;

/** From this much on between two ticks they are at beginnings of months. */
export const MONTH_S = 27 * DAY_S;

/**
 * Ticks of a time axis, at round times of a zone's clock: each day has its own midnight, however long the one before was.
 *
 * @param fromS seconds since 1970, as the others
 * @param apartS how far apart they are; the days of a month or year are 30 or 365
 * @returns ascending; none at times that a change of the clock skips
 */
export function timeSplits(fromS: number, toS: number, apartS: number, timeZone: string): number[] {
  const splits: number[] = [];
  const add = (atMs: number): void => {
    const timeS = atMs / 1000;
    if (timeS >= fromS && timeS <= toS && timeS > (splits.at(-1) ?? -Infinity)) splits.push(timeS);
  };
  let day = localDay(fromS * 1000, timeZone);
  if (apartS >= MONTH_S) {
    const months = Math.max(1, Math.round(apartS / (30 * DAY_S)));
    const unit = months % 12 === 0 ? 'year' : 'month';
    const step = unit === 'year' ? months / 12 : months;
    for (day = firstDay(day, unit); startOfDay(day, timeZone) <= toS * 1000; ) {
      add(startOfDay(day, timeZone));
      for (let i = 0; i < step; i++) day = nextDay(day, unit);
    }
    return splits;
  }
  const days = Math.max(1, Math.round(apartS / DAY_S));
  for (; startOfDay(day, timeZone) <= toS * 1000; day += days) {
    add(startOfDay(day, timeZone));
    for (let wallMs = day * DAY_MS + apartS * 1000; wallMs < (day + 1) * DAY_MS; wallMs += apartS * 1000) {
      const atMs = instantOf(wallMs, timeZone);
      if (localTime(atMs, timeZone) === wallMs) add(atMs);
    }
  }
  return splits;
}
