import { type MetricValue, roundTo } from '@heliograph/metrics';
import type { RegisterValues } from '../registers.ts';
import { readNumber, writeNumber } from './numbers.ts';
import { isNumber, type RegisterField, type RegisterRow } from './row.ts';
import {
  readAlarms,
  readAscii,
  readCharacters,
  readClock,
  readFlags,
  readTime,
  readTimeBytes,
  readUtf8,
  readVersion,
  writeAscii,
  writeCharacters,
  writeClock,
  writeTime,
  writeUtf8,
} from './texts.ts';

const ALL_ONES = 0xffff;

/**
 * Decodes one quantity.
 *
 * @param registers the row's own, in its order
 * @returns rounded to the quantity's decimals; null where the registers mean "no value"
 */
export function decode(row: RegisterRow, registers: readonly number[]): MetricValue {
  return roundTo(row.quantity, decodeExactly(row, registers));
}

/**
 * Decodes one value with every digit that the registers have.
 *
 * @param registers the field's own, in its order
 * @param scaleContent the content of its scale register
 */
export function decodeExactly(
  field: RegisterField,
  registers: readonly number[],
  scaleContent?: number,
): MetricValue {
  switch (field.type) {
    case 'code': {
      const code = masked(registers, field.mask);
      if (code === null || field.noValue?.includes(code)) return null;
      return field.labels[code] ?? `Unknown (${code})`;
    }
    case 'switch': {
      const bits = masked(registers, field.mask);
      return bits === null ? null : bits === field.mask;
    }
    case 'flags':
      return readFlags(field, registers);
    case 'alarms':
      return readAlarms(field, registers);
    case 'ascii':
      return readAscii(registers);
    case 'characters':
      return readCharacters(registers);
    case 'utf8':
      return readUtf8(registers);
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
    default:
      return readNumber(field, registers, scaleContent);
  }
}

/** @returns undefined when the frame does not hold all of the row's registers */
export function readRow(row: RegisterRow, frame: RegisterValues): MetricValue | undefined {
  const exact = readExactly(row, frame);
  return exact === undefined ? undefined : roundTo(row.quantity, exact);
}

/** The same with every digit that the registers have. */
export function readExactly(
  field: RegisterField & Pick<RegisterRow, 'enabledBy'>,
  frame: RegisterValues,
): MetricValue | undefined {
  const { registers, enabledBy } = field;
  const own = registersIn(registers, frame);
  const scaleBy = isNumber(field) ? field.scaleBy : undefined;
  const scaleContent = scaleBy === undefined ? undefined : frame.get(scaleBy.register);
  if (own === undefined || (scaleBy !== undefined && scaleContent === undefined)) return undefined;
  if (enabledBy !== undefined) {
    const enabled = frame.get(enabledBy.register);
    if (enabled === undefined) return undefined;
    if (enabled === 0) return enabledBy.otherwise;
  }
  return decodeExactly(field, own, scaleContent);
}

/** @returns undefined when the frame does not hold all of them */
export function registersIn(
  registers: readonly number[],
  frame: RegisterValues,
): readonly number[] | undefined {
  const contents = registers.map((register) => frame.get(register));
  return contents.every((content) => content !== undefined) ? contents : undefined;
}

/**
 * Encodes one value.
 *
 * @param value as `decode` returns it, or the text of a switch
 * @param before the registers' present values: bits outside the field's mask are preserved
 * @param scaleContent the content of its scale register
 * @returns the registers in the field's order
 * @throws RangeError when the registers cannot hold it
 */
export function encode(
  field: RegisterField,
  value: MetricValue,
  before: readonly number[] = [],
  scaleContent?: number,
): readonly number[] {
  switch (field.type) {
    case 'code':
      return [merge(before, field.mask, codeOf(field.labels, value))];
    case 'switch':
      return [merge(before, field.mask, value === true || value === 'true' ? field.mask : 0)];
    case 'flags':
    case 'alarms':
      return field.registers.map(() => 0);
    case 'ascii':
      return writeAscii(String(value ?? ''), field.registers.length);
    case 'characters':
      return writeCharacters(String(value ?? ''), field.registers.length);
    case 'utf8':
      if (typeof value === 'number') throw new RangeError(`${value} is no text`);
      return writeUtf8(String(value ?? ''), field.registers.length);
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
    default:
      if (value !== null && typeof value !== 'number') throw new RangeError(`${value} is no number`);
      return writeNumber(field, value, before[0] ?? 0, scaleContent);
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

function swapBytes(register: number): number {
  return ((register & 0xff) << 8) | (register >> 8);
}
