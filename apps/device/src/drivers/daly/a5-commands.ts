import { quantities } from '@heliograph/metrics';
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
import { type FlagLabels, flagLabels } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';
import { CHARGE_STATES, CURRENT_ZERO, celsius } from './scales.ts';

export const BATTERY_CODE = quantities.info('Battery code');

export const COMMAND = {
  ratedCapacity: 0x50,
  batteryCode: 0x57,
  terminals: 0x90,
  cellRange: 0x91,
  temperatureRange: 0x92,
  switches: 0x93,
  counts: 0x94,
  cells: 0x95,
  temperatures: 0x96,
  alarms: 0x98,
} as const;

export type A5Command = (typeof COMMAND)[keyof typeof COMMAND];

/** Values in a frame of a numbered answer, behind its number. */
const CELLS_PER_FRAME = 3;
const SENSORS_PER_FRAME = 7;
const CODE_FRAMES = 5;
const NUMBERED_DATA_LENGTH = 8;

/** How many cells and sensors the board has. */
export interface BoardCounts {
  readonly cells: number;
  readonly sensors: number;
}

/** How many frames answer a command. */
export function framesOf(command: A5Command, { cells, sensors }: BoardCounts): number {
  switch (command) {
    case COMMAND.cells:
      return Math.ceil(cells / CELLS_PER_FRAME);
    case COMMAND.temperatures:
      return Math.ceil(sensors / SENSORS_PER_FRAME);
    case COMMAND.batteryCode:
      return CODE_FRAMES;
    default:
      return 1;
  }
}

/** Warnings are of level one, protections of level two. By byte of the answer to 98. */
const ALARMS: readonly FlagLabels[] = [
  [
    'Cell over voltage warning',
    'Cell over voltage protection',
    'Cell under voltage warning',
    'Cell under voltage protection',
    'Battery over voltage warning',
    'Battery over voltage protection',
    'Battery under voltage warning',
    'Battery under voltage protection',
  ],
  [
    'Charge over temperature warning',
    'Charge over temperature protection',
    'Charge under temperature warning',
    'Charge under temperature protection',
    'Discharge over temperature warning',
    'Discharge over temperature protection',
    'Discharge under temperature warning',
    'Discharge under temperature protection',
  ],
  [
    'Charge over current warning',
    'Charge over current protection',
    'Discharge over current warning',
    'Discharge over current protection',
    'High charge warning',
    'High charge protection',
    'Low charge warning',
    'Low charge protection',
  ],
  [
    'Cell difference warning',
    'Cell difference protection',
    'Temperature difference warning',
    'Temperature difference protection',
    null,
    null,
    null,
    null,
  ],
  [
    'Charge MOSFET over temperature',
    'Discharge MOSFET over temperature',
    'Charge MOSFET temperature sensor failed',
    'Discharge MOSFET temperature sensor failed',
    'Charge MOSFET sticks',
    'Discharge MOSFET sticks',
    'Charge MOSFET open',
    'Discharge MOSFET open',
  ],
  [
    'Measuring circuit failed',
    'Cell disconnected',
    'Temperature sensor failed',
    'EEPROM failed',
    'Clock failed',
    'Pre-charge failed',
    'Vehicle communication failed',
    'Internal communication failed',
  ],
  [
    'Current sensor failed',
    'Voltage sensor failed',
    'Short circuit protection failed',
    'No charging at low voltage',
    null,
    null,
    null,
    null,
  ],
];

/** The data of answers by command; those of numbered answers of all frames. */
export type A5Answers = ReadonlyMap<A5Command, Uint8Array>;

/**
 * The values in answers, together: only the state in one of them gives the current in another its direction.
 *
 * @throws BadFrame when the data are not what an answer must hold
 */
export function a5Entries(answers: A5Answers, counts?: BoardCounts): readonly Entry[] {
  const switches = answers.get(COMMAND.switches);
  return [...answers].flatMap(([command, data]) => entriesOf(command, data, { switches, counts }));
}

interface Together {
  readonly switches: Uint8Array | undefined;
  readonly counts: BoardCounts | undefined;
}

function entriesOf(command: A5Command, data: Uint8Array, together: Together): readonly Entry[] {
  const reader = new AnswerReader(data);
  switch (command) {
    case COMMAND.terminals:
      return terminals(reader, together.switches?.[0]);
    case COMMAND.cellRange:
      return cellRange(reader);
    case COMMAND.temperatureRange:
      return temperatureRange(reader);
    case COMMAND.switches:
      return switchEntries(reader);
    case COMMAND.counts:
      return countEntries(reader, boardCounts(data));
    case COMMAND.cells:
      return cellEntries(cellVolts(reader, data.length, together.counts));
    case COMMAND.temperatures:
      return cellTemperatureEntries(sensorValues(reader, data.length, together.counts).map(celsius));
    case COMMAND.alarms:
      return [[BATTERY.alarms, alarmText(ALARMS.flatMap((labels) => flagLabels(reader.take('u8'), labels)))]];
    case COMMAND.ratedCapacity:
      return [[BATTERY.capacity, reader.take('u32') / 1000]];
    case COMMAND.batteryCode:
      return batteryCode(data);
  }
}

