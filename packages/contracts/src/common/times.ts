import { BadRequest } from '@heliograph/kit';
import { dateOf } from '@heliograph/kit/calendar-days';
import { startOfDay } from '@heliograph/kit/local-time';

const SECOND_MS = 1_000;

/** A number from here on is milliseconds: as seconds it would be the year 5138. */
const FIRST_MS = 1e11;

/** The last time that can be asked for: the end of the year 9999. */
const LAST_MS = Date.UTC(10_000, 0, 1) - 1;

const ISO = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a time: ISO 8601 with its offset, or seconds or milliseconds since 1970.
 *
 * @param name the parameter, for the refusal
 * @returns milliseconds since the epoch, undefined when nothing is said
 * @throws BadRequest in plain words
 */
export function parseTime(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = /^\d{1,15}(\.\d{1,9})?$/.test(text) ? numberedTime(Number(text)) : isoTime(text);
  if (timeMs >= 0 && timeMs <= LAST_MS) return timeMs;
  throw new BadRequest(
    `${name} must be a time such as 2026-06-01T00:00:00Z, 2026-06-01T00:00:00+02:00 or 1780272000 (seconds since ` +
      `1970), not "${text}"`,
  );
}

function numberedTime(number: number): number {
  return Math.round(number < FIRST_MS ? number * SECOND_MS : number);
}

/** An offset's plus sign that was not escaped in the URL arrives as a space. */
function isoTime(text: string): number {
  const iso = text.replace(' ', '+');
  const [, date] = ISO.exec(iso) ?? [];
  return date !== undefined && isDate(date) ? Date.parse(iso) : Number.NaN;
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isDate(date: string): boolean {
  const atMs = Date.parse(date);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}

/** As `parseTime`, and a date is its beginning in a time zone. @throws BadRequest in plain words */
export function parseLocalTime(text: string | undefined, name: string, zone: string): number | undefined {
  const day = text === undefined ? undefined : dateOf(text);
  return day === undefined ? parseTime(text, name) : startOfDay(day, zone);
}
