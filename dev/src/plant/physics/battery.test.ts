import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BATTERY,
  cellTemperatureAfter,
  chargeLimitW,
  dischargeLimitW,
  restingCellV,
  stateOfCharge,
  storedAfter,
  terminal,
} from './battery.ts';

const SECOND_H = 1 / 3600;
const atPercent = (percent: number) => (BATTERY.capacityWh * percent) / 100;

describe('an LFP battery', () => {
  test.each([
    [0, 2.8],
    [20, 3.2],
    [50, 3.27],
    [100, 3.46],
  ])('a cell rests at %i percent with %d V', (percent, volts) => {
    expect(restingCellV(percent)).toBeCloseTo(volts, 6);
  });

  test('the resting voltage rises with the charge', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 99.9, noNaN: true }), (percent) => {
        expect(restingCellV(percent + 0.1)).toBeGreaterThan(restingCellV(percent));
      }),
    );
  });

  test('the voltage rises while charging and drops while discharging, and power is voltage times current', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5000, max: 5000 }),
        fc.integer({ min: 0, max: 100 }),
        (powerW, percent) => {
          const { volts, amps } = terminal(atPercent(percent), powerW);
          const rest = terminal(atPercent(percent), 0).volts;
          expect(Math.sign(volts - rest)).toBe(Math.sign(powerW));
          expect(volts * amps).toBeCloseTo(powerW, 6);
          expect(volts).toBeGreaterThan(43);
          expect(volts).toBeLessThan(57);
        },
      ),
    );
  });

  test.each([
    [50, 5000],
    [90, 5000],
    [96, 2650],
    [99, 887],
    [100, 0],
  ])('the charge limit at %i percent is %i W', (percent, watts) => {
    expect(chargeLimitW(atPercent(percent), SECOND_H)).toBe(watts);
  });

  test.each([
    [50, 10, 5000],
    [14, 10, 5000],
    [12, 10, 2650],
    [10, 10, 0],
    [5, 10, 0],
    [2, 0, 2650],
    [0, 0, 0],
  ])('the discharge limit at %i percent with a reserve of %i percent is %i W', (percent, reserve, watts) => {
    expect(dischargeLimitW(atPercent(percent), reserve, SECOND_H)).toBe(watts);
  });

  test('the battery returns 95 % of the energy that it took', () => {
    const full = storedAfter(atPercent(20), 4000, 1);
    const takenOut = (full - atPercent(20)) * BATTERY.oneWayEfficiency;
    expect(takenOut / 4000).toBeCloseTo(0.9506, 4);
    expect(stateOfCharge(storedAfter(full, -takenOut, 1))).toBeCloseTo(20, 9);
  });

  test('the cells warm at work and cool at rest', () => {
    const working = cellTemperatureAfter(20, 20, 5000, 1);
    expect(working).toBeGreaterThan(22);
    expect(working).toBeLessThan(31.5);
    expect(cellTemperatureAfter(30, 20, 0, 1)).toBeLessThan(30);
    expect(cellTemperatureAfter(30, 20, 0, 100)).toBeCloseTo(20, 6);
  });
});
