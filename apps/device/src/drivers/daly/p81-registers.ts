import { quantities } from '@heliograph/metrics';
import {
  BATTERY,
  cellEntries,
  cellTemperatureEntries,
  onOff,
  terminalEntries,
} from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import type { RegisterValues } from '../registers.ts';
import type { P81Block } from './p81-frame.ts';
import { CHARGE_STATES, CURRENT_ZERO, celsius } from './scales.ts';

export const BOARD_TEMPERATURE = quantities.temperature('Temperature board');

export const REGISTER = {
  firstCell: 0x00,
  firstSensor: 0x30,
  voltage: 0x38,
  current: 0x39,
  stateOfCharge: 0x3a,
  cells: 0x3c,
  sensors: 0x3d,
  state: 0x48,
  chargeLeft: 0x4b,
  cycles: 0x4c,
  balancer: 0x4d,
  balanceCurrent: 0x4e,
  chargeMosfet: 0x52,
  dischargeMosfet: 0x53,
  preChargeMosfet: 0x54,
  heater: 0x55,
  mosfetTemperature: 0x5a,
  boardTemperature: 0x5b,
} as const;

/** As the maker's app reads them: others are not known to be answered. */
export const VALUES: P81Block = { first: 0x00, count: 64 };
export const STATES: P81Block = { first: 0x41, count: 62 };

const MAX_CELLS = 48;
const MAX_SENSORS = 8;

export const SWITCHES = [
  { register: REGISTER.chargeMosfet, quantity: BATTERY.chargeMosfet },
  { register: REGISTER.dischargeMosfet, quantity: BATTERY.dischargeMosfet },
  { register: REGISTER.preChargeMosfet, quantity: BATTERY.preChargeMosfet },
  { register: REGISTER.heater, quantity: BATTERY.heater },
] as const;

/**
 * The values of both blocks, or of the one that was read.
 *
 * @throws BadFrame when a count is beyond any board
 */
export function p81Entries(registers: RegisterValues): readonly Entry[] {
  return [...valueEntries(registers), ...stateEntries(registers)];
}

function valueEntries(registers: RegisterValues): readonly Entry[] {
  const volts = registers.get(REGISTER.voltage);
  const current = registers.get(REGISTER.current);
  const stateOfCharge = registers.get(REGISTER.stateOfCharge);
  if (volts === undefined || current === undefined || stateOfCharge === undefined) return [];
  return [
    [BATTERY.stateOfCharge, stateOfCharge / 10],
    ...terminalEntries(volts / 10, (current - CURRENT_ZERO) / 10),
    ...cellTemperatureEntries(
      listAt(registers, REGISTER.sensors, MAX_SENSORS, REGISTER.firstSensor).map(celsius),
    ),
    ...cellEntries(
      listAt(registers, REGISTER.cells, MAX_CELLS, REGISTER.firstCell).map((millivolts) => millivolts / 1000),
    ),
  ];
}

/** As many registers from the first as there are by the count. @throws BadFrame */
function listAt(registers: RegisterValues, countAt: number, most: number, first: number): readonly number[] {
  const count = registers.get(countAt) ?? 0;
  if (count > most) throw new BadFrame(`the answer tells of ${count} cells or sensors`);
  return Array.from({ length: count }, (_, index) => registers.get(first + index) ?? 0);
}

function stateEntries(registers: RegisterValues): readonly Entry[] {
  const number = (register: number): number => registers.get(register) ?? 0;
  if (!registers.has(REGISTER.state)) return [];
  const state = number(REGISTER.state);
  return [
    [BATTERY.chargeState, CHARGE_STATES[state] ?? `Unknown (${state})`],
    [BATTERY.chargeCapacity, number(REGISTER.chargeLeft) / 10],
    [BATTERY.cycles, number(REGISTER.cycles)],
    [BATTERY.balancer, onOff(number(REGISTER.balancer) !== 0)],
    [BATTERY.balanceCurrent, balanceAmps(number(REGISTER.balanceCurrent))],
    ...SWITCHES.map(({ register, quantity }): Entry => [quantity, onOff(number(register) !== 0)]),
    [BATTERY.mosfetTemperature, celsius(number(REGISTER.mosfetTemperature))],
    [BOARD_TEMPERATURE, celsius(number(REGISTER.boardTemperature))],
  ];
}

/** @returns null for 0, which boards without this value report */
function balanceAmps(raw: number): number | null {
  return raw === 0 ? null : (raw - CURRENT_ZERO) / 1000;
}
