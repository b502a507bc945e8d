import type { MetricValue } from '@heliograph/client';
import type { Shown } from '../../format/numbers.ts';
import type { Format } from '../../format/use-format.ts';

/** Stands where a value is not known. */
export const DASH = '–';

/** What flags are called in the reader's language. */
export interface FlagWords {
  readonly on: string;
  readonly off: string;
}

/** Units that are a way of writing, and nothing to show. */
const NO_UNITS: ReadonlySet<string> = new Set(['Enabled', 'hhmm']);

/**
 * A metric's value as a reader sees it: powers and energies in the unit that keeps them short, flags as words, unknown
 * as a dash and never 0.
 */
export function shownValue(value: MetricValue | undefined, unit: string, format: Format, flags: FlagWords): Shown {
  if (value === null || value === undefined || value === '') return { number: DASH, unit: '' };
  if (typeof value === 'boolean') return { number: value ? flags.on : flags.off, unit: '' };
  const shownUnit = NO_UNITS.has(unit) ? '' : unit;
  if (typeof value === 'string') return { number: value, unit: shownUnit };
  if (unit === 'W') return format.power(value);
  if (unit === 'kWh') return format.energy(value);
  return { number: format.number(value), unit: shownUnit };
}

/** Number and unit as one text, which no line break parts. */
export function joined({ number, unit }: Shown): string {
  return unit === '' ? number : `${number}\u00a0${unit}`;
}
