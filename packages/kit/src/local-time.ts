const HOUR_MS = 60 * 60 * 1000;

/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** A local date as days since 1970-01-01 of its own calendar, which makes date arithmetic plain. */
export type LocalDay = number;

/** The date that the calendar of a zone shows at a moment. */
export function localDay(atMs: number, zone: string): LocalDay {
  return Math.floor(localTime(atMs, zone) / DAY_MS);
}

/** The first instant of a date; 01:00 where a change of the clock skips midnight, the first where it repeats. */
export function startOfDay(day: LocalDay, zone: string): number {
  return instantOf(day * DAY_MS, zone);
}

/** Farther than any zone's clock is from UTC (-12 to +14 hours), and than any clock change moves it. */
const FARTHEST_OFFSET_MS = 26 * HOUR_MS;

/**
 * When the clock of a zone shows a time: the first such moment, and where a change of the clock skips it the moment of
 * the change.
 *
 * @param wallMs what the clock shows, as if it were UTC, in milliseconds since the epoch
 * @returns milliseconds since the epoch
 */
export function instantOf(wallMs: number, zone: string): number {
  const candidates = [wallMs - FARTHEST_OFFSET_MS, wallMs + FARTHEST_OFFSET_MS]
    .map((around) => wallMs - (localTime(around, zone) - around))
    .filter((at) => localTime(at, zone) === wallMs);
  if (candidates.length > 0) return Math.min(...candidates);
  return firstInstant(wallMs - FARTHEST_OFFSET_MS, wallMs + FARTHEST_OFFSET_MS, (at) => {
    return localTime(at, zone) >= wallMs;
  });
}

/** The first moment in (from, to] at which the condition holds, given that it holds from there on. */
export function firstInstant(from: number, to: number, holds: (at: number) => boolean): number {
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The wall clock of a zone, as if it were UTC, in milliseconds since the epoch. @throws RangeError for no zone, or no time */
export function localTime(atMs: number, zone: string): number {
  return atMs + offsetAt(atMs, zone);
}

/** How far the clock of a zone is ahead of UTC, in milliseconds. */
function offsetAt(atMs: number, zone: string): number {
  const hour = Math.floor(atMs / HOUR_MS);
  const offsetMs = offsetOfHour(hour, zone);
  // No zone changes its clock twice within an hour.
  return offsetMs === offsetOfHour(hour + 1, zone) ? offsetMs : formattedOffset(Math.floor(atMs), zone);
}

/** The most hours that are remembered, of all zones. */
const MAX_HOURS = 10_000;

/** Formatting takes a hundred times as long as looking up. */
const offsets = new Map<string, Map<number, number>>();
let remembered = 0;

/** @param hour since the epoch, at whose beginning the offset is */
function offsetOfHour(hour: number, zone: string): number {
  const known = offsets.get(zone)?.get(hour);
  if (known !== undefined) return known;
  const offsetMs = formattedOffset(hour * HOUR_MS, zone);
  if (remembered === MAX_HOURS) {
    offsets.clear();
    remembered = 0;
  }
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, ofZone.set(hour, offsetMs));
  remembered++;
  return offsetMs;
}

function formattedOffset(atMs: number, zone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(atMs)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** More than there are zones: their names ignore case, so that one zone has many spellings. */
const MAX_FORMATTERS = 1_000;

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
    if (formatters.size === MAX_FORMATTERS) formatters.clear();
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** A moment as the clock of a zone shows it, ISO 8601 with whole seconds and its offset: 2026-06-21T14:00:00+02:00. */
export function localIso(atMs: number, zone: string): string {
  const wholeMs = Math.floor(atMs / 1000) * 1000;
  const wallMs = localTime(wholeMs, zone);
  const minutes = Math.round((wallMs - wholeMs) / 60_000);
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${new Date(wallMs).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}
