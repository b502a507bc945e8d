import { type MetricValue, roundTo } from '@heliograph/metrics';
import type { RegisterValues } from '../registers.ts';
import { type GxNumberLayout, type GxRegisterRow, widthOf } from './row.ts';

const ALL_ONES = 0xffff;
const WARNING = 1;

/** @returns undefined when the frame does not hold all of the row's registers */
export function readRow(row: GxRegisterRow, frame: RegisterValues): MetricValue | undefined {
  const raw = Array.from({ length: widthOf(row) }, (_, index) => frame.get(row.register + index));
  return raw.every((word) => word !== undefined) ? decode(row, raw) : undefined;
}

/**
 * Decodes one quantity.
 *
 * @param raw the row's own registers, in their order
 * @returns rounded to the quantity's decimals; null where the GX has no value
 */
export function decode(row: GxRegisterRow, raw: readonly number[]): MetricValue {
  switch (row.type) {
    case 'code': {
      const [code = ALL_ONES] = raw;
      if (code === ALL_ONES) return null;
      return row.labels[code] ?? (row.quantity.setting === undefined ? `Unknown (${code})` : null);
    }
    case 'alarms': {
      const raised = row.labels.flatMap((text, index) => {
        const level = raw[index] ?? 0;
        if (level === 0 || level === ALL_ONES) return [];
        return [level === WARNING ? `${text} (warning)` : text];
      });
      return raised.length === 0 ? 'OK' : raised.join(', ');
    }
    case 'text':
      return readText(raw);
    default: {
      const value = readNumber(row, raw);
      return value === null ? null : roundTo(row.quantity, value);
    }
  }
}

/**
 * Encodes one quantity; numbers are rounded to what the registers can hold.
 *
 * @throws RangeError when they cannot hold it
 */
export function encode(row: GxRegisterRow, value: MetricValue): readonly number[] {
  switch (row.type) {
    case 'code':
      return [codeOf(row.labels, value)];
    case 'alarms':
      return row.labels.map(() => 0);
    case 'text':
      return writeText(String(value ?? ''), row.length);
    default: {
      // A GX sends 0 for a value that it does not have.
      if (value === null) return registersOf(row.type, 0);
      if (typeof value !== 'number') throw new RangeError(`${value} is no number`);
      if (row.unlimited && value < 0) return registersOf(row.type, -1);
      return registersOf(row.type, Math.round(value / (row.factor ?? 1)));
    }
  }
}

function readNumber(row: GxNumberLayout, raw: readonly number[]): number | null {
  const counts = countsOf(row.type, raw);
  if (counts === null) return null;
  const { factor = 1, unlimited = false, zeroIsUnknown = false } = row;
  if (unlimited && counts < 0) return -1;
  // A GX multiplies its -1 by the scale and rounds, which makes it a 0 that is indistinguishable from a real one.
  const ambiguous = unlimited && factor > 1;
  return counts === 0 && (zeroIsUnknown || ambiguous) ? null : counts * factor;
}

function codeOf(labels: Readonly<Record<number, string>>, value: MetricValue): number {
  const found = Object.entries(labels).find(([, text]) => text === value);
  if (found === undefined) throw new RangeError(`${value} is none of ${Object.values(labels).join(', ')}`);
  return Number(found[0]);
}

function readText(raw: readonly number[]): string | null {
  const bytes = Buffer.from(raw.flatMap((word) => [word >> 8, word & 0xff]));
  const text = bytes.toString('latin1').replace(/[\0 ]+$/, '');
  return /^[ -~]+$/.test(text) ? text : null;
}

function writeText(text: string, length: number): readonly number[] {
  const bytes = Buffer.alloc(length * 2);
  if (bytes.write(text, 'latin1') < text.length) throw new RangeError(`${text} is too long`);
  return Array.from({ length }, (_, index) => bytes.readUInt16BE(index * 2));
}

type NumberType = GxNumberLayout['type'];

const WORD = 0x1_0000;

const RANGES: Readonly<Record<NumberType, readonly [least: number, most: number]>> = {
  u16: [0, 0xffff],
  s16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  s32: [-0x8000_0000, 0x7fff_ffff],
};

/** @returns null at the end of the range, which also stands for every value beyond it */
export function countsOf(type: NumberType, raw: readonly number[]): number | null {
  const [least, most] = RANGES[type];
  const unsigned = raw.reduce((number, word) => number * WORD + word, 0);
  const counts = unsigned > most ? unsigned - WORD ** raw.length : unsigned;
  return counts === most || (least < 0 && counts === least) ? null : counts;
}

/** @throws RangeError when the registers cannot hold it */
export function registersOf(type: NumberType, counts: number): readonly number[] {
  const [least, most] = RANGES[type];
  if (!Number.isInteger(counts) || counts < least || counts > most) {
    throw new RangeError(`a register cannot hold ${counts}`);
  }
  const unsigned = counts < 0 ? counts + (most - least + 1) : counts;
  const low = unsigned % WORD;
  return most - least < WORD ? [low] : [Math.floor(unsigned / WORD), low];
}
