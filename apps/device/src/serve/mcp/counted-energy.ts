import type { HistoryStep, SetCounter, TopicHistory } from './topic-history.ts';

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
 * A counter that was set counts up to the value before, and on from the value after.
 *
 * Where there is no step before these it counts from the first reading on.
 */
export function countedEnergy({
  steps,
  before,
  sets,
  stepMs,
}: Pick<TopicHistory, 'steps' | 'before' | 'sets' | 'stepMs'>): readonly CountedStep[] {
  let reading = before?.last;
  let fromMs = before === undefined ? Number.NEGATIVE_INFINITY : before.atMs + stepMs;
  return steps.map((step) => {
    const endMs = step.atMs + stepMs;
    const within = sets.filter(({ atMs }) => atMs >= fromMs && atMs < endMs);
    const kwh = within.length === 0 ? kwhOfStep(step, reading) : kwhOfSet(step, reading, within);
    reading = step.last;
    fromMs = endMs;
    return { atMs: step.atMs, kwh };
  });
}

function kwhOfStep({ min, max, last }: HistoryStep, before: number | undefined): number {
  const base = before ?? min;
  const restarted = before !== undefined && (last < RESTART * Math.max(base, max) || min < RESTART * base);
  const earlier = last < max ? Math.max(0, max - base) : 0;
  return Math.max(0, restarted ? earlier + last : last - base);
}

/** The lowest and the highest reading of such a step may be from before or after it was set: they do not count. */
function kwhOfSet({ last }: HistoryStep, before: number | undefined, sets: readonly SetCounter[]): number {
  let kwh = 0;
  let base = before;
  for (const { from, to } of sets) {
    kwh += base === undefined ? 0 : growth(base, from);
    base = to;
  }
  return kwh + growth(base ?? last, last);
}

function growth(from: number, to: number): number {
  return to < RESTART * from ? to : Math.max(0, to - from);
}

/** Rounded to whole watt-hours, without the noise of binary fractions. */
export function sumKwh(steps: readonly CountedStep[]): number {
  return roundKwh(steps.reduce((sum, { kwh }) => sum + kwh, 0));
}

export function roundKwh(kwh: number): number {
  return Math.round(kwh * 1000) / 1000;
}
