import { type MetricValue, type Quantity, roundTo } from '@heliograph/metrics';

/** Values rounded as their quantities promise, so that sums hold as they are shown; or as exact as a recording has them. */
export type Precision = 'rounded' | 'exact';

export function withPrecision(precision: Precision, quantity: Quantity, value: MetricValue): MetricValue {
  return precision === 'rounded' ? roundTo(quantity, value) : withoutNoise(value);
}

/** Digits that a recording can have; what is beyond them is the noise of binary fractions. */
const SIGNIFICANT_DIGITS = 12;

export function withoutNoise(value: MetricValue): MetricValue {
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : null;
}
