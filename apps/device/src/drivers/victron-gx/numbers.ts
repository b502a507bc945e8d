import type { GxNumberLayout } from './row.ts';

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
