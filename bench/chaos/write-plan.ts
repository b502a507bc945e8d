import type { PlantSettings } from '@heliograph/dev/plant';

/** Values that one writer sets, again and again in its own order; no two writers share a value of a topic. */
export interface WritePlan {
  readonly topic: string;
  readonly values: readonly number[];
}

/** Settings of the simulated inverter, each one register, with the plant's names for them. */
export const PLANT_NAMES: Readonly<Record<string, keyof PlantSettings>> = {
  'inverter_1/max_charge_rate': 'InWRte',
  'inverter_1/max_discharge_rate': 'OutWRte',
  'inverter_1/battery_reserve': 'MinRsvPct',
};

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** Two of the writers share a topic, so that their writes meet. */
export const REST_WRITES: readonly WritePlan[] = [
  { topic: 'inverter_1/max_charge_rate', values: range(-100, 100, 2) },
  { topic: 'inverter_1/max_charge_rate', values: range(-99, 99, 2) },
  { topic: 'inverter_1/max_discharge_rate', values: range(-100, 100, 1) },
];

/** Of the writer who writes over the live stream. */
export const STREAM_WRITES: WritePlan = {
  topic: 'inverter_1/battery_reserve',
  values: range(0, 100, 1),
};
