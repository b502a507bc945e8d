import { type MetricValue, roundTo } from '@heliograph/metrics';
import type { RegisterValues } from '../registers.ts';
import type { NumberLayout, RegisterRow } from './row.ts';
import {
  readAscii,
  readCharacters,
  readClock,
  readFlags,
  readTime,
  readTimeBytes,
  readVersion,
  writeAscii,
  writeCharacters,
  writeClock,
  writeTime,
} from './texts.ts';

const ALL_ONES = 0xffff;
const WORD = 0x1_0000;

/**
 * Decodes one quantity.
 *
 * @param registers the row's own, in its order
 * @returns rounded to the quantity's decimals; null where the registers mean "no value"
 */
export function decode(row: RegisterRow, registers: readonly number[]): MetricValue {
  return roundTo(row.quantity, decodeExactly(row, registers));
}

/** The same with every digit that the registers have. */
function decodeExactly(row: RegisterRow, registers: readonly number[]): MetricValue {
  switch (row.type) {
    case 'code': {
      const code = masked(registers, row.mask);
      if (code === null) return null;
      return row.labels[code] ?? (row.quantity.setting === undefined ? `Unknown (${code})` : null);
    }
    case 'switch': {
      const bits = masked(registers, row.mask);
      return bits === null ? null : bits === row.mask;
    }
    case 'flags':
      return readFlags(row, registers);
    case 'ascii':
      return readAscii(registers);
    case 'characters':
      return readCharacters(registers);
    case 'version':
      return readVersion(registers);
    case 'clock':
      return readClock(registers);
    case 'hhmm':
      return readTime(registers);
    case 'hours and minutes':
      return readTimeBytes(registers);
    case 'minutes and hours':
      return readTimeBytes(registers.map(swapBytes));
    default: {
      const counts = readCounts(row, registers);
      if (counts === null) return null;
      const value = (counts - (row.zero ?? 0)) * (row.scale ?? 1);
      return row.opposite ? -value : value;
    }
  }
}

/** @returns undefined when the frame does not hold all of the row's registers */
export function readRow(row: RegisterRow, frame: RegisterValues): MetricValue | undefined {
  const exact = readExactly(row, frame);
  return exact === undefined ? undefined : roundTo(row.quantity, exact);
}

/** The same with every digit that the registers have. */
export function readExactly(row: RegisterRow, frame: RegisterValues): MetricValue | undefined {
  const registers = row.registers.map((register) => frame.get(register));
  return registers.every((register) => register !== undefined) ? decodeExactly(row, registers) : undefined;
}

/**
 * Encodes one quantity.
 *
 * @param value as `decode` returns it, or the text of a switch
 * @param before the registers' present values: bits outside the row's mask are preserved
 * @throws RangeError when the registers cannot hold it
 */
export function encode(
  row: RegisterRow,
  value: MetricValue,
  before: readonly number[] = [],
): readonly number[] {
  switch (row.type) {
    case 'code':
      return [merge(before, row.mask, codeOf(row.labels, value))];
    case 'switch':
      return [merge(before, row.mask, value === true || value === 'true' ? row.mask : 0)];
    case 'flags':
      return row.registers.map(() => 0);
    case 'ascii':
      return writeAscii(String(value ?? ''), row.registers.length);
    case 'characters':
      return writeCharacters(String(value ?? ''), row.registers.length);
    case 'version': {
      const [high = 0, low = 0] = String(value).split('.').map(Number);
      return [(high << 8) | low];
    }
    case 'clock':
      return writeClock(String(value));
    case 'hhmm':
      return [writeTime(String(value), 100)];
    case 'hours and minutes':
      return [writeTime(String(value), 256)];
    case 'minutes and hours':
      return [swapBytes(writeTime(String(value), 256))];
    default: {
      if (typeof value !== 'number') return writeCounts(row, null, before);
      const counts = Math.round((row.opposite ? -value : value) / (row.scale ?? 1));
      return writeCounts(row, counts + (row.zero ?? 0), before);
    }
  }
}

