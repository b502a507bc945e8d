import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { Reading } from '../driver.ts';
import { type Precision, withPrecision } from '../precision.ts';
import type { RegisterValues } from '../registers.ts';
import type { SunSpecUnitPlan } from './unit-plan.ts';

/** The remainder of the balance: PV power plus grid power, less battery power. */
export const LOAD_POWER = quantities.power('Load power');

/** Everything that a unit reports. */
export function quantitiesOf(plan: SunSpecUnitPlan): readonly Quantity[] {
  const measured = plan.measurements.map(({ quantity }) => quantity);
  return hasLoad(plan) ? [...measured, LOAD_POWER] : measured;
}

/** A unit's values of one frame. */
export function readingOf(
  plan: SunSpecUnitPlan,
  frame: RegisterValues,
  precision: Precision = 'rounded',
): Reading {
  const reading = new Map<string, MetricValue>();
  for (const { quantity, read } of plan.measurements) {
    const value = read(frame);
    if (value !== undefined) reading.set(quantity.name, withPrecision(precision, quantity, value));
  }
  if (hasLoad(plan)) setLoad(plan, reading);
  return reading;
}

/** The load is the remainder of the balance, so it requires a PV power and a meter. */
function hasLoad({ measurements }: SunSpecUnitPlan): boolean {
  const has = (name: string): boolean => measurements.some(({ quantity }) => quantity.name === name);
  return has('PV power') && has('Grid power');
}

/** Computed from the powers as they are shown, so that the balance holds exactly. */
function setLoad(plan: SunSpecUnitPlan, reading: Map<string, MetricValue>): void {
  const hasBattery = plan.measurements.some(({ quantity }) => quantity.name === 'Battery power');
  const pv = reading.get('PV power');
  const grid = reading.get('Grid power');
  const battery = hasBattery ? reading.get('Battery power') : 0;
  if (pv === undefined || grid === undefined || battery === undefined) return;
  const known = typeof pv === 'number' && typeof grid === 'number' && typeof battery === 'number';
  reading.set(LOAD_POWER.name, known ? pv + grid - battery : null);
}
