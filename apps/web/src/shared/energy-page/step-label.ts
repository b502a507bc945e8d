import { offsetIn, repeatedTimes } from '@heliograph/contracts/repeated-times';
import { useTranslation } from 'react-i18next';
import { regionalTag } from '../format/region.ts';
import type { EnergyUnit } from './energy-selection.ts';

/**
 * How a step of a day, week, month or year is named, in full or as short as below a bar. An hour that the clock shows twice has
 * its offset in its full name.
 *
 * The times of steps are those of the site's clock: they are written as they are, whatever the reader's time zone.
 */
export function useStepLabel(
  unit: EnergyUnit,
  steps: readonly { readonly from: string }[],
): (from: string, isShort?: boolean) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  const [full, short] = FORMATS[unit].map(
    (options) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }),
  );
  const repeated = repeatedTimes(steps.map(({ from }) => from));
  return (from, isShort = false) => {
    const label = ((isShort ? short : full) as Intl.DateTimeFormat).format(new Date(`${from.slice(0, 19)}Z`));
    return !isShort && repeated.has(from) ? `${label} (UTC${offsetIn(from)})` : label;
  };
}

const FORMATS: Readonly<
  Record<EnergyUnit, readonly [Intl.DateTimeFormatOptions, Intl.DateTimeFormatOptions]>
> = {
  day: [{ hour: 'numeric', minute: '2-digit' }, { hour: 'numeric' }],
  week: [{ weekday: 'long', day: 'numeric', month: 'long' }, { weekday: 'short' }],
  month: [{ weekday: 'short', day: 'numeric', month: 'long' }, { day: 'numeric' }],
  year: [{ month: 'long', year: 'numeric' }, { month: 'short' }],
};

/** How the shown time is named: "Sunday, 22 November 2026", "16 – 22 November 2026", "November 2026", "2026". */
export function useSpanLabel(): (unit: EnergyUnit, from: string, lastDay: string) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  return (unit, from, lastDay) => {
    const format = new Intl.DateTimeFormat(locale, { ...SPANS[unit], timeZone: 'UTC' });
    return unit === 'week'
      ? format.formatRange(new Date(from), new Date(lastDay))
      : format.format(new Date(from));
  };
}

const SPANS: Readonly<Record<EnergyUnit, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  week: { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
};
