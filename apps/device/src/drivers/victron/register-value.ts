import type { MetricValue } from '@heliograph/metrics';
import type { Register, ValueType } from './registers.ts';
import { codeLabel } from './states.ts';

type Layout = { readonly bytes: 1 | 2 | 4; readonly signed: boolean };

const LAYOUTS: Readonly<Record<ValueType, Layout>> = {
  u8: { bytes: 1, signed: false },
  u16: { bytes: 2, signed: false },
  s16: { bytes: 2, signed: true },
  u32: { bytes: 4, signed: false },
};

/**
 * The number in the bytes, low byte first.
 *
 * @returns null for "not available", the type's highest number; undefined when the length is not the type's
 */
export function decodeNumber(bytes: Uint8Array, type: ValueType): number | null | undefined {
  const { bytes: length, signed } = LAYOUTS[type];
  if (bytes.length !== length) return undefined;
  const buffer = Buffer.from(bytes);
  const number = signed ? buffer.readIntLE(0, length) : buffer.readUIntLE(0, length);
  return number === highest(type) ? null : number;
}

/** The value of a register's bytes; undefined when they do not have its length. */
export function decodeValue(
  { type, per = 1, labels }: Pick<Register, 'type' | 'per' | 'labels'>,
  bytes: Uint8Array,
): MetricValue | undefined {
  if (labels !== undefined) {
    const [code] = bytes;
    if (bytes.length !== 1 || code === undefined) return undefined;
    // All ones is "not available", save where it has a meaning: it is a battery type.
    return code === highest('u8') && labels[code] === undefined ? null : codeLabel(labels, code);
  }
  const number = decodeNumber(bytes, type);
  return typeof number === 'number' ? number / per : number;
}

/**
 * @param value in the quantity's unit, or one of the register's labels
 * @throws RangeError when the register cannot hold it
 */
export function encodeValue(
  { type, per = 1, labels }: Pick<Register, 'type' | 'per' | 'labels'>,
  value: number | string,
): Uint8Array {
  const number = labels === undefined ? Math.round(Number(value) * per) : codeOf(labels, value);
  const { bytes: length, signed } = LAYOUTS[type];
  const lowest = signed ? -highest(type) - 1 : 0;
  const available = labels !== undefined || number !== highest(type);
  if (!Number.isInteger(number) || number < lowest || number > highest(type) || !available) {
    throw new RangeError(`${value} does not fit`);
  }
  const buffer = Buffer.alloc(length);
  if (signed) buffer.writeIntLE(number, 0, length);
  else buffer.writeUIntLE(number, 0, length);
  return buffer;
}

function codeOf(labels: Readonly<Record<number, string>>, value: number | string): number {
  const found = Object.entries(labels).find(([, text]) => text === value);
  return found === undefined ? Number.NaN : Number(found[0]);
}

function highest(type: ValueType): number {
  const { bytes, signed } = LAYOUTS[type];
  return 2 ** (bytes * 8 - (signed ? 1 : 0)) - 1;
}
