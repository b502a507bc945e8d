import { useTranslation } from 'react-i18next';
import { type FormattedQuantity, formatEnergy, formatNumber, formatPower } from './numbers.ts';
import { regionalTag } from './region.ts';

/** How numbers and times are written in the reader's language. */
export interface Format {
  power(watts: number): FormattedQuantity;
  energy(kilowattHours: number): FormattedQuantity;
  number(value: number): string;
  /** Of the day, as clocks of the place show it. @param at milliseconds since 1970 or an ISO 8601 date-time */
  time(at: number | string): string;
  /** @param at as for `time`; a date such as 2026-06-21 stays that day, wherever the reader is */
  date(at: number | string): string;
  dateTime(at: number | string): string;
  /** "5 minutes ago". */
  ago(at: number | string, now?: number): string;
}

export function useFormat(): Format {
  const { i18n } = useTranslation();
  return formatFor(regionalTag(i18n.language));
}

/** One for each language, made once. */
const made = new Map<string, Format>();

export function formatFor(locale: string): Format {
  const known = made.get(locale);
  if (known !== undefined) return known;
  // Making one takes tens of milliseconds on a phone, and most pages need few of them.
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const calendarDate = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const format: Format = {
    power: (watts) => formatPower(watts, locale),
    energy: (kilowattHours) => formatEnergy(kilowattHours, locale),
    number: (value) => formatNumber(value, locale),
    time: (at) => time().format(new Date(at)),
    date: (at) => (isCalendarDate(at) ? calendarDate() : date()).format(new Date(at)),
    dateTime: (at) => dateTime().format(new Date(at)),
    ago: (at, now = Date.now()) => ago(relative(), (new Date(at).getTime() - now) / 1000),
  };
  made.set(locale, format);
  return format;
}

/** ISO 8601 takes a date without a time for its beginning in UTC. */
function isCalendarDate(at: number | string): boolean {
  return typeof at === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(at);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function ago(relative: Intl.RelativeTimeFormat, seconds: number): string {
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step === undefined
    ? relative.format(Math.round(seconds), 'second')
    : relative.format(Math.round(seconds / step[1]), step[0]);
}
