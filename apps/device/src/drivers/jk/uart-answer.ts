import type { MetricValue } from '@heliograph/metrics';
import { alarmText, BATTERY, cellEntries, terminalEntries } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { flagLabels } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';
import { UART_ALARMS } from './alarm-bits.ts';
import { JK, OFF_ON } from './quantities.ts';
import {
  ALARMS_TAG,
  CELLS_TAG,
  CURRENT_TAG,
  PROTOCOL_VERSION_TAG,
  STATUS_BITS,
  STATUS_TAG,
  TAGS,
  type ValueKind,
  VOLTAGE_TAG,
} from './uart-tags.ts';

const BY_TAG = new Map(TAGS.map((tag) => [tag.tag, tag]));
const BYTES_PER_CELL = 3;
const CELL_NUMBER_BYTES = 1;

/** The model name of a BMS that does not report its own. */
const NAMELESS = 'JK BMS';

type Values = ReadonlyMap<number, Uint8Array>;

/**
 * Decodes an answer to "read all".
 *
 * @param data tags, each with its value
 * @throws BadFrame when a tag is unknown or cut off: behind it nothing has a meaning
 */
export function uartEntries(data: Uint8Array): readonly Entry[] {
  const values = valuesIn(data);
  const plain = plainEntries(values);
  return [
    ...plain,
    ...powerEntries(values),
    ...chargeEntries(plain),
    ...statusEntries(values),
    ...cellEntries(cellVolts(values.get(CELLS_TAG))),
    [BATTERY.modelName, modelIn(plain)],
  ];
}

/** @throws BadFrame */
function valuesIn(data: Uint8Array): Values {
  const values = new Map<number, Uint8Array>();
  for (let at = 0; at < data.length; ) {
    const tag = data[at] ?? 0;
    const bytes = tag === CELLS_TAG ? 1 + (data[at + 1] ?? 0) : BY_TAG.get(tag)?.bytes;
    if (bytes === undefined)
      throw new BadFrame(`the answer holds a value of unknown kind (${tag.toString(16)})`);
    const end = at + 1 + bytes;
    if (end > data.length) throw new BadFrame('the answer ends within a value');
    if (values.has(tag)) throw new BadFrame(`the answer holds a value twice (${tag.toString(16)})`);
    values.set(tag, data.subarray(tag === CELLS_TAG ? at + 2 : at + 1, end));
    at = end;
  }
  return values;
}

function plainEntries(values: Values): readonly Entry[] {
  return TAGS.flatMap(({ tag, quantity, as }): Entry[] => {
    const bytes = values.get(tag);
    return quantity === undefined || as === undefined || bytes === undefined
      ? []
      : [[quantity, decoded(bytes, as)]];
  });
}

function decoded(bytes: Uint8Array, as: ValueKind): MetricValue {
  if (as === 'text') return textOf(bytes);
  const raw = numberOf(bytes);
  if (as === 'temperature') return raw <= 100 ? raw : 100 - raw;
  return 'options' in as ? (as.options[raw] ?? `Unknown (${raw})`) : raw * as.scale;
}

function powerEntries(values: Values): readonly Entry[] {
  const volts = values.get(VOLTAGE_TAG);
  const current = values.get(CURRENT_TAG);
  if (volts === undefined || current === undefined) return [];
  const version = values.get(PROTOCOL_VERSION_TAG)?.[0];
  return terminalEntries(numberOf(volts) / 100, amps(numberOf(current), version));
}

/** In amperes, positive into the battery; null when the BMS does not name one of its two formats. */
function amps(raw: number, version: number | undefined): number | null {
  if (version === 1) return ((raw & 0x8000 ? 1 : -1) * (raw & 0x7fff)) / 100;
  return version === 0 ? (10_000 - raw) / 100 : null;
}

/** The charge in Ah, from the capacity and the state of charge that this BMS reports. */
function chargeEntries(plain: readonly Entry[]): readonly Entry[] {
  const capacity = valueIn(plain, BATTERY.capacity);
  const percent = valueIn(plain, BATTERY.stateOfCharge);
  if (typeof capacity !== 'number' || typeof percent !== 'number') return [];
  return [[BATTERY.chargeCapacity, (capacity * percent) / 100]];
}

function statusEntries(values: Values): readonly Entry[] {
  const alarms = values.get(ALARMS_TAG);
  const status = values.get(STATUS_TAG);
  const alarmEntries: readonly Entry[] =
    alarms === undefined ? [] : [[BATTERY.alarms, alarmText(flagLabels(numberOf(alarms), UART_ALARMS))]];
  if (status === undefined) return alarmEntries;
  const on = (bit: number) => OFF_ON[(numberOf(status) >> bit) & 1] ?? null;
  return [...alarmEntries, ...STATUS_BITS.map(({ bit, quantity }): Entry => [quantity, on(bit)])];
}

/** @throws BadFrame when the cells are not numbered one after the other */
function cellVolts(list: Uint8Array | undefined): readonly number[] {
  if (list === undefined) return [];
  if (list.length % BYTES_PER_CELL !== 0) throw new BadFrame('the list of cells is cut off');
  return Array.from({ length: list.length / BYTES_PER_CELL }, (_, cell) => {
    const at = cell * BYTES_PER_CELL;
    if (list[at] !== cell + 1) throw new BadFrame('the list of cells is out of order');
    return numberOf(list.subarray(at + CELL_NUMBER_BYTES, at + BYTES_PER_CELL)) / 1000;
  });
}

/** Some firmware names the model at the end of the manufacturer's id. */
function modelIn(plain: readonly Entry[]): string {
  return /JK-[A-Z0-9]+$/.exec(String(valueIn(plain, JK.manufacturerId)))?.[0] ?? NAMELESS;
}

function valueIn(entries: readonly Entry[], wanted: Entry[0]): MetricValue | undefined {
  return entries.find(([quantity]) => quantity === wanted)?.[1];
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 0x100 + byte, 0);
}

function textOf(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\0_\s]+$/, '');
  return /^[\x20-\x7e]+$/.test(text) ? text : null;
}
