import { alarmText, BATTERY, cellEntries, terminalEntries } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { flagLabels, isSet } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';
import { PB_ALARMS, PB_CHARGE_LIMIT_BIT } from './alarm-bits.ts';
import {
  INFO_FIELDS,
  LAST_TWO_SENSORS,
  NO_SENSOR,
  type PbField,
  SENSORS,
  SETTINGS_FIELDS,
  STATUS,
  STATUS_FIELDS,
} from './pb-fields.ts';
import type { RecordKind } from './pb-frame.ts';
import { JK } from './quantities.ts';

/**
 * Decodes a record.
 *
 * @param record 300 bytes that have been checked
 * @throws BadFrame when a value is impossible
 */
export function pbEntries(record: Uint8Array, kind: RecordKind): readonly Entry[] {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (kind === 'status') return statusEntries(view);
  if (kind === 'settings') return SETTINGS_FIELDS.map((field) => [field.quantity, decoded(view, field)]);
  return INFO_FIELDS.flatMap(({ offset, length, quantity }): Entry[] => {
    const text = textOf(record.subarray(offset, offset + length));
    return text === undefined ? [] : [[quantity, text]];
  });
}

function statusEntries(view: DataView): readonly Entry[] {
  const volts = view.getUint32(STATUS.voltage, true) / 1000;
  const amps = view.getInt32(STATUS.current, true) / 1000;
  const alarms = view.getUint32(STATUS.alarms, true);
  const cells = enabledCells(view);
  const millivolts = (offset: number) => view.getUint16(offset, true) / 1000;
  return [
    ...STATUS_FIELDS.map((field): Entry => [field.quantity, decoded(view, field)]),
    ...terminalEntries(volts, amps),
    ...sensorEntries(view),
    [BATTERY.alarms, alarmText(flagLabels(alarms, PB_ALARMS))],
    [JK.chargeLimitReached, isSet(alarms, PB_CHARGE_LIMIT_BIT) ? 'Yes' : 'No'],
    [BATTERY.cellCount, cells.length],
    ...cellEntries(cells, {
      average: millivolts(STATUS.cellAverage),
      imbalance: millivolts(STATUS.cellDifference),
    }),
  ];
}

function sensorEntries(view: DataView): readonly Entry[] {
  const fitted = view.getUint8(STATUS.sensors);
  const lacksLastTwo = LAST_TWO_SENSORS.every((offset) => view.getInt16(offset, true) === 0);
  return SENSORS.filter(({ bit }) => isSet(fitted, bit)).map(({ offset, quantity }) => {
    const raw = view.getInt16(offset, true);
    const isMissing = raw === NO_SENSOR || (lacksLastTwo && LAST_TWO_SENSORS.includes(offset));
    return [quantity, isMissing ? null : raw / 10];
  });
}

/** In volts, of the cells that the mask names. @throws BadFrame when it leaves out one in between */
function enabledCells(view: DataView): readonly number[] {
  const mask = view.getUint32(STATUS.enabledCells, true);
  const count = STATUS.mostCells - Math.clz32(mask);
  if (count > 0 && mask !== 2 ** count - 1) throw new BadFrame('the record leaves out a cell between others');
  return Array.from({ length: count }, (_, cell) => view.getUint16(STATUS.cells + 2 * cell, true) / 1000);
}

function decoded(view: DataView, { offset, type, scale = 1, options }: PbField): number | string | null {
  const raw = numberAt(view, offset, type);
  if (options === undefined) return raw * scale;
  return options[Math.min(raw, options.length - 1)] ?? null;
}

function numberAt(view: DataView, offset: number, type: PbField['type']): number {
  switch (type) {
    case 'u8':
      return view.getUint8(offset);
    case 'u16':
      return view.getUint16(offset, true);
    case 's16':
      return view.getInt16(offset, true);
    case 'u32':
      return view.getUint32(offset, true);
    case 's32':
      return view.getInt32(offset, true);
  }
}

function textOf(padded: Uint8Array): string | undefined {
  const [text = ''] = Buffer.from(padded).toString('latin1').split('\0');
  return /^[\x21-\x7e][\x20-\x7e]*$/.test(text) ? text.trimEnd() : undefined;
}
