import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Reading } from '../driver.ts';
import { readRow } from '../modbus/codec.ts';
import type { RegisterRow } from '../modbus/row.ts';
import { withCurrentOption } from '../unlisted-option.ts';
import type { ServiceFrame } from './service-reader.ts';

/** A quantity and its value: null is unknown, undefined was not read. */
export interface RowReading {
  readonly quantity: Quantity;
  readonly value: MetricValue | undefined;
  /** No quantity of this system as long as it is 0 or unknown, which a GX sends for missing values. */
  readonly optional?: true;
}

/** The value of a row in a service; null while the GX does not have the service. */
export function valueIn(frame: ServiceFrame, row: RegisterRow): MetricValue | undefined {
  if (frame === 'absent') return null;
  return frame === undefined ? undefined : readRow(row, frame);
}

/** The same of a row that holds a number. */
export function numberIn(frame: ServiceFrame, row: RegisterRow): number | null | undefined {
  const value = valueIn(frame, row);
  return value === undefined || typeof value === 'number' ? value : null;
}

export function decodeRow(frame: ServiceFrame, row: RegisterRow): RowReading {
  return { quantity: row.quantity, value: valueIn(frame, row) };
}

function isThere({ value, optional }: RowReading): boolean {
  if (value === undefined) return false;
  return !optional || (value !== null && value !== 0);
}

export function quantitiesIn(rows: readonly RowReading[]): readonly Quantity[] {
  return rows.filter(isThere).map(({ quantity, value }) => withCurrentOption(quantity, value));
}

/** @param quantities those of the unit; readings of other quantities are left out */
export function readingOf(rows: readonly RowReading[], quantities: readonly Quantity[]): Reading {
  const names = new Set(quantities.map(({ name }) => name));
  return new Map(
    rows.flatMap(({ quantity: { name }, value }) =>
      value !== undefined && names.has(name) ? [[name, value] as const] : [],
    ),
  );
}

export function hasNewQuantity(rows: readonly RowReading[], quantities: readonly Quantity[]): boolean {
  const names = new Set(quantities.map(({ name }) => name));
  return rows.some((one) => isThere(one) && !names.has(one.quantity.name));
}
