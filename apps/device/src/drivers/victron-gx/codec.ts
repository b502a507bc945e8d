import { type MetricValue, roundTo } from '@heliograph/metrics';
import type { RegisterValues } from '../registers.ts';
import { type GxNumberLayout, type GxRegisterRow, widthOf } from './row.ts';

const ALL_ONES = 0xffff;
const WARNING = 1;

/** @returns undefined when the frame does not hold all of the row's registers */
export function readRow(row: GxRegisterRow, frame: RegisterValues): MetricValue | undefined {
  const words = Array.from({ length: widthOf(row) }, (_, index) => frame.get(row.register + index));
  return words.every((word) => word !== undefined) ? decode(row, words) : undefined;
}

/**
 * Decodes one quantity.
 *
 * @param words the row's own, in their order
 * @returns rounded as the quantity promises; null where the GX has no value
 */
export function decode(row: GxRegisterRow, words: readonly number[]): MetricValue {
  switch (row.type) {
    case 'code': {
      const [code = ALL_ONES] = words;
      if (code === ALL_ONES) return null;
      return row.labels[code] ?? (row.quantity.setting === undefined ? `Unknown (${code})` : null);
    }
    case 'alarms': {
      const raised = row.labels.flatMap((text, index) => {
        const level = words[index] ?? 0;
        if (level === 0 || level === ALL_ONES) return [];
        return [level === WARNING ? `${text} (warning)` : text];
      });
      return raised.length === 0 ? 'OK' : raised.join(', ');
    }
    case 'text':
      return readText(words);
    default: {
      const value = readNumber(row, words);
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
      // What a GX does not have it sends as 0.
      if (value === null) return registersOf(row.type, 0);
      if (typeof value !== 'number') throw new RangeError(`${value} is no number`);
      if (row.unlimited && value < 0) return registersOf(row.type, -1);
      return registersOf(row.type, Math.round(value / (row.factor ?? 1)));
    }
  }
}

function readNumber(row: GxNumberLayout, words: readonly number[]): number | null {
  const counts = countsOf(row.type, words);
  if (counts === null) return null;
  const { factor = 1, unlimited = false, zeroIsUnknown = false } = row;
  if (unlimited && counts < 0) return -1;
  // A GX multiplies its -1 by the scale and rounds, which makes a 0 of it that cannot be told from a real one.
  const ambiguous = unlimited && factor > 1;
  return counts === 0 && (zeroIsUnknown || ambiguous) ? null : counts * factor;
}

function codeOf(labels: Readonly<Record<number, string>>, value: MetricValue): number {
  const found = Object.entries(labels).find(([, text]) => text === value);
  if (found === undefined) throw new RangeError(`${value} is none of ${Object.values(labels).join(', ')}`);
  return Number(found[0]);
}

function readText(words: readonly number[]): string | null {
  const bytes = Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
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

/** @returns null at the end of the range, beyond which a GX cannot tell more */
export function countsOf(type: NumberType, words: readonly number[]): number | null {
  const [least, most] = RANGES[type];
  const unsigned = words.reduce((number, word) => number * WORD + word, 0);
  const counts = unsigned > most ? unsigned - WORD ** words.length : unsigned;
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
