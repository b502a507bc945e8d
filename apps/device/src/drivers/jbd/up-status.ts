import { AnswerReader, MAX_CELLS, MAX_SENSORS } from '../answer-reader.ts';
import {
  alarmText,
  BATTERY,
  cellEntries,
  onOff,
  temperatureNumber,
  terminalEntries,
} from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { type FlagLabels, flagLabels, isSet } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';

const PROTECTIONS: FlagLabels = [
  'Cell over voltage protection',
  'Cell under voltage protection',
  'Battery over voltage protection',
  'Battery under voltage protection',
  'Charge over current protection',
  'Charge over current protection, second stage',
  'Discharge over current protection',
  'Discharge over current protection, second stage',
  'Charge over temperature protection',
  'Charge under temperature protection',
  'Discharge over temperature protection',
  'Discharge under temperature protection',
  'MOSFET over temperature protection',
  'Ambient over temperature protection',
  'Ambient under temperature protection',
  'Cell difference protection',
  'Temperature difference protection',
  'Low charge protection',
  'Short circuit protection',
  'Cell disconnected',
  'Temperature sensor disconnected',
  'Charge MOSFET failed',
  'Discharge MOSFET failed',
  'Current limiter failed',
  'Aerosol failed',
  // Full, which is no alarm.
  null,
  'Measuring circuit failed',
];
const FULL_BIT = 25;

const WARNINGS: FlagLabels = [
  'Cell over voltage warning',
  'Cell under voltage warning',
  'Battery over voltage warning',
  'Battery under voltage warning',
  'Charge over current warning',
  'Discharge over current warning',
  'Charge over temperature warning',
  'Charge under temperature warning',
  'Discharge over temperature warning',
  'Discharge under temperature warning',
  'MOSFET over temperature warning',
  'Ambient over temperature warning',
  'Ambient under temperature warning',
  'Cell difference warning',
  'Temperature difference warning',
  'Low charge warning',
  'EEPROM failed',
  'Clock failed',
];

export const UP_SWITCHES = [
  { bit: 1, quantity: BATTERY.chargeMosfet },
  { bit: 0, quantity: BATTERY.dischargeMosfet },
  { bit: 2, quantity: BATTERY.preChargeMosfet },
  { bit: 3, quantity: BATTERY.heater },
] as const;

const CHARGE_STATES: readonly string[] = ['Idle', 'Charging', 'Discharging'];

const ZERO_AMPS = 300_000;
const ZERO_CELSIUS = 500;
const NAME_LENGTH = 30;

/** In 0.1 °C from -50 °C on. */
const celsius = (raw: number): number => (raw - ZERO_CELSIUS) / 10;

/**
 * The values of a pack, in words of two bytes but for the current and the flags, which have four.
 *
 * @throws BadFrame
 */
export function parsePackStatus(data: Uint8Array): readonly Entry[] {
  const reader = new AnswerReader(data);
  const volts = reader.take('u16') / 100;
  reader.take('u16');
  const amps = (reader.take('u32') - ZERO_AMPS) / 100;
  const stateOfCharge = reader.take('u16') / 100;
  const [remaining = 0, full = 0, rated = 0] = reader.takeMany(3, 'u16').map((counts) => counts / 100);
  const [mosfet = 0, ambient = 0] = reader.takeMany(2, 'u16').map(celsius);
  const state = reader.take('u16');
  const stateOfHealth = reader.take('u16');
  const protections = reader.take('u32');
  const warnings = reader.take('u32');
  const switches = reader.take('u16');
  reader.take('u16');
  const cycles = reader.take('u16');
  // Numbers and voltages of the highest and the lowest cell: those of all follow.
  reader.takeMany(4, 'u16');
  const cellAverage = reader.take('u16') / 1000;
  // Numbers and temperatures of the warmest and the coldest sensor: those of all follow.
  reader.takeMany(4, 'u16');
  const average = celsius(reader.take('u16'));
  const [chargeVolts = 0, chargeAmps = 0, dischargeVolts = 0, dischargeAmps = 0] = reader
    .takeMany(4, 'u16')
    .map((counts) => counts / 10);
  const cells = takeCounted(reader, MAX_CELLS).map((millivolts) => millivolts / 1000);
  const sensors = takeCounted(reader, MAX_SENSORS).map(celsius);
  reader.take('u16');
  const balancing = reader.take('u16');
  const version = reader.take('u16');
  const [name = ''] = reader.takeText(NAME_LENGTH).split('\0');
  return [
    [BATTERY.stateOfCharge, stateOfCharge],
    [BATTERY.stateOfHealth, stateOfHealth],
    ...terminalEntries(volts, amps),
    [BATTERY.capacity, rated],
    [BATTERY.fullCapacity, full],
    [BATTERY.chargeCapacity, remaining],
    [BATTERY.cycles, cycles],
    [BATTERY.temperature, average],
    ...sensors.map((sensor, index): Entry => [temperatureNumber(index + 1), sensor]),
    [BATTERY.mosfetTemperature, mosfet],
    [BATTERY.ambientTemperature, ambient],
    [BATTERY.alarms, alarmText([...flagLabels(protections, PROTECTIONS), ...flagLabels(warnings, WARNINGS)])],
    [BATTERY.chargeState, chargeState(state, isSet(protections, FULL_BIT))],
    ...UP_SWITCHES.map(({ bit, quantity }): Entry => [quantity, onOff(isSet(switches, bit))]),
    [BATTERY.balancer, onOff(balancing !== 0)],
    [BATTERY.chargeVoltageLimit, chargeVolts],
    [BATTERY.chargeCurrentLimit, chargeAmps],
    [BATTERY.dischargeVoltageLimit, dischargeVolts],
    [BATTERY.dischargeCurrentLimit, -dischargeAmps],
    ...cellEntries(cells, { average: cellAverage }),
    [BATTERY.cellCount, cells.length],
    [BATTERY.firmwareVersion, versionText(version)],
    ...(/^[\x21-\x7e][\x20-\x7e]*$/.test(name) ? [[BATTERY.modelName, name.trim()] as const] : []),
  ];
}

/** A count in two bytes, and that many words. @throws BadFrame */
function takeCounted(reader: AnswerReader, most: number): readonly number[] {
  const count = reader.take('u16');
  if (count === 0 || count > most) throw new BadFrame(`the answer tells of ${count} cells or sensors`);
  return reader.takeMany(count, 'u16');
}

function chargeState(state: number, isFull: boolean): string {
  if (state === 0 && isFull) return 'Full';
  return CHARGE_STATES[state] ?? `Unknown (${state})`;
}

/** A master knows only the first number of its slaves. */
function versionText(version: number): string {
  return version < 0x100 ? String(version) : `${version >> 8}.${version & 0xff}`;
}
