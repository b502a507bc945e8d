import { describe, expect, it } from 'vitest';
import { type EnergyTotals, selfConsumption, selfSufficiency } from './totals.ts';

const DAY: EnergyTotals = { solar: 20, load: 10, gridIn: 1, gridOut: 8, batteryIn: 5, batteryOut: 4 };

describe('self-sufficiency', () => {
  it.each<[string, Partial<EnergyTotals>, number | null]>([
    ['of a usual day', {}, 0.9],
    ['without anything from the grid', { gridIn: 0 }, 1],
    ['with all from the grid', { gridIn: 10 }, 0],
    ['is unknown when the grid charged a battery, too', { gridIn: 12 }, null],
    ['is unknown before anything was used', { load: 0, gridIn: 0 }, null],
    ['is unknown without a meter at the grid', { gridIn: undefined }, null],
    ['is unknown while something is unknown', { load: null }, null],
  ])('self-sufficiency %s', (_what, part, expected) => {
    expect(selfSufficiency({ ...DAY, ...part })).toBe(expected);
  });
});

describe('self-consumption', () => {
  it.each<[string, Partial<EnergyTotals>, number | null]>([
    ['of a usual day', {}, 0.6],
    ['is unknown at night', { solar: 0, gridOut: 0 }, null],
    ['is unknown when a battery was emptied into the grid', { solar: 5, gridOut: 8 }, null],
    ['is unknown while something is unknown', { gridOut: null }, null],
  ])('self-consumption %s', (_what, part, expected) => {
    expect(selfConsumption({ ...DAY, ...part })).toBe(expected);
  });
});
