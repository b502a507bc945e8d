import type { Quantity } from '@heliograph/metrics';
import { BATTERY } from '../battery-quantities.ts';

/** A column of the table that `pwr` shows, by its heading. Which there are depends on the firmware. */
export interface ConsoleColumn {
  readonly heading: string;
  readonly quantity: Quantity;
  /** The divisor of the number in the column. */
  readonly per: number;
}

export const MODULE = 'Power';
export const BASE_STATE = 'Base.St';
export const TIME = 'Time';
export const STATE_OF_CHARGE = 'Coulomb';

const PER_MILLI = 1000;

export const COLUMNS: readonly ConsoleColumn[] = [
  { heading: 'Volt', quantity: BATTERY.voltage, per: PER_MILLI },
  { heading: 'Curr', quantity: BATTERY.current, per: PER_MILLI },
  { heading: 'Tempr', quantity: BATTERY.temperature, per: PER_MILLI },
  { heading: 'Tlow', quantity: BATTERY.cellTemperatureLowest, per: PER_MILLI },
  { heading: 'Thigh', quantity: BATTERY.cellTemperatureHighest, per: PER_MILLI },
  { heading: 'Vlow', quantity: BATTERY.cellLowest, per: PER_MILLI },
  { heading: 'Vhigh', quantity: BATTERY.cellHighest, per: PER_MILLI },
  { heading: 'MosTempr', quantity: BATTERY.mosfetTemperature, per: PER_MILLI },
];

/** Without these a table is of something else. */
export const NEEDED: readonly string[] = [MODULE, 'Volt', 'Curr', BASE_STATE, STATE_OF_CHARGE];

export const ABSENT = 'Absent';

export const CHARGE_STATES: Readonly<Record<string, string>> = {
  Charge: 'Charging',
  Dischg: 'Discharging',
  Idle: 'Idle',
  Balance: 'Balancing',
};

/** Columns that hold `Normal` unless there is an alarm. */
export const STATES: readonly { readonly heading: string; readonly of: string }[] = [
  { heading: 'Volt.St', of: 'Voltage' },
  { heading: 'Curr.St', of: 'Current' },
  { heading: 'Temp.St', of: 'Temperature' },
  { heading: 'B.V.St', of: 'Cell voltage' },
  { heading: 'B.T.St', of: 'Cell temperature' },
  { heading: 'M.T.St', of: 'MOSFET temperature' },
];

export const NORMAL_STATE = 'Normal';
/** The content of an empty column. */
export const NOTHING = '-';
