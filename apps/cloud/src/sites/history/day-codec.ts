import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  HISTORY_ENERGY_FIELDS,
  HISTORY_TOTAL_NAMES,
  HISTORY_TOTALS,
  type HistoryEnergyField,
  type HistoryTotal,
  MAX_QUARTERS,
} from '@heliograph/contracts';

/** Values of one field in the order of time; null, and what is beyond the end, is unknown. */
export type Column = readonly (number | null)[];

/** The values of a local day. */
export interface DayValues {
  /** Of quarters of an hour, in the units of the topics. */
  readonly means: Readonly<Partial<Record<HistoryTotal, Column>>>;
  /** Of hours, in kWh; `covered_s` in seconds. */
  readonly energy: Readonly<Partial<Record<HistoryEnergyField, Column>>>;
}

const VERSION = 1;

/** Energy is kept to a tenth of a watt-hour. */
const PARTS_OF_KWH = 10_000;

/** The longest text that a day's bytes inflate to. */
const MAX_BYTES = (HISTORY_TOTAL_NAMES.length + HISTORY_ENERGY_FIELDS.length) * MAX_QUARTERS * 8;

const COLUMNS: readonly {
  readonly kind: keyof DayValues;
  readonly name: HistoryTotal | HistoryEnergyField;
  readonly scale: number;
}[] = [
  ...HISTORY_TOTAL_NAMES.map((name) => ({
    kind: 'means' as const,
    name,
    scale: 10 ** HISTORY_TOTALS[name].decimals,
  })),
  ...HISTORY_ENERGY_FIELDS.map((name) => ({
    kind: 'energy' as const,
    name,
    scale: name === 'covered_s' ? 1 : PARTS_OF_KWH,
  })),
];

/**
 * Packs a day, as raw deflate after a byte of version:
 *
 * ```
 * each column, in the order of the contract: count of values, then for each value
 *   0                   unknown
 *   1 + zigzag(change)  a known one, as the change from the known one before
 * ```
 *
 * All numbers are LEB128.
 */
export function packDay(day: DayValues): Buffer {
  const bytes: number[] = [];
  for (const { kind, name, scale } of COLUMNS) {
    const column = columnOf(day, kind, name);
    const length = column.findLastIndex((value) => value !== null) + 1;
    pushNumber(bytes, length);
    let before = 0;
    for (const value of column.slice(0, length)) {
      if (value === null) {
        pushNumber(bytes, 0);
        continue;
      }
      const scaled = Math.round(value * scale);
      const change = scaled - before;
      pushNumber(bytes, 1 + (change >= 0 ? 2 * change : -2 * change - 1));
      before = scaled;
    }
  }
  return Buffer.concat([Buffer.of(VERSION), deflateRawSync(Uint8Array.from(bytes), { level: 9 })]);
}

/** @throws RangeError, or zlib's error, for damaged bytes */
export function unpackDay(packed: Uint8Array): DayValues {
  if (packed[0] !== VERSION) throw new RangeError(`There is no version ${packed[0]} of packed days`);
  const bytes = inflateRawSync(packed.subarray(1), { maxOutputLength: MAX_BYTES });
  let at = 0;
  const next = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('A packed day ends early');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  const day: Record<keyof DayValues, Record<string, Column>> = { means: {}, energy: {} };
  for (const { kind, name, scale } of COLUMNS) {
    const length = next();
    if (length > MAX_QUARTERS) throw new RangeError('A packed day has too many values');
    if (length === 0) continue;
    let before = 0;
    day[kind][name] = Array.from({ length }, () => {
      const token = next();
      if (token === 0) return null;
      const zigzag = token - 1;
      before += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      return before / scale;
    });
  }
  return day;
}

/** The later values of a day over the earlier ones; what is unknown replaces nothing. */
export function mergeDays(earlier: DayValues, later: DayValues): DayValues {
  const merged: Record<keyof DayValues, Record<string, Column>> = { means: {}, energy: {} };
  for (const { kind, name } of COLUMNS) {
    const [old, added] = [columnOf(earlier, kind, name), columnOf(later, kind, name)];
    const length = Math.max(old.length, added.length);
    if (length === 0) continue;
    merged[kind][name] = Array.from({ length }, (_, i) => added[i] ?? old[i] ?? null);
  }
  return merged;
}

function columnOf(day: DayValues, kind: keyof DayValues, name: string): Column {
  const columns: Readonly<Record<string, Column | undefined>> = day[kind];
  return columns[name] ?? [];
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
