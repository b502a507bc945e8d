import { DAY_MS, type LocalDay } from './local-time.ts';

export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** The first day of the week (a Monday), month or year that a day lies in. */
export function firstDay(day: LocalDay, unit: CalendarUnit): LocalDay {
  const date = new Date(day * DAY_MS);
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7);
    case 'month':
      return day - (date.getUTCDate() - 1);
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1) / DAY_MS;
  }
}

/** The first day of the next day, week, month or year. */
export function nextDay(day: LocalDay, unit: CalendarUnit): LocalDay {
  const date = new Date(day * DAY_MS);
  switch (unit) {
    case 'day':
      return day + 1;
    case 'week':
      return firstDay(day, unit) + 7;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
    case 'year':
      return Date.UTC(date.getUTCFullYear() + 1, 0, 1) / DAY_MS;
  }
}

/** The date of a day, as 2026-06-21. */
export function formatDate(day: LocalDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** A date such as 2026-06-21; undefined where the calendar has none of the kind, which `Date.parse` may take all the same. */
export function dateOf(text: string): LocalDay | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(text)) return undefined;
  return atMs / DAY_MS;
}
