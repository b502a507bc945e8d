import { type MetricValue, type Quantity, roundTo } from '@heliograph/metrics';
import type { Reading } from './driver.ts';

/** A quantity and its value: an answer of the hardware comes down to some of these. */
export type Entry = readonly [quantity: Quantity, value: MetricValue];

export function quantitiesOf(entries: readonly Entry[]): readonly Quantity[] {
  return entries.map(([quantity]) => quantity);
}

/** Rounded as the quantities promise. */
export function readingOf(entries: readonly Entry[]): Reading {
  return new Map(entries.map(([quantity, value]) => [quantity.name, roundTo(quantity, value)]));
}

/** Whether the entries hold something that is not among the quantities. */
export function hasNewQuantity(entries: readonly Entry[], quantities: readonly Quantity[]): boolean {
  const known = new Set(quantities.map(({ name }) => name));
  return entries.some(([{ name }]) => !known.has(name));
}
