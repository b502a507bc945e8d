import { expect, it } from 'vitest';
import { directionOf, headlineOf } from './headline.ts';

it('headlineOf selects the topics of the headline', () => {
  const metrics = [
    { topic: 'total/pv_power', value: 1240 },
    { topic: 'total/grid_power', value: 0 },
    { topic: 'total/battery_power', value: null },
    { topic: 'total/pv_energy', value: 12.5 },
  ];
  expect(headlineOf(metrics)).toEqual({ solar: 1240, grid: 0, battery: null });
});

it('a value that is a text is unknown, never 0', () => {
  expect(headlineOf([{ topic: 'total/load_power', value: 'n/a' }])).toEqual({ load: null });
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
