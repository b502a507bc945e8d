import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Reading } from './driver.ts';
import { type Precision, withPrecision } from './precision.ts';

/** A quantity and its value, decoded from an answer of the hardware. */
export type Entry = readonly [quantity: Quantity, value: MetricValue];

export function quantitiesOf(entries: readonly Entry[]): readonly Quantity[] {
  return entries.map(([quantity]) => quantity);
}

export function readingOf(entries: readonly Entry[], precision: Precision = 'rounded'): Reading {
  return new Map(
    entries.map(([quantity, value]) => [quantity.name, withPrecision(precision, quantity, value)]),
  );
}

export function hasNewQuantity(entries: readonly Entry[], quantities: readonly Quantity[]): boolean {
  const known = new Set(quantities.map(({ name }) => name));
  return entries.some(([{ name }]) => !known.has(name));
}
