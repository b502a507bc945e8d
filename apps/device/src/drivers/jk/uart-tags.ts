import { BATTERY, temperatureNumber } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import {
  configuredCellVoltage,
  configuredDelay,
  configuredVoltage,
  DISABLED_ENABLED,
  JK,
  OFF_ON,
} from './quantities.ts';

/** A tag of the answer; its value always has the same length. */
export interface Tag {
  readonly tag: number;
  readonly bytes: number;
  /** Absent where a value is only counted, skipped, or worked out together with others. */
  readonly quantity?: Entry[0];
  readonly as?: ValueKind;
}

/**
 * How a value is written: a number of counts, a temperature that goes on below zero at 101, an option by its number,
 * or text padded with zeros and underscores.
 */
export type ValueKind =
  | { readonly scale: number }
  | 'temperature'
  | 'text'
  | { readonly options: readonly string[] };

type Quantity = Entry[0];
const number = (tag: number, bytes: number, quantity: Quantity, scale = 1): Tag => ({
  tag,
  bytes,
  quantity,
  as: { scale },
});
const celsius = (tag: number, quantity: Quantity): Tag => ({ tag, bytes: 2, quantity, as: 'temperature' });
const option = (tag: number, quantity: Quantity, options: readonly string[]): Tag => ({
  tag,
  bytes: 1,
  quantity,
  as: { options },
});
const text = (tag: number, bytes: number, quantity: Quantity): Tag => ({ tag, bytes, quantity, as: 'text' });
const unused = (tag: number, bytes: number): Tag => ({ tag, bytes });

/** A list of cells: one byte of length, then a byte of number and two of millivolts for each. */
export const CELLS_TAG = 0x79;

/** Values that make sense only together, or in several quantities. */
export const VOLTAGE_TAG = 0x83;
export const CURRENT_TAG = 0x84;
export const ALARMS_TAG = 0x8b;
export const STATUS_TAG = 0x8c;
/** Bits of the status that are on or off. */
export const STATUS_BITS: readonly { readonly bit: number; readonly quantity: Entry[0] }[] = [
  { bit: 0, quantity: BATTERY.chargeMosfet },
  { bit: 1, quantity: BATTERY.dischargeMosfet },
  { bit: 2, quantity: BATTERY.balancer },
];
/** The format of the current, one of two. */
export const PROTOCOL_VERSION_TAG = 0xc0;

export const TAGS: readonly Tag[] = [
  number(0x85, 1, BATTERY.stateOfCharge),
  unused(VOLTAGE_TAG, 2),
  unused(CURRENT_TAG, 2),
  celsius(0x81, BATTERY.temperature),
  celsius(0x82, temperatureNumber(2)),
  celsius(0x80, BATTERY.mosfetTemperature),
  number(0xaa, 4, BATTERY.capacity),
  number(0x87, 2, BATTERY.cycles),
  number(0x89, 4, JK.cycleCapacity),
  unused(ALARMS_TAG, 2),
  unused(STATUS_TAG, 2),
  text(0xb7, 15, BATTERY.firmwareVersion),
  text(0xba, 24, JK.manufacturerId),
  text(0xb4, 8, JK.deviceId),
  number(0xb6, 4, JK.runtime, 60),
  number(0x8a, 2, BATTERY.cellCount),
  option(0xaf, JK.batteryType, ['LiFePO4', 'Ternary', 'LTO']),
  number(0x97, 2, JK.maxDischargeCurrent),
  number(0x99, 2, JK.maxChargeCurrent),
  option(0xab, JK.chargeSwitch, OFF_ON),
  option(0xac, JK.dischargeSwitch, OFF_ON),
  option(0x9d, JK.balancing, DISABLED_ENABLED),
  number(0x8e, 2, configuredVoltage('Total over voltage protection'), 0.01),
  number(0x8f, 2, configuredVoltage('Total under voltage protection'), 0.01),
  number(0x90, 2, configuredCellVoltage('Cell over voltage protection'), 0.001),
  number(0x91, 2, configuredCellVoltage('Cell over voltage recovery'), 0.001),
  number(0x92, 2, configuredDelay('Cell over voltage delay')),
  number(0x93, 2, configuredCellVoltage('Cell under voltage protection'), 0.001),
  number(0x94, 2, configuredCellVoltage('Cell under voltage recovery'), 0.001),
  number(0x95, 2, configuredDelay('Cell under voltage delay')),
  number(0x96, 2, configuredCellVoltage('Cell difference protection'), 0.001),
  number(0x98, 2, configuredDelay('Discharge over current delay')),
  number(0x9a, 2, configuredDelay('Charge over current delay')),
  number(0x9b, 2, configuredCellVoltage('Balance start voltage'), 0.001),
  number(0x9c, 2, configuredCellVoltage('Balance start difference'), 0.001),
  unused(0x86, 1),
  // Temperatures of protections, whose single names are not confirmed.
  ...[0x9e, 0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8].map((tag) => unused(tag, 2)),
  unused(0xa9, 1),
  unused(0xad, 2),
  unused(0xae, 1),
  unused(0xb0, 2),
  unused(0xb1, 1),
  // The password of the settings: never shown.
  unused(0xb2, 10),
  unused(0xb3, 1),
  unused(0xb5, 4),
  unused(0xb8, 1),
  unused(0xb9, 4),
  unused(PROTOCOL_VERSION_TAG, 1),
];
