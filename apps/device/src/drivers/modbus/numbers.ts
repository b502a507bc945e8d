import type { NumberLayout, RegisterField, ScaleRegister } from './row.ts';

const ALL_ONES = 0xffff;
const WORD = 0x1_0000;

type NumberType = NumberLayout['type'];
type NumberField = Pick<RegisterField, 'registers'> & NumberLayout;

/** The contents of registers that there are not, in numbers of each type; those of `u64` as exactly as a number holds them. */
const EMPTY: Readonly<Record<NumberType, readonly number[]>> = {
  u16: [ALL_ONES],
  s16: [],
  u32: [0xffff_ffff],
  s32: [],
  u64: [WORD ** 4],
  f32: [],
  's16 extended': [],
};

/** Counts that the registers of each type can hold. */
export const RANGES: Readonly<Record<Exclude<NumberType, 'f32'>, readonly [least: number, most: number]>> = {
  u16: [0, 0xffff],
  s16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  s32: [-0x8000_0000, 0x7fff_ffff],
  u64: [0, Number.MAX_SAFE_INTEGER],
  's16 extended': [-0x8000_0000, 0x7fff_ffff],
};

const NOT_A_NUMBER = 0x7fc0_0000;

const NO_LIMIT = -1;

/**
 * Decodes a number, with every digit that its registers have.
 *
 * @param registers low word first
 * @param scaleContent the content of its scale register
 * @returns null when the registers mean "no value", or there is no such scale
 */
export function readNumber(
  field: NumberField,
  registers: readonly number[],
  scaleContent: number | undefined,
): number | null {
  const counts = readCounts(field, registers);
  if (counts === null) return null;
  const { scale = 1, zero = 0, scaleBy, unlimited, opposite } = field;
  if (unlimited && counts < 0) return NO_LIMIT;
  if (unlimited && counts === 0 && scale > 1) return null;
  const factor = factorOf(scaleBy, scaleContent);
  if (factor === undefined) return null;
  const value = times(times(counts - zero, factor), scale);
  return opposite ? -value : value;
}

/**
 * Encodes a number; null becomes what means "no value", 0 where nothing does.
 *
 * @param before the first register's present content: bits outside the mask are preserved
 * @param scaleContent the content of its scale register
 * @returns the registers, low word first
 * @throws RangeError when they cannot hold it
 */
export function writeNumber(
  field: NumberField,
  value: number | null,
  before: number,
  scaleContent: number | undefined,
): readonly number[] {
  const { type, mask, registers, scale = 1, zero = 0, noValue } = field;
  const registersOf = (raw: number) => registers.map((_, word) => Math.floor(raw / WORD ** word) & ALL_ONES);
  if (value === null) {
    if (noValue?.[0] !== undefined) return registersOf(noValue[0]);
    return type === 'f32'
      ? registersOf(NOT_A_NUMBER)
      : registers.map(() => (EMPTY[type].length > 0 ? ALL_ONES : 0));
  }
  const factor = factorOf(field.scaleBy, scaleContent);
  if (factor === undefined) throw new RangeError(`the scale of ${value} is unknown`);
  if (field.unlimited && value < 0) return registersOf(NO_LIMIT);
  const exact = over(over(field.opposite ? -value : value, scale), factor);
  if (type === 'f32') return registersOf(bitsOf(exact));
  const counts = Math.round(exact) + zero;
  const [least, most] = mask === undefined ? RANGES[type] : [0, mask / lowestBit(mask)];
  const raw = counts < 0 ? counts + WORD ** registers.length : counts;
  const isTaken = raw !== 0 && (noValue ?? EMPTY[type]).includes(raw);
  if (!Number.isInteger(counts) || counts < least || counts > most || isTaken) {
    throw new RangeError(`a register cannot hold ${counts}`);
  }
  return mask === undefined ? registersOf(counts) : [(before & ~mask) | (counts * lowestBit(mask))];
}

/** How far a number may be from a count of the register, for its binary rounding. */
const COUNT_TOLERANCE = 1e-6;

/** Whether a value lies between two counts of a field that takes whole ones only. */
export function isBetweenCounts({ wholeCounts, scale = 1, unlimited }: NumberLayout, value: number): boolean {
  if (!wholeCounts || (unlimited && value < 0)) return false;
  const counts = over(value, scale);
  return Math.abs(counts - Math.round(counts)) > COUNT_TOLERANCE;
}

/** Scale factors outside this range are garbage: the published models of SunSpec allow no others. */
const MAX_EXPONENT = 10;

/**
 * The factor that a scale register stands for, 1 without one.
 *
 * @param content of the register
 * @returns undefined when the content stands for none
 */
export function factorOf(
  scaleBy: ScaleRegister | undefined,
  content: number | undefined,
): number | undefined {
  if (scaleBy === undefined) return 1;
  if (content === undefined) return undefined;
  if (scaleBy.scales !== 'powers of ten') return scaleBy.scales[content];
  const exponent = signed16(content);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  return exponent < 0 ? 1 / 10 ** -exponent : 10 ** exponent;
}

function readCounts(field: NumberField, registers: readonly number[]): number | null {
  const { type, mask, noValue = EMPTY[type] } = field;
  const [low = ALL_ONES, high] = registers;
  if (type === 's16 extended') return extended(low, high);
  const raw = registers.reduceRight((number, word) => number * WORD + word, 0);
  if (noValue.includes(raw)) return null;
  if (type === 'f32') return floatOf(raw);
  if (mask !== undefined) return (raw & mask) / lowestBit(mask);
  const signed = type === 's16' || type === 's32';
  return signed && raw >= WORD ** registers.length / 2 ? raw - WORD ** registers.length : raw;
}

/** How far the inverse of a factor may be from a whole number. */
const INVERSE_TOLERANCE = 1e-9;

/** The whole number that a factor is one part of, such as 100 of 0.01; undefined of others. */
function divisorOf(factor: number): number | undefined {
  const inverse = 1 / factor;
  const whole = Math.round(inverse);
  return Math.abs(whole) > 1 && Math.abs(inverse - whole) < INVERSE_TOLERANCE * Math.abs(whole)
    ? whole
    : undefined;
}

/** Divides by whole numbers, so that 16389 counts of 0.01 are exactly 163.89. */
function times(number: number, factor: number): number {
  const divisor = divisorOf(factor);
  return divisor === undefined ? number * factor : number / divisor;
}

function over(number: number, factor: number): number {
  const divisor = divisorOf(factor);
  return divisor === undefined ? number / factor : number * divisor;
}

function floatOf(raw: number): number | null {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(raw);
  const value = bytes.readFloatBE();
  return Number.isFinite(value) ? value : null;
}

function bitsOf(value: number): number {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes.readUInt32BE();
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
