import { type Quantity, quantities } from '@heliograph/metrics';
import { AnswerReader } from '../answer-reader.ts';
import {
  alarmText,
  BATTERY,
  cellEntries,
  cellTemperatureEntries,
  onOff,
  terminalEntries,
} from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { type FlagLabels, flagLabels, isSet } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';
import { celsius } from '../kelvin.ts';

export const PRODUCTION_DATE = quantities.info('Production date');

const PROTECTIONS: FlagLabels = [
  'Cell over voltage',
  'Cell under voltage',
  'Battery over voltage',
  'Battery under voltage',
  'Charge over temperature',
  'Charge under temperature',
  'Discharge over temperature',
  'Discharge under temperature',
  'Charge over current',
  'Discharge over current',
  'Short circuit',
  'Measuring circuit failed',
  'MOSFETs locked by software',
  'Charge timeout',
];

/** Bits of the MOSFET state. */
export const SWITCHES = [
  { bit: 0, quantity: BATTERY.chargeMosfet },
  { bit: 1, quantity: BATTERY.dischargeMosfet },
] as const;

const count = (name: string): Quantity => ({
  name,
  group: 'Status',
  unit: '',
  decimals: 0,
  stateClass: 'total_increasing',
});

/** How often each protection has acted, in the order of the answer. */
export const PROTECTION_COUNTS: readonly Quantity[] = [
  count('Short circuit count'),
  count('Charge over current count'),
  count('Discharge over current count'),
  count('Cell over voltage count'),
  count('Cell under voltage count'),
  count('Charge over temperature count'),
  count('Charge under temperature count'),
  count('Discharge over temperature count'),
  count('Discharge under temperature count'),
  count('Battery over voltage count'),
  count('Battery under voltage count'),
];

/** A request that only reads. */
export interface DdCommand {
  readonly code: number;
  /** @throws BadFrame when the data are not what the answer must hold */
  readonly parse: (data: Uint8Array) => readonly Entry[];
}

export const COMMAND = {
  values: { code: 0x03, parse: parseValues },
  cells: { code: 0x04, parse: parseCells },
  name: { code: 0x05, parse: parseName },
  protectionCounts: { code: 0xaa, parse: parseProtectionCounts },
} as const satisfies Readonly<Record<string, DdCommand>>;

/**
 * Voltage and current in 10 mV and 10 mA; capacities left and rated in 10 mAh; cycles; production date; balancing
 * cells 4; protections 2; version 1; state of charge 1; MOSFETs 1; cells 1; N, N temperatures in 0.1 K. Newer
 * firmware adds more.
 */
function parseValues(data: Uint8Array): readonly Entry[] {
  const reader = new AnswerReader(data);
  const volts = reader.take('u16') / 100;
  const amps = reader.take('s16') / 100;
  const remaining = reader.take('u16') / 100;
  const rated = reader.take('u16') / 100;
  const cycles = reader.take('u16');
  const date = reader.take('u16');
  const balancing = reader.take('u32');
  const protections = reader.take('u16');
  const version = reader.take('u8');
  const stateOfCharge = reader.take('u8');
  const switches = reader.take('u8');
  const cellCount = reader.take('u8');
  const sensors = reader.takeMany(reader.take('u8'), 'u16').map((raw) => celsius(raw));
  return [
    [BATTERY.stateOfCharge, stateOfCharge],
    ...terminalEntries(volts, amps),
    [BATTERY.capacity, rated],
    [BATTERY.chargeCapacity, remaining],
    [BATTERY.cycles, cycles],
    ...cellTemperatureEntries(sensors),
    [BATTERY.alarms, alarmText(flagLabels(protections, PROTECTIONS))],
    ...SWITCHES.map(({ bit, quantity }): Entry => [quantity, onOff(isSet(switches, bit))]),
    [BATTERY.balancer, onOff(balancing !== 0)],
    [BATTERY.cellCount, cellCount],
    [BATTERY.firmwareVersion, `${version >> 4}.${version & 0xf}`],
    [PRODUCTION_DATE, dateText(date)],
  ];
}

/** Years since 2000 in 7 bits, month in 4, day in 5; null for what is no date. */
function dateText(date: number): string | null {
  const [year, month, day] = [2000 + (date >> 9), (date >> 5) & 0xf, date & 0x1f];
  if (month < 1 || month > 12 || day < 1) return null;
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Two bytes of millivolts a cell. */
function parseCells(data: Uint8Array): readonly Entry[] {
  if (data.length === 0) throw new BadFrame('the answer tells of no cell');
  const reader = new AnswerReader(data);
  const cells = reader.takeMany(Math.ceil(data.length / 2), 'u16');
  return cellEntries(cells.map((millivolts) => millivolts / 1000));
}

/** The name of the hardware as text. */
function parseName(data: Uint8Array): readonly Entry[] {
  const [name = ''] = Buffer.from(data).toString('latin1').split('\0');
  return /^[\x20-\x7e]+$/.test(name) ? [[BATTERY.modelName, name.trim()]] : [];
}

function parseProtectionCounts(data: Uint8Array): readonly Entry[] {
  const reader = new AnswerReader(data);
  return PROTECTION_COUNTS.map((quantity) => [quantity, reader.take('u16')]);
}
