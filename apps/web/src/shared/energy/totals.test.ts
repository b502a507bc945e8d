import { describe, expect, it } from 'vitest';
import { type EnergyTotals, selfConsumption, selfSufficiency } from './totals.ts';

const DAY: EnergyTotals = { solar: 20, load: 10, gridIn: 1, gridOut: 8, batteryIn: 5, batteryOut: 4 };

describe('self-sufficiency', () => {
  it.each<[string, Partial<EnergyTotals>, number | null]>([
    ['of a usual day', {}, 0.9],
    ['without anything from the grid', { gridIn: 0 }, 1],
    ['with all from the grid', { gridIn: 10 }, 0],
    ['cannot be told when the grid charged a battery, too', { gridIn: 12 }, null],
    ['cannot be told before anything was used', { load: 0, gridIn: 0 }, null],
    ['cannot be told of a grid that nobody measures', { gridIn: undefined }, null],
    ['cannot be told while something is unknown', { load: null }, null],
  ])('%s', (_what, part, expected) => {
    expect(selfSufficiency({ ...DAY, ...part })).toBe(expected);
  });
});

describe('own use', () => {
  it.each<[string, Partial<EnergyTotals>, number | null]>([
    ['of a usual day', {}, 0.6],
    ['cannot be told at night', { solar: 0, gridOut: 0 }, null],
    ['cannot be told when a battery was emptied into the grid', { solar: 5, gridOut: 8 }, null],
    ['cannot be told while something is unknown', { gridOut: null }, null],
  ])('%s', (_what, part, expected) => {
    expect(selfConsumption({ ...DAY, ...part })).toBe(expected);
  });
});
