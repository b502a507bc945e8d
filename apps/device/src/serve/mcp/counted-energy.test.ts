import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedEnergy, sumKwh } from './counted-energy.ts';
import type { HistoryStep, SetCounter } from './topic-history.ts';

/** A step from what a counter showed in it, in order. */
const step = (...readings: readonly number[]): HistoryStep => ({
  atMs: 0,
  untilMs: 1,
  min: Math.min(...readings),
  mean: 0,
  max: Math.max(...readings),
  last: readings.at(-1) ?? 0,
});

const MINUTE_MS = 60_000;

const counted = (
  steps: readonly HistoryStep[],
  before: number | undefined,
  sets: readonly SetCounter[] = [],
): number => {
  const inTime = steps.map((each, i) => ({ ...each, atMs: i * MINUTE_MS }));
  const earlier = before === undefined ? undefined : { ...step(before), atMs: -MINUTE_MS };
  return sumKwh(countedEnergy({ steps: inTime, before: earlier, sets, stepMs: MINUTE_MS }));
};

describe('countedEnergy', () => {
  it.each<[string, readonly HistoryStep[], number | undefined, readonly SetCounter[], number]>([
    ['between two steps', [step(5), step(30, 30.2)], 4.9, [{ atMs: 61_000, from: 5.1, to: 30 }], 0.4],
    ['within a step', [step(5, 30, 30.2)], 4.9, [{ atMs: 30_000, from: 5.1, to: 30 }], 0.4],
    ['back', [step(30, 5, 5.2)], 29.9, [{ atMs: 30_000, from: 30.1, to: 5 }], 0.4],
    [
      'twice',
      [step(5, 30, 5, 5.2)],
      5,
      [
        { atMs: 10_000, from: 5.1, to: 30 },
        { atMs: 20_000, from: 30.1, to: 5.1 },
      ],
      0.3,
    ],
    ['after a restart', [step(0.2, 30, 30.1)], 5, [{ atMs: 30_000, from: 0.3, to: 30 }], 0.4],
    ['before the first step', [step(30, 30.2)], 30, [{ atMs: -90_000, from: 5, to: 30 }], 0.2],
    ['where nothing was read before', [step(30, 30.2)], undefined, [{ atMs: 0, from: 5, to: 30 }], 0.2],
  ])('a counter that was set %s counts no energy by that', (_when, steps, before, sets, kwh) => {
    expect(counted(steps, before, sets)).toBe(kwh);
  });

  it.each<[string, readonly HistoryStep[], number | undefined, number]>([
    ['nothing', [], 5, 0],
    ['from the reading before on', [step(5.5, 6)], 5, 1],
    ['from the first reading on, where nothing was read before', [step(5.5, 6)], undefined, 0.5],
    ['over a gap', [step(5, 6), step(8, 8.5)], 5, 3.5],
    ['over a restart between two steps', [step(11.5, 12), step(0, 0.5)], 11, 1.5],
    ['over a restart within a step', [step(11.5, 12, 0, 0.5)], 11, 1.5],
    ['over a restart that it has caught up with by the end of the step', [step(0.1, 4)], 3, 4],
    ['over a restart within a step in which it comes near', [step(3.2, 0.1, 3.1)], 3, 3.3],
    ['a counter that wavers', [step(1000, 1000.1), step(1000), step(1000.2)], 1000, 0.3],
  ])('%s', (_what, steps, before, kwh) => {
    expect(counted(steps, before)).toBe(kwh);
  });

  it('the counted energy equals the produced, however often the counter restarts and however the time is cut', () => {
    const production = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(
        production,
        fc.integer({ min: 24, max: 60 }),
        fc.integer({ min: 2, max: 12 }),
        (watts, day, cut) => {
          let counter = 0;
          const readings = watts.map((wattHours, i) => {
            counter = i % day === 0 ? wattHours : counter + wattHours;
            return counter / 1000;
          });
          const steps: HistoryStep[] = [];
          for (let i = 0; i < readings.length; i += cut) steps.push(step(...readings.slice(i, i + cut)));
          const sum = counted(steps, 0);
          const produced = watts.reduce((sum, wattHours) => sum + wattHours, 0) / 1000;
          // A restart that the counter makes up for before the next reading looks like none.
          const resets = Math.ceil(watts.length / day) - 1;
          expect(Math.abs(sum - produced)).toBeLessThanOrEqual(resets * MAX_UNCOUNTED_KWH + 1e-6);
          if (day >= 2 * cut && watts.every((wattHours) => wattHours > 100))
            expect(sum).toBeCloseTo(produced, 3);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** A day that produced hardly more than the first steps of the next one. */
const MAX_UNCOUNTED_KWH = 12 * 0.9;
