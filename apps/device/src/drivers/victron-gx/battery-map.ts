import { BATTERY } from '../battery-quantities.ts';
import type { GxNumberLayout, GxRegisterRow } from './row.ts';

const number = (
  quantity: GxRegisterRow['quantity'],
  register: number,
  type: GxNumberLayout['type'],
  factor: number,
): GxRegisterRow => ({ quantity, register, type, factor });

/** What stands in a register that is never really 0. */
const present = (
  quantity: GxRegisterRow['quantity'],
  register: number,
  type: GxNumberLayout['type'],
  factor: number,
): GxRegisterRow => ({ quantity, register, type, factor, zeroIsUnknown: true });

export const BATTERY_VOLTAGE = present(BATTERY.voltage, 259, 'u16', 0.01);
export const BATTERY_CURRENT = number(BATTERY.current, 261, 's16', 0.1);
export const BATTERY_CHARGE = number(BATTERY.stateOfCharge, 266, 'u16', 0.1);

/** The power in 32 bits, and in 16 bits where there is no other. */
export const BATTERY_POWERS = [
  number(BATTERY.power, 256, 's32', 1),
  number(BATTERY.power, 258, 's16', 1),
] as const;

/** What a battery monitor or a battery's own management may tell besides. */
export const BATTERY_DETAILS: readonly GxRegisterRow[] = [
  present(BATTERY.temperature, 262, 's16', 0.1),
  present(BATTERY.stateOfHealth, 304, 'u16', 0.1),
  present(BATTERY.capacity, 309, 'u16', 0.1),
  present(BATTERY.cellLowest, 1290, 'u16', 0.01),
  present(BATTERY.cellHighest, 1291, 'u16', 0.01),
];

export const BATTERY_ROWS: readonly GxRegisterRow[] = [
  BATTERY_VOLTAGE,
  BATTERY_CURRENT,
  ...BATTERY_POWERS,
  BATTERY_CHARGE,
  ...BATTERY_DETAILS,
];
