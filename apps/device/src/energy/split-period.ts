import { defineMetric, quantities } from '@heliograph/metrics';
import type { LocalDay } from '../common/local-time.ts';
import {
  addEnergy,
  type EnergyAmount,
  HALF_WMS_PER_WH,
  halfWmsBetween,
  NO_ENERGY,
  withoutEnergy,
} from './energy-amount.ts';
import type { Energy, EnergyState } from './ledger.ts';

/** The energy that a counter counted on each local day from a day on, in kWh, as far as it is known. */
export type CountedDays = (topic: string, from: LocalDay) => Promise<ReadonlyMap<LocalDay, number>>;

/**
 * The state with the one sum of its day divided among that day and those after it, by what was recorded of them. What was
 * not recorded stays where it is, so that the sum is the same.
 */
export async function splitPeriod(state: EnergyState, countedDays: CountedDays): Promise<EnergyState> {
  const days = new Map<LocalDay, Record<string, EnergyAmount>>();
  for (const [name, sum] of Object.entries(state.days.get(state.day) ?? {})) {
    const topic = defineMetric('totals', null, quantities.periodEnergy(name)).topic;
    let left = sum;
    for (const [day, kwh] of await countedDays(topic, state.day)) {
      if (day <= state.day) continue;
      const rest = withoutEnergy(left, Math.round(kwh * 1000 * HALF_WMS_PER_WH));
      days.set(day, { ...days.get(day), [name]: addEnergy(NO_ENERGY, halfWmsBetween(rest, left)) });
      left = rest;
    }
    days.set(state.day, { ...days.get(state.day), [name]: left });
  }
  return { ...state, days: new Map<LocalDay, Energy>([...state.days, ...days]) };
}
