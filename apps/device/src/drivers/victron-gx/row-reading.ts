import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Reading } from '../driver.ts';
import { readRow } from './codec.ts';
import type { GxRegisterRow } from './row.ts';
import type { ServiceFrame } from './service-reader.ts';

/** A quantity and what is said of it: null is unknown, undefined was not read. */
export interface RowReading {
  readonly quantity: Quantity;
  readonly value: MetricValue | undefined;
  /** Not a quantity of this system as long as it is 0 or unknown, as a GX sends what there is not. */
  readonly optional?: true;
}

/** What a service says of its row: unknown while the GX does not have the service. */
export function valueIn(frame: ServiceFrame, row: GxRegisterRow): MetricValue | undefined {
  if (frame === 'absent') return null;
  return frame === undefined ? undefined : readRow(row, frame);
}

/** The same of a row that holds a number. */
export function numberIn(frame: ServiceFrame, row: GxRegisterRow): number | null | undefined {
  const value = valueIn(frame, row);
  return value === undefined || typeof value === 'number' ? value : null;
}

export function decodeRow(frame: ServiceFrame, row: GxRegisterRow): RowReading {
  return { quantity: row.quantity, value: valueIn(frame, row) };
}

/** Whether it makes a quantity of the unit. */
function isThere({ value, optional }: RowReading): boolean {
  if (value === undefined) return false;
  return !optional || (value !== null && value !== 0);
}

export function quantitiesIn(told: readonly RowReading[]): readonly Quantity[] {
  return told.filter(isThere).map(({ quantity }) => quantity);
}

/** @param quantities those of the unit: what is not among them is left out */
export function readingOf(told: readonly RowReading[], quantities: readonly Quantity[]): Reading {
  const names = new Set(quantities.map(({ name }) => name));
  return new Map(
    told.flatMap(({ quantity: { name }, value }) =>
      value !== undefined && names.has(name) ? [[name, value] as const] : [],
    ),
  );
}

/** Whether something is told that is not among the quantities. */
export function hasNewQuantity(told: readonly RowReading[], quantities: readonly Quantity[]): boolean {
  const names = new Set(quantities.map(({ name }) => name));
  return told.some((one) => isThere(one) && !names.has(one.quantity.name));
}
