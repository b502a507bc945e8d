import { firstInstant, type LocalDay, localTime, startOfDay } from './local-time.ts';

const HOUR_MS = 60 * 60 * 1000;

const MINUTE_MS = 60 * 1000;

/** An hour of a zone's clock, named by its first instant in milliseconds since the epoch. */
export type LocalHour = number;

/**
 * The hour that a moment lies in. Where a change of the clock repeats an hour these are two hours; a change within an hour, as
 * on Lord Howe Island by half an hour, ends it and begins another; zones that are not whole hours from UTC have hours of their
 * own.
 *
 * @param nowMs milliseconds since the epoch
 */
export function hourAt(nowMs: number, zone: string): LocalHour {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (latest.minute === minute && latest.zone === zone) return latest.hour;
  const offsetMs = localTime(nowMs, zone) - nowMs;
  const hasOffset = (atMs: number): boolean => localTime(atMs, zone) - atMs === offsetMs;
  const wholeHour = nowMs - ((((nowMs + offsetMs) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  const hour = hasOffset(wholeHour) ? wholeHour : firstInstant(wholeHour, nowMs, hasOffset);
  latest = { minute, zone, hour };
  return hour;
}

/** Polls ask the same over and over. */
let latest = { minute: Number.NaN, zone: '', hour: 0 };

/** The first hour after one: a change of the clock may end it early. */
export function hourAfter(hour: LocalHour, zone: string): LocalHour {
  const end = hour + HOUR_MS;
  return hourAt(end - 1, zone) === hour ? end : firstInstant(hour, end, (atMs) => hourAt(atMs, zone) > hour);
}

/** The hours of a date in order: 23 to 25; none of a date that a zone left out. */
export function hoursOfDay(day: LocalDay, zone: string): readonly LocalHour[] {
  const [startMs, endMs] = [startOfDay(day, zone), startOfDay(day + 1, zone)];
  const offsetAt = (atMs: number): number => localTime(atMs, zone) - atMs;
  // Working out each hour takes a hundred times as long.
  if (offsetAt(startMs) === offsetAt(endMs) && localTime(startMs, zone) % HOUR_MS === 0)
    return Array.from({ length: (endMs - startMs) / HOUR_MS }, (_, i) => startMs + i * HOUR_MS);
  const hours: LocalHour[] = [];
  for (let hour = startMs; hour < endMs; hour = hourAfter(hour, zone)) hours.push(hour);
  return hours;
}

/** The last hour that begins before a moment. @param endMs milliseconds since the epoch */
export function hourBefore(endMs: number, zone: string): LocalHour {
  return hourAt(endMs - 1, zone);
}