/** Null for a register that is not there: all ones fill those. */
function masked([register = ALL_ONES]: readonly number[], mask = ALL_ONES): number | null {
  return register === ALL_ONES ? null : register & mask;
}

function merge([register = 0]: readonly number[], mask = ALL_ONES, bits: number): number {
  return (register & ~mask) | bits;
}

function codeOf(labels: Readonly<Record<number, string>>, value: MetricValue): number {
  const found = Object.entries(labels).find(([, text]) => text === value);
  if (found === undefined) throw new RangeError(`${value} is none of ${Object.values(labels).join(', ')}`);
  return Number(found[0]);
}

type NumberType = NumberLayout['type'];

/** The contents of registers that there are not, in numbers of each type. */
const EMPTY: Readonly<Record<NumberType, readonly number[]>> = {
  u16: [ALL_ONES],
  s16: [],
  u32: [0xffff_ffff],
  s32: [],
  u64: [WORD ** 4 - 1],
  f32: [],
  's16 extended': [],
};

/** Counts in registers, low word first; null when the registers mean "no value". */
function readCounts(row: NumberLayout, registers: readonly number[]): number | null {
  const { type, mask, noValue = EMPTY[type] } = row;
  const [low = ALL_ONES, high] = registers;
  if (type === 's16 extended') return extended(low, high);
  const raw = registers.reduceRight((number, word) => number * WORD + word, 0);
  if (noValue.includes(raw)) return null;
  if (type === 'f32') return floatOf(raw);
  if (mask !== undefined) return (raw & mask) / lowestBit(mask);
  const signed = type === 's16' || type === 's32';
  return signed && raw >= WORD ** registers.length / 2 ? raw - WORD ** registers.length : raw;
}

/**
 * The registers of a number of counts; null becomes what means "no value", 0 where nothing does.
 *
 * @throws RangeError when the counts do not fit
 */
function writeCounts(
  row: NumberLayout & Pick<RegisterRow, 'registers'>,
  counts: number | null,
  [before = 0]: readonly number[],
): readonly number[] {
  const { type, mask, noValue = EMPTY[type], registers } = row;
  const raw = counts ?? noValue[0] ?? 0;
  if (counts !== null) {
    const [least, most] = mask === undefined ? RANGES[type] : [0, mask / lowestBit(mask)];
    const fits = Number.isInteger(counts) && counts >= least && counts <= most;
    if (!fits || noValue.includes(counts)) throw new RangeError(`a register cannot hold ${counts}`);
    if (mask !== undefined) return [merge([before], mask, counts * lowestBit(mask))];
  }
  return registers.map((_, word) => Math.floor(raw / WORD ** word) & ALL_ONES);
}

const RANGES: Readonly<Record<NumberType, readonly [least: number, most: number]>> = {
  u16: [0, 0xffff],
  s16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  s32: [-0x8000_0000, 0x7fff_ffff],
  u64: [0, Number.MAX_SAFE_INTEGER],
  // No setting is one.
  f32: [0, 0],
  's16 extended': [-0x8000_0000, 0x7fff_ffff],
};

function floatOf(raw: number): number | null {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(raw);
  const value = bytes.readFloatBE();
  return Number.isFinite(value) ? value : null;
}

function swapBytes(register: number): number {
  return ((register & 0xff) << 8) | (register >> 8);
}

function lowestBit(mask: number): number {
  return mask & -mask;
}

/**
 * Older firmware has no high word or leaves 0 in it, also beside a negative low word, so a high word of 0 is
 * ignored: powers of 32.8 to 65.5 kW are indistinguishable from negative ones and are read as the latter.
 */
function extended(low: number, high: number | undefined): number {
  return high === undefined || high === 0 ? signed16(low) : signed16(high) * WORD + low;
}

function signed16(word: number): number {
  return word >= 0x8000 ? word - WORD : word;
}
