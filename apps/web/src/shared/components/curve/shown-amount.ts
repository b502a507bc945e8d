import type { Shown } from '../../format/numbers.ts';
import type { Format } from '../../format/use-format.ts';

/** Means have digits that no meter had. */
const DIGITS = 2;

/** A number of a curve, which may be a mean of many readings. */
export function shownAmount(value: number, unit: string, format: Format): Shown {
  if (unit === 'W') return format.power(value);
  if (unit === 'kWh') return format.energy(value);
  return { number: format.number(Number(value.toFixed(DIGITS))), unit };
}
