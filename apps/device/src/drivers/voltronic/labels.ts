type Labels = Readonly<Record<string, string>>;

export const OUTPUT_MODES: Labels = {
  0: 'Single',
  1: 'Parallel',
  2: 'Phase 1 of 3',
  3: 'Phase 2 of 3',
  4: 'Phase 3 of 3',
  5: 'Phase 1 of 2',
  6: 'Phase 2 of 2 (120)',
  7: 'Phase 2 of 2 (180)',
};

export const MACHINE_TYPES: Labels = { 0: 'Grid tie', 1: 'Off grid', 10: 'Hybrid' };

export const TOPOLOGIES: Labels = { 0: 'Transformerless', 1: 'Transformer' };

export const INPUT_RANGES: Labels = { 0: 'Appliance', 1: 'UPS' };

export const BATTERY_TYPES: Labels = {
  0: 'AGM',
  1: 'Flooded',
  2: 'User',
  3: 'Pylontech',
  4: 'Shinheung',
  5: 'WECO',
  6: 'Soltaro',
};

/** Battery types from this code on are batteries that talk to the inverter, which then knows their charge. */
const FIRST_WITH_BMS = 3;

export function hasBms(batteryType: number | null): boolean {
  return batteryType !== null && batteryType >= FIRST_WITH_BMS;
}

/** A setting that is on or off. */
export const SWITCH_LABELS: Labels = { 0: 'Disabled', 1: 'Enabled' };
