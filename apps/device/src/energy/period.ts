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
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (latest.minute === minute && latest.zone === zone && latest.period === period) return latest.start;
  const start = startOfDay(firstDayOf(localDay(nowMs, zone), period), zone);
  if (nowMs >= WHOLE_MINUTES_SINCE_MS) latest = { minute, zone, period, start };
  return start;
}

/** Since then every zone is whole minutes from UTC, so that no period begins within a minute of UTC. */
const WHOLE_MINUTES_SINCE_MS = Date.UTC(1973, 0, 1);

/** Asking the time zone database takes longer than all else in a poll, and polls ask the same over and over. */
let latest = { minute: Number.NaN, zone: '', period: 'daily' as EnergyPeriod, start: 0 };

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A local date as days since 1970-01-01 of its own calendar, which makes date arithmetic plain. */
type LocalDay = number;

function firstDayOf(day: LocalDay, period: EnergyPeriod): LocalDay {
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

/** Farther than any zone's clock is from UTC (-12 to +14 hours), and than any clock change moves it. */
const FARTHEST_OFFSET_MS = 26 * HOUR_MS;

function startOfDay(day: LocalDay, zone: string): number {
  const midnight = day * DAY_MS;
  const candidates = [midnight - FARTHEST_OFFSET_MS, midnight + FARTHEST_OFFSET_MS]
    .map((around) => midnight - (localTime(around, zone) - around))
    .filter((at) => localTime(at, zone) === midnight);
  if (candidates.length > 0) return Math.min(...candidates);
  return firstInstant(midnight - FARTHEST_OFFSET_MS, midnight + FARTHEST_OFFSET_MS, (at) => {
    return localTime(at, zone) >= midnight;
  });
}

/** The first moment in (from, to] at which the condition holds, given that it holds from there on. */
function firstInstant(from: number, to: number, holds: (at: number) => boolean): number {
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

function localDay(atMs: number, zone: string): LocalDay {
  return Math.floor(localTime(atMs, zone) / DAY_MS);
}

/** What the wall clock of a zone shows, as if it were UTC, in milliseconds since the epoch. */
function localTime(atMs: number, zone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(atMs)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const millisecond = ((atMs % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + millisecond;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter costs far more than using it. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}
