import { HALF_WMS_PER_WH } from '../energy/energy-amount.ts';
import type { HourAmounts } from '../energy/hours/hour-ledger.ts';
import type { Production } from './conditions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many days make what is usual: seasons change little within them, and some of them are sunny. */
const USUAL_DAYS = 14;
/** Fewer make nothing usual. */
const MIN_DAYS = 5;
const USUAL_QUANTILE = 0.8;

/** Hours below this part of the best ones are dusk, in which the sun's way changes much from day to day. */
const MIN_SHARE_OF_BEST = 0.2;
/** A home of a small panel in December. */
const MIN_KWH = 0.3;

/** An hour of which less was measured is unknown. */
const COVERED_MS = HOUR_MS / 2;

/** The hours that begin within a time, with their energy. */
export type HoursBetween = (fromMs: number, toMs: number) => ReadonlyMap<number, HourAmounts>;

/**
 * The solar energy of the last full hours, and that of the same hours on the fourth best of the last fourteen days, which is
 * what they usually bring.
 *
 * @returns undefined at night, at dusk, while too little is known, and where hours were not measured
 */
export function productionOf(hours: HoursBetween, nowMs: number, count: number): Production | undefined {
  const known = hours(nowMs - (USUAL_DAYS + 1) * DAY_MS - HOUR_MS, nowMs);
  if (known.size === 0) return undefined;
  // Hours begin at half past or a quarter to an hour of UTC in some zones.
  const newestMs = Math.max(...known.keys());
  const endMs = newestMs + Math.floor((nowMs - newestMs) / HOUR_MS) * HOUR_MS;
  const sumOf = (toMs: number): number | undefined => {
    let sum = 0;
    for (let i = 1; i <= count; i++) {
      const hour = known.get(toMs - i * HOUR_MS);
      if (hour?.pv === undefined || (hour.covered_ms ?? 0) < COVERED_MS) return undefined;
      sum += hour.pv / HALF_WMS_PER_WH / 1000;
    }
    return sum;
  };
  const actualKwh = sumOf(endMs);
  if (actualKwh === undefined) return undefined;
  const sums = range(USUAL_DAYS).flatMap((day) => sumOf(endMs - (day + 1) * DAY_MS) ?? []);
  if (sums.length < MIN_DAYS) return undefined;
  const usualKwh = quantile(sums, USUAL_QUANTILE);
  const best = Math.max(...range(USUAL_DAYS * 24).map((hour) => sumOf(endMs - DAY_MS - hour * HOUR_MS) ?? 0));
  if (usualKwh < MIN_KWH || usualKwh < MIN_SHARE_OF_BEST * best) return undefined;
  return { actualKwh, usualKwh };
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round(part * (sorted.length - 1))] ?? 0;
}
