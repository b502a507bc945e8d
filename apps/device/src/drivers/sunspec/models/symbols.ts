import type { Symbols } from './point.ts';

export const OFF_ON: Symbols = { 0: 'Disabled', 1: 'Enabled' };

/** Operating state of models 101 to 113. */
export const INVERTER_STATES: Symbols = {
  1: 'Off',
  2: 'Sleeping',
  3: 'Starting',
  4: 'MPPT',
  5: 'Throttled',
  6: 'Shutting down',
  7: 'Fault',
  8: 'Standby',
};

/** Charge status of models 124 and 802. */
export const CHARGE_STATES: Symbols = {
  1: 'Off',
  2: 'Empty',
  3: 'Discharging',
  4: 'Charging',
  5: 'Full',
  6: 'Holding',
  7: 'Testing',
};

/** Charge states that determine the direction of the battery's power. */
export const DISCHARGING = 3;
export const CHARGING = 4;
