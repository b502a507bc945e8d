import { type MetricValue, roundTo } from '@heliograph/metrics';
import { COUNT, readCounts, writeCounts } from './numbers.ts';
import type { Profile } from './profile.ts';
import type { DeyeNumberLayout, DeyeRegisterRow } from './row.ts';
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
 * @returns rounded as the quantity promises; null where the inverter says that there is no value
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

/**
 * Encodes one quantity.
 *
 * @param value as `decode` returns it, or the text of a switch
 * @param before what the registers hold: bits that the row does not own are kept
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
