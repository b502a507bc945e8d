import { type Row, widthOf } from './row.ts';

/** The first and the last of neighbouring registers. */
export type Range = readonly [first: number, last: number];

/** The registers of one value, which are read together or not at all. */
export interface Span {
  readonly register: number;
  readonly width: number;
}

/** Values that are read with one request, in the order of their registers. */
export type Block = readonly Span[];

/** Plans one request for each range that holds wanted values, in the order of the ranges. */
export function planBlocks(wanted: readonly Span[], ranges: readonly Range[]): readonly Block[] {
  return ranges
    .map(([first, last]) =>
      wanted
        .filter(({ register }) => register >= first && register <= last)
        .toSorted((a, b) => a.register - b.register),
    )
    .filter((block) => block.length > 0);
}

/** What a request for the block asks for: never a part of a value at its end. */
export function extentOf(block: Block): { readonly address: number; readonly count: number } {
  const address = block[0]?.register ?? 0;
  const end = Math.max(...block.map(({ register, width }) => register + width));
  return { address, count: end - address };
}

/** The two halves of a block that was refused as a whole; none of a single value. */
export function halvesOf(block: Block): readonly Block[] {
  const middle = Math.ceil(block.length / 2);
  return block.length < 2 ? [] : [block.slice(0, middle), block.slice(middle)];
}

export function spanOf(row: Row): Span {
  return { register: row.register, width: widthOf(row) };
}
