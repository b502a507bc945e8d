import { BATTERY, temperatureNumber } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { configuredCellVoltage, configuredCurrent, JK, OFF_ON } from './quantities.ts';

/** A value in a record, the lowest byte first. */
export interface PbField {
  readonly offset: number;
  readonly type: 'u8' | 'u16' | 's16' | 'u32' | 's32';
  readonly quantity: Entry[0];
  /** The value of one count; 1 when left out. */
  readonly scale?: number;
  /** Texts by number; every number above the last has the last. */
  readonly options?: readonly string[];
}

const MILLI = 0.001;

/** Offsets of the status record that are used together with others. */
export const STATUS = {
  cells: 6,
  mostCells: 32,
  enabledCells: 70,
  cellAverage: 74,
  cellDifference: 76,
  voltage: 150,
  current: 158,
  alarms: 166,
  sensors: 214,
} as const;

export const STATUS_FIELDS: readonly PbField[] = [
  { offset: 173, type: 'u8', quantity: BATTERY.stateOfCharge },
  { offset: 190, type: 'u8', quantity: BATTERY.stateOfHealth },
  { offset: 178, type: 'u32', quantity: BATTERY.capacity, scale: MILLI },
  { offset: 174, type: 'u32', quantity: BATTERY.chargeCapacity, scale: MILLI },
  { offset: 182, type: 'u32', quantity: BATTERY.cycles },
  { offset: 186, type: 'u32', quantity: JK.cycleCapacity, scale: MILLI },
  { offset: 198, type: 'u8', quantity: BATTERY.chargeMosfet, options: OFF_ON },
  { offset: 199, type: 'u8', quantity: BATTERY.dischargeMosfet, options: OFF_ON },
  { offset: 172, type: 'u8', quantity: BATTERY.balancer, options: OFF_ON },
  { offset: 170, type: 's16', quantity: BATTERY.balanceCurrent, scale: MILLI },
  { offset: 215, type: 'u8', quantity: BATTERY.heater, options: OFF_ON },
];

/** Temperatures in 0.1 °C, there when their bit in `STATUS.sensors` is set. */
export const SENSORS: readonly {
  readonly bit: number;
  readonly offset: number;
  readonly quantity: Entry[0];
}[] = [
  { bit: 1, offset: 162, quantity: BATTERY.temperature },
  { bit: 2, offset: 164, quantity: temperatureNumber(2) },
  { bit: 3, offset: 254, quantity: temperatureNumber(3) },
  { bit: 4, offset: 256, quantity: temperatureNumber(4) },
  { bit: 5, offset: 258, quantity: temperatureNumber(5) },
  { bit: 0, offset: 144, quantity: BATTERY.mosfetTemperature },
];

/** Both are 0 in firmware that does not have them, whatever their bits are. */
export const LAST_TWO_SENSORS: readonly number[] = [256, 258];

/** The value of a sensor that is not connected. */
export const NO_SENSOR = -2000;

export const SETTINGS_FIELDS: readonly PbField[] = [
  { offset: 50, type: 'u32', quantity: JK.maxChargeCurrent, scale: MILLI },
  { offset: 62, type: 'u32', quantity: JK.maxDischargeCurrent, scale: MILLI },
  { offset: 118, type: 'u32', quantity: JK.chargeSwitch, options: OFF_ON },
  { offset: 122, type: 'u32', quantity: JK.dischargeSwitch, options: OFF_ON },
  { offset: 126, type: 'u32', quantity: JK.balancing, options: OFF_ON },
  ...(
    [
      [6, 'Smart sleep voltage'],
      [10, 'Cell under voltage protection'],
      [14, 'Cell under voltage recovery'],
      [18, 'Cell over voltage protection'],
      [22, 'Cell over voltage recovery'],
      [26, 'Balance start difference'],
      [30, 'Full cell voltage'],
      [34, 'Empty cell voltage'],
      [38, 'Request charge voltage'],
      [42, 'Request float voltage'],
      [46, 'Power off cell voltage'],
      [138, 'Balance start voltage'],
    ] as const
  ).map(([offset, name]) => ({
    offset,
    type: 'u32' as const,
    quantity: configuredCellVoltage(name),
    scale: MILLI,
  })),
  { offset: 78, type: 'u32', quantity: configuredCurrent('Max balance current'), scale: MILLI },
];

/** Texts of the info record, padded with zeros. */
export const INFO_FIELDS: readonly {
  readonly offset: number;
  readonly length: number;
  readonly quantity: Entry[0];
}[] = [
  { offset: 6, length: 16, quantity: BATTERY.modelName },
  { offset: 22, length: 8, quantity: BATTERY.hardwareVersion },
  { offset: 30, length: 8, quantity: BATTERY.firmwareVersion },
  { offset: 46, length: 16, quantity: JK.deviceName },
  { offset: 86, length: 11, quantity: BATTERY.serialNumber },
];
