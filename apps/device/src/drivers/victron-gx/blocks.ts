import { type GxRegisterRow, widthOf } from './row.ts';

/** The first and the last of neighbouring registers. */
export type RegisterRange = readonly [first: number, last: number];

/** The registers of one value, which are read together or not at all. */
export interface RegisterSpan {
  readonly register: number;
  readonly width: number;
}

/** Values that are read with one request, in the order of their registers. */
export type SpanBlock = readonly RegisterSpan[];

/** Plans one request for each range that holds wanted values, in the order of the ranges. */
export function planBlocks(
  wanted: readonly RegisterSpan[],
  ranges: readonly RegisterRange[],
): readonly SpanBlock[] {
  return ranges
    .map(([first, last]) =>
      wanted
        .filter(({ register }) => register >= first && register <= last)
        .toSorted((a, b) => a.register - b.register),
    )
    .filter((block) => block.length > 0);
}

/** The first register of the block and their number: never a part of a value at its end. */
export function extentOf(block: SpanBlock): { readonly address: number; readonly count: number } {
  const address = block[0]?.register ?? 0;
  const end = Math.max(...block.map(({ register, width }) => register + width));
  return { address, count: end - address };
}

/** The two halves of a block that was refused as a whole; none of a single value. */
export function halvesOf(block: SpanBlock): readonly SpanBlock[] {
  const middle = Math.ceil(block.length / 2);
  return block.length < 2 ? [] : [block.slice(0, middle), block.slice(middle)];
}

export function spanOf(row: GxRegisterRow): RegisterSpan {
  return { register: row.register, width: widthOf(row) };
}
