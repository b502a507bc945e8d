import { type MetricValue, roundTo } from '@heliograph/metrics';
import type { RegisterValues } from '../registers.ts';
import type { DeyeNumberLayout, DeyeRegisterRow, Profile } from './row.ts';
import {
  readAscii,
  readClock,
  readFlags,
  readTime,
  readVersion,
  writeAscii,
  writeClock,
  writeTime,
} from './texts.ts';

const ALL_ONES = 0xffff;

/**
 * Decodes one quantity.
 *
 * @param registers the row's own, in its order
 * @returns rounded to the quantity's decimals; null where the registers mean "no value"
 */
export function decode(row: DeyeRegisterRow, registers: readonly number[], profile: Profile): MetricValue {
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
    case 'version':
      return readVersion(registers);
    case 'clock':
      return readClock(registers);
    case 'hhmm':
      return readTime(registers);
    default: {
      const counts = readCounts(row.type, registers);
      if (counts === null) return null;
      return roundTo(row.quantity, (row.opposite ? -counts : counts) * scaleOf(row, profile));
    }
  }
}

/** @returns undefined when the frame does not hold all of the row's registers */
export function readRow(
  row: DeyeRegisterRow,
  profile: Profile,
  frame: RegisterValues,
): MetricValue | undefined {
  const registers = row.registers.map((register) => frame.get(register));
  return registers.every((register) => register !== undefined) ? decode(row, registers, profile) : undefined;
}

/**
 * Encodes one quantity.
 *
 * @param value as `decode` returns it, or the text of a switch
 * @param before the registers' present values: bits outside the row's mask are preserved
 * @throws RangeError when the registers cannot hold it
 */
export function encode(
  row: DeyeRegisterRow,
  value: MetricValue,
  profile: Profile,
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
    case 'version': {
      const [high = 0, low = 0] = String(value).split('.').map(Number);
      return [(high << 8) | low];
    }
    case 'clock':
      return writeClock(String(value));
    case 'hhmm':
      return [writeTime(String(value))];
    default: {
      const ours = typeof value === 'number' ? Math.round(value / scaleOf(row, profile)) : null;
      const counts = ours !== null && row.opposite ? -ours : ours;
      return writeCounts(row.type, counts, row.registers.length);
    }
  }
}

export function scaleOf(row: DeyeNumberLayout, profile: Profile): number {
  return (row.scales?.[profile] ?? row.scale ?? 1) * COUNT[row.type];
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

/** 0 °C in tenths; the scale of temperatures begins at -100 °C. */
const FREEZING = 1000;
const TENTH = 0.1;

/** The value of one count of each type, before any scale. */
const COUNT: Readonly<Record<DeyeNumberLayout['type'], number>> = {
  u16: 1,
  s16: 1,
  u32: 1,
  s32: 1,
  temperature: TENTH,
};

/** Counts in registers, low word first; null when the registers mean "no value". */
function readCounts(type: DeyeNumberLayout['type'], registers: readonly number[]): number | null {
  const [low = ALL_ONES, high] = registers;
  switch (type) {
    case 'u16':
      return low === ALL_ONES ? null : low;
    case 's16':
      return signed(low);
    case 'u32':
      return low === ALL_ONES && high === ALL_ONES ? null : (high ?? 0) * 0x10000 + low;
    case 's32':
      return wide(low, high);
    case 'temperature':
      return low === 0 || low === ALL_ONES ? null : low - FREEZING;
  }
}

/**
 * The registers of a number of counts; null becomes what means "no value", 0 where nothing does.
 *
 * @throws RangeError when the counts do not fit
 */
function writeCounts(
  type: DeyeNumberLayout['type'],
  counts: number | null,
  length: number,
): readonly number[] {
  if (counts === null) return new Array<number>(length).fill(type === 'u16' || type === 'u32' ? ALL_ONES : 0);
  const raw = type === 'temperature' ? counts + FREEZING : counts;
  const [least, most] = RANGES[type];
  if (!Number.isInteger(raw) || raw < least || raw > most) {
    throw new RangeError(`a register cannot hold ${counts}`);
  }
  return Array.from({ length }, (_, word) => Math.floor(raw / 0x10000 ** word) & ALL_ONES);
}

const RANGES: Readonly<Record<DeyeNumberLayout['type'], readonly [least: number, most: number]>> = {
  u16: [0, 0xfffe],
  s16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_fffe],
  s32: [-0x8000_0000, 0x7fff_ffff],
  temperature: [1, 0xfffe],
};

/**
 * Older firmware has no high word or leaves 0 in it, also beside a negative low word, so a high word of 0 is
 * ignored: powers of 32.8 to 65.5 kW are indistinguishable from negative ones and are read as the latter.
 */
function wide(low: number, high: number | undefined): number {
  return high === undefined || high === 0 ? signed(low) : signed(high) * 0x10000 + low;
}

function signed(word: number): number {
  return word >= 0x8000 ? word - 0x10000 : word;
}
