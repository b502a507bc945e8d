import { MONTH_S } from './time-splits.ts';

const DAY_S = 86_400;

/**
 * Labels of ticks on the time axis: clock times where two ticks are less than a day apart, days, months.
 *
 * @param apartS seconds between two ticks
 * @param timeZone IANA name
 * @returns formats a time in seconds since 1970
 */
export function timeTickFormat(apartS: number, locale: string, timeZone: string): (timeS: number) => string {
  const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' });
  const month = new Intl.DateTimeFormat(locale, { timeZone, month: 'short', year: '2-digit' });
  if (apartS >= MONTH_S) return (timeS) => month.format(timeS * 1000);
  if (apartS >= DAY_S) return (timeS) => day.format(timeS * 1000);
  return (timeS) => clock.format(timeS * 1000);
}

/**
 * The time that the cursor is at, with its day where more than one is shown. Steps of a day have the name of the day that most
 * of them is of: once the clock was set back, they begin before midnight.
 */
export function cursorTimeFormat(spanS: number, locale: string, timeZone: string): (timeS: number) => string {
  const isOfDays = spanS > 40 * DAY_S;
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    ...(spanS <= 1.2 * DAY_S
      ? { timeStyle: 'short' }
      : isOfDays
        ? { dateStyle: 'medium' }
        : { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  });
  return (timeS) => format.format((isOfDays ? timeS + DAY_S / 4 : timeS) * 1000);
}

/** The days that are shown. @param to the end, which does not belong to them; both in seconds since 1970 */
export function spanLabel(from: number, to: number, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' }).formatRange(
    from * 1000,
    to * 1000 - 1,
  );
}

/** Labels of ticks on an axis of values: all in one unit, with as few digits as distinguish them. */
interface ValueTickLabels {
  readonly unit: string;
  readonly labels: readonly string[];
}

const SCALES: Readonly<Record<string, readonly (readonly [factor: number, unit: string])[]>> = {
  W: [
    [1_000_000, 'MW'],
    [1_000, 'kW'],
  ],
};

export function valueTickLabels(values: readonly number[], unit: string, locale: string): ValueTickLabels {
  const size = Math.max(0, ...values.map(Math.abs));
  const [factor, shown] = SCALES[unit]?.find(([from]) => size >= from) ?? [1, unit];
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  return { unit: shown, labels: values.map((value) => format.format(value === 0 ? 0 : value / factor)) };
}
