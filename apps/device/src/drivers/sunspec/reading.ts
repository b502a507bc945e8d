import { type MetricValue, type Quantity, quantities, roundTo } from '@heliograph/metrics';
import type { Reading } from '../driver.ts';
import type { ModelFrame } from './model-reader.ts';
import type { SunSpecUnitPlan } from './unit-plan.ts';

/** What is left over: PV power and grid power, less battery power. */
export const LOAD_POWER = quantities.power('Load power');

/** Everything that a unit reports. */
export function quantitiesOf(plan: SunSpecUnitPlan): readonly Quantity[] {
  const measured = plan.measurements.map(({ quantity }) => quantity);
  return hasLoad(plan) ? [...measured, LOAD_POWER] : measured;
}

/**
 * A unit's values of one frame.
 *
 * @param shown how exactly a value is told; rounded as its quantity promises unless said otherwise
 */
export function readingOf(plan: SunSpecUnitPlan, frame: ModelFrame, shown = roundTo): Reading {
  const reading = new Map<string, MetricValue>();
  for (const { quantity, read } of plan.measurements) {
    const value = read(frame);
    if (value !== undefined) reading.set(quantity.name, shown(quantity, value));
  }
  if (hasLoad(plan)) setLoad(plan, reading);
  return reading;
}

/** The load is what is left over, so it takes a PV power and a meter to know it. */
function hasLoad({ measurements }: SunSpecUnitPlan): boolean {
  const has = (name: string): boolean => measurements.some(({ quantity }) => quantity.name === name);
  return has('PV power') && has('Grid power');
}

/** From the powers as they are shown, so that the balance holds exactly for whoever adds them up. */
function setLoad(plan: SunSpecUnitPlan, reading: Map<string, MetricValue>): void {
  const hasBattery = plan.measurements.some(({ quantity }) => quantity.name === 'Battery power');
  const pv = reading.get('PV power');
  const grid = reading.get('Grid power');
  const battery = hasBattery ? reading.get('Battery power') : 0;
  if (pv === undefined || grid === undefined || battery === undefined) return;
  const known = typeof pv === 'number' && typeof grid === 'number' && typeof battery === 'number';
  reading.set(LOAD_POWER.name, known ? pv + grid - battery : null);
}