/** @param state of the answer to 93: without it the current has an amount and no direction */
function terminals(reader: AnswerReader, state: number | undefined): readonly Entry[] {
  const volts = reader.take('u16') / 10;
  reader.take('u16');
  const amount = Math.abs(reader.take('u16') - CURRENT_ZERO) / 10;
  const stateOfCharge = reader.take('u16') / 10;
  return [[BATTERY.stateOfCharge, stateOfCharge], ...terminalEntries(volts, directed(amount, state))];
}

/** Programs disagree about the sign of the number in this frame, so the state gives it. */
function directed(amount: number, state: number | undefined): number | null {
  if (amount === 0) return 0;
  if (state === 1) return amount;
  return state === 2 ? -amount : null;
}

function cellRange(reader: AnswerReader): readonly Entry[] {
  const highest = reader.take('u16') / 1000;
  reader.take('u8');
  const lowest = reader.take('u16') / 1000;
  return [
    [BATTERY.cellHighest, highest],
    [BATTERY.cellLowest, lowest],
    [BATTERY.cellImbalance, highest - lowest],
  ];
}

function temperatureRange(reader: AnswerReader): readonly Entry[] {
  const hottest = celsius(reader.take('u8'));
  reader.take('u8');
  return [
    [BATTERY.cellTemperatureHighest, hottest],
    [BATTERY.cellTemperatureLowest, celsius(reader.take('u8'))],
  ];
}

function switchEntries(reader: AnswerReader): readonly Entry[] {
  const state = reader.take('u8');
  const [charge = 0, discharge = 0] = reader.takeMany(2, 'u8');
  // A counter that shows that the board is alive.
  reader.take('u8');
  return [
    [BATTERY.chargeState, CHARGE_STATES[state] ?? `Unknown (${state})`],
    [BATTERY.chargeMosfet, onOff(charge !== 0)],
    [BATTERY.dischargeMosfet, onOff(discharge !== 0)],
    [BATTERY.chargeCapacity, reader.take('u32') / 1000],
  ];
}

function countEntries(reader: AnswerReader, { cells }: BoardCounts): readonly Entry[] {
  // Cells, sensors, charger, load, inputs and outputs.
  reader.takeMany(5, 'u8');
  return [
    [BATTERY.cellCount, cells],
    [BATTERY.cycles, reader.take('u16')],
  ];
}

/**
 * The counts in the answer to 94.
 *
 * @throws BadFrame when no board has so many
 */
export function boardCounts(data: Uint8Array): BoardCounts {
  const [cells = 0, sensors = 0] = data;
  const MAX_CELLS = 48;
  const MAX_SENSORS = 16;
  if (cells === 0 || cells > MAX_CELLS || sensors > MAX_SENSORS)
    throw new BadFrame(`no board has ${cells} cells and ${sensors} sensors`);
  return { cells, sensors };
}

/** In volts; where the count is unknown, up to the last cell that has a voltage. */
function cellVolts(reader: AnswerReader, length: number, counts: BoardCounts | undefined): readonly number[] {
  const all = Array.from({ length: length / NUMBERED_DATA_LENGTH }, () => {
    reader.take('u8');
    const cells = reader.takeMany(CELLS_PER_FRAME, 'u16');
    reader.take('u8');
    return cells;
  }).flat();
  const count = counts?.cells ?? all.findLastIndex((millivolts) => millivolts > 0) + 1;
  return all.slice(0, count).map((millivolts) => millivolts / 1000);
}

function sensorValues(
  reader: AnswerReader,
  length: number,
  counts: BoardCounts | undefined,
): readonly number[] {
  const all = Array.from({ length: length / NUMBERED_DATA_LENGTH }, () => {
    reader.take('u8');
    return reader.takeMany(SENSORS_PER_FRAME, 'u8');
  }).flat();
  return all.slice(0, counts?.sensors ?? all.findLastIndex((raw) => raw > 0) + 1);
}

/** Seven characters a frame. */
function batteryCode(data: Uint8Array): readonly Entry[] {
  const frames = Array.from({ length: data.length / NUMBERED_DATA_LENGTH }, (_, frame) =>
    data.subarray(frame * NUMBERED_DATA_LENGTH + 1, (frame + 1) * NUMBERED_DATA_LENGTH),
  );
  const code = Buffer.concat(frames)
    .toString('latin1')
    .replace(/[\0\s]+/g, ' ')
    .trim();
  return /^[\x20-\x7e]+$/.test(code) ? [[BATTERY_CODE, code]] : [];
}
