import { energyAnswer } from '@heliograph/contracts/energy-answer';
import { expect, it } from 'vitest';
import { readEnergy } from './read-energy.ts';

const nowMs = Date.parse('2026-03-01T00:00:00Z');
const pricedMs = Date.parse('2026-01-01T00:00:00Z');

it('get_energy has the beginning of the money of a step in which prices begin, and marks what is not settled', async () => {
  const source = {
    zone: 'UTC',
    nowMs,
    unitsPerKwh: 1,
    since: Date.parse('2025-07-01T00:00:00Z'),
    sum: () => ({ grid_in: 1 }),
    money: {
      currency: 'EUR',
      costs: (fromMs: number, toMs: number) =>
        toMs <= pricedMs
          ? undefined
          : {
              importCost: 1,
              exportEarnings: 0,
              fixedCharges: 0,
              savings: 0,
              isUnsettled: toMs - fromMs < 30 * 24 * 3_600_000,
              ...(fromMs < pricedMs && { sinceMs: pricedMs }),
            },
    },
    pause: async () => {},
  };
  const readable = { zone: 'UTC', nowMs, read: (request: object) => energyAnswer(source, request) };
  const { total, steps } = await readEnergy(readable, {
    from: '2025-12-01',
    to: '2026-02-28',
    step: 'month',
  });
  expect(total).toMatchObject({ import_cost: 1, costs_since: '2026-01-01T00:00:00+00:00' });
  expect(steps.map((step) => [step.import_cost, step.costs_since, step.costs_unsettled])).toEqual([
    [null, null, null],
    [1, null, false],
    [1, null, true],
  ]);
});
