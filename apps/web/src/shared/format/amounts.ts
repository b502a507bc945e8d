import type { FormattedQuantity } from './numbers.ts';
import type { Format } from './use-format.ts';

/** Stands where a number is not known. */
export const DASH = '–';

/** A number of some unit, large powers and energies in the unit that keeps them short. @param unit as metrics have it */
export function formatQuantity(value: number, unit: string, format: Format): FormattedQuantity {
  if (unit === 'W') return format.power(value);
  if (unit === 'kWh') return format.energy(value);
  return { number: format.number(value), unit };
}

/** Number and unit as one text, which no line break parts. */
export function quantityText({ number, unit }: FormattedQuantity): string {
  return unit === '' ? number : `${number}\u{A0}${unit}`;
}
