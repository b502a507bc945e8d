import { expect, it } from 'vitest';
import { directionOf, headlineOf } from './headline.ts';

it('takes the few topics that it is about', () => {
  const metrics = [
    { topic: 'total/pv_power', value: 1240 },
    { topic: 'total/grid_power', value: 0 },
    { topic: 'total/battery_power', value: null },
    { topic: 'total/pv_energy', value: 12.5 },
  ];
  expect(headlineOf(metrics)).toEqual({ solar: 1240, grid: 0, battery: null });
});

it('takes a text for unknown, never for 0', () => {
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
] as const)('%s W flow %s', (power, direction) => {
  expect(directionOf(power)).toBe(direction);
});
