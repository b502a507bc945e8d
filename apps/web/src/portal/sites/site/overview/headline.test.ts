import { expect, it } from 'vitest';
import { directionOf, headlineOf, headlineOfNewest } from './headline.ts';

it('headlineOf selects the topics of the headline', () => {
  const metrics = [
    { topic: 'total/pv_power', value: 1240 },
    { topic: 'total/grid_power', value: 0 },
    { topic: 'total/battery_power', value: null },
    { topic: 'total/pv_energy', value: 12.5 },
  ];
  expect(headlineOf(metrics)).toEqual({ headline: { solar: 1240, grid: 0, battery: null } });
});

it('values of silent hardware are those that were read last, with the time of the newest of them', () => {
  const silent = { value: null, stale: true };
  const metrics = [
    { ...silent, topic: 'total/pv_power', last_value: 1240, updated_at: '2026-06-21T10:31:00Z' },
    { ...silent, topic: 'total/grid_power', last_value: -300, updated_at: '2026-06-21T10:31:05Z' },
    { ...silent, topic: 'total/battery_power', last_value: null, updated_at: null },
    { ...silent, topic: 'total/load_power', updated_at: '2026-06-21T10:30:00Z' },
  ];
  expect(headlineOf(metrics)).toEqual({
    headline: { solar: 1240, grid: -300, battery: null, load: null },
    oldSince: '2026-06-21T10:31:05Z',
  });
});

it('a value that is a text is unknown, never 0', () => {
  expect(headlineOf([{ topic: 'total/load_power', value: 'n/a' }])).toEqual({ headline: { load: null } });
});

it.each([
  [1200, 'in'],
  [10, 'in'],
  [9.9, 'still'],
  [0, 'still'],
  [-9.9, 'still'],
  [-10, 'out'],
  [null, 'still'],
] as const)('a power of %s W has the direction %s', (power, direction) => {
  expect(directionOf(power)).toBe(direction);
});

it('the last values of a site without a battery have none', () => {
  const unknown = { battery_power: null, state_of_charge: null, pv: 4, load: 2, battery_in: null };
  const energy = { battery_out: null, grid_in: 1, grid_out: 0 };
  const at = { at: '2026-11-26T10:00:00Z', date: '2026-11-26' };
  const newest = { ...at, ...unknown, ...energy, pv_power: 1200, load_power: 0, grid_power: -1200 };
  expect(headlineOfNewest(newest)).toEqual({ solar: 1200, load: 0, grid: -1200 });
});
