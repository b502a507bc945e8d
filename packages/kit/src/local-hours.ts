import { localTime } from './local-time.ts';

const HOUR_MS = 60 * 60 * 1000;

const MINUTE_MS = 60 * 1000;

/** An hour of a zone's clock, named by its first instant in milliseconds since the epoch. */
export type LocalHour = number;

/**
 * The hour that a moment lies in. Where a change of the clock repeats an hour these are two hours; zones that are not whole
 * hours from UTC have hours of their own.
 *
 * @param nowMs milliseconds since the epoch
 */
export function hourAt(nowMs: number, zone: string): LocalHour {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (latest.minute === minute && latest.zone === zone) return latest.hour;
  const shownMs = localTime(nowMs, zone);
  const hour = nowMs - (((shownMs % HOUR_MS) + HOUR_MS) % HOUR_MS);
  latest = { minute, zone, hour };
  return hour;
}

/** Polls ask the same over and over. */
let latest = { minute: Number.NaN, zone: '', hour: 0 };

/** The last hour that begins before a moment. @param endMs milliseconds since the epoch */
export function hourBefore(endMs: number, zone: string): LocalHour {
  return hourAt(endMs - 1, zone);
}
