import type { CodeLabels } from '../registers.ts';

export const ACTIVE_INPUT: CodeLabels = {
  0: 'Unknown',
  1: 'Grid',
  2: 'Generator',
  3: 'Shore',
  240: 'Not connected',
};

export const BATTERY_STATE: CodeLabels = { 0: 'Idle', 1: 'Charging', 2: 'Discharging' };

export const VEBUS_STATE: CodeLabels = {
  0: 'Off',
  1: 'Low power',
  2: 'Fault',
  3: 'Bulk',
  4: 'Absorption',
  5: 'Float',
  6: 'Storage',
  7: 'Equalize',
  8: 'Passthru',
  9: 'Inverting',
  10: 'Power assist',
  11: 'Power supply',
  244: 'Sustain',
  252: 'External control',
};

export const CHARGER_STATE: CodeLabels = {
  0: 'Off',
  2: 'Fault',
  3: 'Bulk',
  4: 'Absorption',
  5: 'Float',
  6: 'Storage',
  7: 'Equalize',
  11: 'Other (Hub-1)',
  252: 'External control',
};

/** By number; other faults are shown by their number. */
export const VEBUS_FAULT: CodeLabels = {
  0: 'OK',
  1: '1 Switched off with another phase',
  2: '2 Old and new MK2 mixed',
  3: '3 Other devices than expected',
  4: '4 No other device',
  5: '5 Overvoltage at the output',
  6: '6 DDC program',
  7: '7 BMS without its assistant',
  10: '10 Time synchronisation',
  14: '14 Device cannot transmit',
  16: '16 Dongle missing',
  17: '17 Another device became master',
  18: '18 Overvoltage while switched off',
  22: '22 Cannot be a slave',
  24: '24 Switch-over protection',
  25: '25 Firmware does not fit',
  26: '26 Internal error',
};

/** Register 2900 while it is read: what the GX makes of the mode that was chosen. */
export const ESS_STATE: CodeLabels = {
  0: 'BatteryLife off',
  1: 'Restarting',
  2: 'Self-consumption',
  3: 'Self-consumption',
  4: 'Self-consumption',
  5: 'Discharge disabled',
  6: 'Force charge',
  7: 'Sustain',
  8: 'Low SoC recharge',
  9: 'Keep batteries charged',
  10: 'Self-consumption, BatteryLife off',
  11: 'Low SoC, BatteryLife off',
  12: 'Low SoC recharge, BatteryLife off',
};

const OFF = 'BatteryLife off';
const ON = 'BatteryLife on';

/** The same as a setting: 0 and 1 are written, and become one of the others by themselves. 9 is neither. */
export const BATTERY_LIFE: CodeLabels = {
  0: OFF,
  1: ON,
  2: ON,
  3: ON,
  4: ON,
  5: ON,
  6: ON,
  7: ON,
  8: ON,
  10: OFF,
  11: OFF,
  12: OFF,
};
