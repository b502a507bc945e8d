import type { HistoryStep } from './topic-history.ts';

/** Energy that a counter counted in a step, in kWh. */
export interface CountedStep {
  readonly atMs: number;
  readonly kwh: number;
}

/** A counter that falls by less than a tenth did not restart: meters waver by a digit or two. */
const RESTART = 0.9;

/**
 * The energy that a counter which restarts from zero counted, step by step. Where it restarted within a step, the energy before
 * it counts, which is its highest reading, and the energy after it, which is its last; the highest is the last where it has
 * passed since what it showed before.
 *
 * @param before its last reading before these steps, in kWh; where there is none it counts from the first reading on
 */
export function countedEnergy(
  steps: readonly HistoryStep[],
  before: number | undefined,
): readonly CountedStep[] {
  let reading = before;
  return steps.map(({ atMs, min, max, last }) => {
    const base = reading ?? min;
    const restarted = reading !== undefined && (last < RESTART * Math.max(base, max) || min < RESTART * base);
    reading = last;
    const earlier = last < max ? Math.max(0, max - base) : 0;
    return { atMs, kwh: Math.max(0, restarted ? earlier + last : last - base) };
  });
}

/** Rounded to whole watt-hours, without the noise of binary fractions. */
export function sumKwh(steps: readonly CountedStep[]): number {
  return roundKwh(steps.reduce((sum, { kwh }) => sum + kwh, 0));
}

export function roundKwh(kwh: number): number {
  return Math.round(kwh * 1000) / 1000;
}
