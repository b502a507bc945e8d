import { DAY_MS, type LocalDay, localDay, startOfDay } from '../common/local-time.ts';

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The machine's own time zone; UTC where it has none, or one that only the machine knows, as with an empty or a
 * mistyped `TZ`.
 */
export function machineTimeZone(
  name: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  return name !== undefined && isTimeZone(name) ? name : 'UTC';
}

/** How often the energy totals restart from zero. */
export const ENERGY_PERIODS = ['daily', 'weekly', 'monthly'] as const;

/** `daily` from midnight, `weekly` from Monday midnight, `monthly` from the 1st, all in local time. */
export type EnergyPeriod = (typeof ENERGY_PERIODS)[number];

/**
 * When the period that a moment lies in began: the first instant of its local date. Days of 23 or 25 hours,
 * midnights that a clock change skips (the day then begins at 01:00) or repeats (it begins at the first), and
 * dates that a zone left out are the time zone database's business, which Intl carries.
 *
 * @param nowMs milliseconds since the epoch
 * @param zone IANA name of a time zone
 * @returns milliseconds since the epoch
 */
export function periodStart(nowMs: number, zone: string, period: EnergyPeriod): number {
  const { day, startMs } = dayAt(nowMs, zone);
  return period === 'daily' ? startMs : startOfDay(firstDayOf(day, period), zone);
}

/** The local date of a moment, and its first instant in milliseconds since the epoch. */
export function dayAt(nowMs: number, zone: string): { readonly day: LocalDay; readonly startMs: number } {
  const day = localDay(nowMs, zone);
  return { day, startMs: startOfDay(day, zone) };
}

/** The first local date of the period that a date lies in. */
export function firstDayOf(day: LocalDay, period: EnergyPeriod): LocalDay {
  const date = new Date(day * DAY_MS);
  switch (period) {
    case 'daily':
      return day;
    case 'weekly':
      return day - ((date.getUTCDay() + 6) % 7);
    case 'monthly':
      return day - (date.getUTCDate() - 1);
  }
}
