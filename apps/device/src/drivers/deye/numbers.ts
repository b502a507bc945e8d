import type { DeyeNumberLayout } from './row.ts';

const ALL_ONES = 0xffff;

/** 0 °C in tenths; the scale of temperatures begins at -100 °C. */
const FREEZING = 1000;
const TENTH = 0.1;

/** What one count of a number is worth, whatever the profile says. */
export const COUNT: Readonly<Record<DeyeNumberLayout['type'], number>> = {
  u16: 1,
  s16: 1,
  u32: 1,
  s32: 1,
  temperature: TENTH,
};

/** Counts in registers, low word first; null when the registers say that there is no value. */
export function readCounts(type: DeyeNumberLayout['type'], registers: readonly number[]): number | null {
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
export function writeCounts(
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
 * Older firmware has no high word or leaves 0 in it, also beside a negative low word, so a high word of 0 says
 * nothing: powers of 32.8 to 65.5 kW cannot be told from negative ones and are read as the latter.
 */
function wide(low: number, high: number | undefined): number {
  return high === undefined || high === 0 ? signed(low) : signed(high) * 0x10000 + low;
}

function signed(word: number): number {
  return word >= 0x8000 ? word - 0x10000 : word;
}
