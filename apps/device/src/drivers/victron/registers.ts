import { type Quantity, quantities, type SettingRule } from '@heliograph/metrics';
import type { Unit } from '../driver.ts';
import type { CodeLabels } from '../registers.ts';
import { BATTERY_TYPE, CHARGER_MODE, OPERATION } from './states.ts';

export type ValueType = 'u8' | 'u16' | 's16' | 'u32';

/** The limits that the charger reports; undefined where it reports none. */
export interface Limits {
  readonly maxCurrentA: number | undefined;
  readonly lowestV: number | undefined;
  readonly highestV: number | undefined;
}

/**
 * A register of the HEX protocol.
 *
 * Sources: https://github.com/koestler/go-victron, https://github.com/krahabb/esphome-victron-vedirect.
 */
export interface Register {
  readonly id: number;
  readonly type: ValueType;
  /** Counts in one unit of the quantity. */
  readonly per?: number;
  readonly kind: Unit['kind'];
  readonly quantity: Quantity;
  readonly labels?: CodeLabels;
  /** The rule of writes; undefined where the charger reports no limits. Registers without it are not written. */
  readonly rule?: (limits: Limits) => SettingRule | undefined;
  /** Taken only while the battery type is "User defined". */
  readonly userDefined?: true;
  readonly remark?: string;
}

const { current, power, stateOfCharge, state, voltage } = quantities;

const choice = (name: string, labels: CodeLabels): Pick<Register, 'quantity' | 'labels' | 'rule'> => ({
  quantity: { name, group: 'Settings', unit: '' },
  labels,
  rule: () => ({ kind: 'select', options: Object.values(labels) }),
});

const chargeVoltage = (id: number, name: string): Register => ({
  id,
  type: 'u16',
  per: 100,
  kind: 'inverters',
  quantity: { name, group: 'Settings', unit: 'V', decimals: 2 },
  rule: ({ lowestV, highestV }) =>
    lowestV === undefined || highestV === undefined
      ? undefined
      : { kind: 'number', min: lowestV, max: highestV, step: 0.01 },
  userDefined: true,
  remark:
    'only with battery type "User defined"; bounds from the charger (0x2211, 0x2212), here of a 12 V one',
});

export const BATTERY_TYPE_REGISTER: Register = {
  id: 0xedf1,
  type: 'u8',
  kind: 'inverters',
  ...choice('Battery type', BATTERY_TYPE),
  remark: 'the voltages are those of a 12 V battery',
};

/** Registers of a solar charger that its text does not hold. */
export const CHARGER_SETTINGS: readonly Register[] = [
  { id: 0x0200, type: 'u8', kind: 'inverters', ...choice('MPPT enabled', CHARGER_MODE) },
  {
    id: 0xedf0,
    type: 'u16',
    per: 10,
    kind: 'inverters',
    quantity: { name: 'Max charge current', group: 'Settings', unit: 'A', decimals: 0 },
    rule: ({ maxCurrentA }) =>
      maxCurrentA === undefined ? undefined : { kind: 'number', min: 1, max: maxCurrentA, step: 1 },
    remark: 'the most is what the charger is rated for (0xEDDF, else its name), here of a 100|20',
  },
  BATTERY_TYPE_REGISTER,
  chargeVoltage(0xedf7, 'Battery absorption charge voltage'),
  chargeVoltage(0xedf6, 'Battery float charge voltage'),
  {
    id: 0xedf2,
    type: 's16',
    per: 100,
    kind: 'inverters',
    quantity: { name: 'Battery temperature compensation', group: 'Settings', unit: 'mV/K', decimals: 2 },
    remark: 'read only',
  },
];

/** Measurements that the text holds too: understood in recordings. */
const MEASUREMENTS: readonly Register[] = [
  { id: 0x0201, type: 'u8', kind: 'inverters', quantity: state('Device mode'), labels: OPERATION },
  { id: 0xedbc, type: 'u32', per: 100, kind: 'inverters', quantity: power('PV power') },
  {
    id: 0xedd5,
    type: 'u16',
    per: 100,
    kind: 'inverters',
    quantity: { ...voltage('Battery voltage'), decimals: 2 },
  },
  {
    id: 0xedad,
    type: 'u16',
    per: 10,
    kind: 'inverters',
    quantity: { ...current('Load current'), decimals: 2 },
  },
  { id: 0xed8d, type: 's16', per: 100, kind: 'batteries', quantity: { ...voltage('Voltage'), decimals: 3 } },
  {
    id: 0x0fff,
    type: 'u16',
    per: 100,
    kind: 'batteries',
    quantity: { ...stateOfCharge('State of charge'), decimals: 1 },
  },
];

export const REGISTERS: readonly Register[] = [...CHARGER_SETTINGS, ...MEASUREMENTS];

/** The registers behind `Limits`. */
export const LIMIT_REGISTERS = {
  maxCurrentA: { id: 0xeddf, type: 'u16', per: 10 },
  lowestV: { id: 0x2211, type: 'u16', per: 100 },
  highestV: { id: 0x2212, type: 'u16', per: 100 },
} as const satisfies Record<keyof Limits, Pick<Register, 'id' | 'type' | 'per'>>;

/** The quantity as this charger has it: a setting where it can be written. */
export function quantityOf(register: Register, limits: Limits): Quantity {
  const setting = register.rule?.(limits);
  return setting === undefined ? register.quantity : { ...register.quantity, setting };
}

/** `0xEDF0` */
export function registerName(id: number): string {
  return `0x${id.toString(16).toUpperCase().padStart(4, '0')}`;
}
