import type { EnergyAnswer } from '@heliograph/client';
import { csvOf } from '@heliograph/contracts/csv';
import { expect, it } from 'vitest';
import { energyRows } from './energy-csv.ts';

const AMOUNTS = { grid_in: 5, coverage: 1, net_cost: 1.2, costs_since: null, costs_unsettled: true };

/** The energy of two months, with fewer fields than a device answers. */
function answer(currency: string | null): EnergyAnswer {
  const partial = { ...AMOUNTS, costs_since: '2026-02-11T00:00:00+01:00' };
  return {
    currency,
    total: partial,
    steps: [
      { from: '2026-02-01T00:00:00+01:00', ...partial },
      { from: '2026-03-01T00:00:00+01:00', ...AMOUNTS },
    ],
  } as unknown as EnergyAnswer;
}

it('a month in which the prices begin has in the CSV since when its money is', () => {
  expect(
    csvOf(energyRows(answer('EUR')))
      .trim()
      .split('\r\n'),
  ).toEqual([
    'from,grid_in_kwh,coverage,net_cost_eur,costs_since,costs_unsettled',
    '2026-02-01T00:00:00+01:00,5,1,1.2,2026-02-11T00:00:00+01:00,true',
    '2026-03-01T00:00:00+01:00,5,1,1.2,,true',
  ]);
});

it('the CSV of a site without prices has no column of money', () => {
  expect(csvOf(energyRows(answer(null))).split('\r\n')[0]).toBe('from,grid_in_kwh,coverage');
});
