import { type Quantity, quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';

const PV_POWER = quantities.power('PV power');
const BATTERY_CURRENT = quantities.current('Battery current');
const BATTERY_POWER = quantities.power('Battery power');
const GRID_POWER = quantities.power('Grid power');
const LOAD_POWER = quantities.power('Load power');

export const POWER_QUANTITIES: readonly Quantity[] = [
  PV_POWER,
  BATTERY_CURRENT,
  BATTERY_POWER,
  GRID_POWER,
  LOAD_POWER,
];

/** The state of the grid at an inverter's load; `unknown` in modes that leave it open. */
export type GridState = 'grid' | 'no grid' | 'unknown';

/** The measured values of one inverter in W, A and V; null is unknown. */
export interface MeasuredPowers {
  readonly outputW: number | null;
  readonly pvW: number | null;
  /** Positive into the battery. */
  readonly batteryA: number | null;
  readonly batteryV: number | null;
  /** Undefined when the mode, on which it depends, was not read. */
  readonly grid: GridState | undefined;
  /** Whether it feeds PV or the battery into the grid. */
  readonly feeds: boolean;
}

/**
 * Adds what follows from the balance `load = pv + grid - battery`.
 *
 * Grid power is not measured. On the grid it is what load and battery take beyond the PV power, never below zero
 * unless the inverter feeds the grid; without the grid it is 0; in other modes it is unknown. The load is then what the
 * balance leaves, which is the output and the inverter's own losses. Battery currents are whole amperes, so the
 * battery is never taken to charge with more than the PV power leaves.
 */
export function balancedPowers(measured: MeasuredPowers): readonly Entry[] {
  const { outputW, pvW, grid } = measured;
  const gridW = gridPower(measured);
  const batteryW = batteryPower(measured);
  if (grid !== 'no grid' || pvW === null || batteryW === null || outputW === null) {
    return powerEntries(measured, { batteryW, gridW });
  }
  return powerEntries(measured, { batteryW: Math.min(batteryW, Math.round(pvW) - outputW), gridW });
}

interface BalancedPowers {
  readonly batteryW: number | null;
  /** Positive from the grid; undefined when it was not read. */
  readonly gridW: number | null | undefined;
}

/** The powers, of which the load is what the balance leaves, or the output while a part of the balance is unknown. */
export function powerEntries(
  { outputW, pvW, batteryA }: Pick<MeasuredPowers, 'outputW' | 'pvW' | 'batteryA'>,
  { batteryW, gridW }: BalancedPowers,
): readonly Entry[] {
  const isKnown = typeof gridW === 'number' && pvW !== null && batteryW !== null && outputW !== null;
  return [
    [PV_POWER, pvW],
    [BATTERY_CURRENT, batteryA],
    [BATTERY_POWER, batteryW],
    ...(gridW === undefined ? [] : [[GRID_POWER, gridW] as const]),
    [LOAD_POWER, isKnown ? Math.round(pvW) + gridW - batteryW : outputW],
  ];
}

function gridPower(measured: MeasuredPowers): number | null | undefined {
  const { pvW, grid, feeds } = measured;
  if (grid === undefined) return undefined;
  if (grid === 'no grid') return 0;
  const usedW = usedPower(measured);
  if (grid === 'unknown' || usedW === null || pvW === null) return null;
  const gridW = usedW - Math.round(pvW);
  return feeds ? gridW : Math.max(0, gridW);
}

/** The power into load and battery, in whole watts. */
export function usedPower(measured: MeasuredPowers): number | null {
  return sum(measured.outputW, batteryPower(measured));
}

/** Into the battery, in whole watts. */
export function batteryPower({
  batteryA,
  batteryV,
}: Pick<MeasuredPowers, 'batteryA' | 'batteryV'>): number | null {
  const watts = product(batteryA, batteryV);
  return watts === null ? null : Math.round(watts);
}

export function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

export function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

export function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a * b;
}
