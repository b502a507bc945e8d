import { tableOf } from './register-address.ts';
import { isNumber, type RegisterRow } from './row.ts';

/** Neighbouring registers of one value, which are read together or not at all. */
export interface RegisterSpan {
  /** As `addressIn` makes it. */
  readonly address: number;
  readonly count: number;
}

/** Values that are read with one request, in the order of their registers. */
export type RegisterBlock = readonly RegisterSpan[];

/** The first and the last of neighbouring registers. */
export type RegisterRange = readonly [first: number, last: number];

/** Within what a family's hardware answers. */
export interface ReadLimits {
  /** Registers that it answers at once, at most. */
  readonly maxRead: number;
  /** How many registers between two wanted ones are read along rather than left out with another request. */
  readonly maxGap: number;
  /** A request stays within one of them, and they are read in their order; no limits when left out. */
  readonly ranges?: readonly RegisterRange[];
  /** Registers to which some of the hardware keeps silent instead of refusing them. */
  readonly silentWhereAbsent?: ReadonlySet<number>;
  /** Registers that were refused are requested again in every read, because the hardware announced them. */
  readonly repeatsRefused?: true;
}

const EVERYWHERE: readonly RegisterRange[] = [[0, Number.POSITIVE_INFINITY]];

export function addressesOf({ address, count }: RegisterSpan): readonly number[] {
  return Array.from({ length: count }, (_, index) => address + index);
}

/** Plans as few requests as it takes to read these values. */
export function planBlocks(spans: Iterable<RegisterSpan>, limits: ReadLimits): readonly RegisterBlock[] {
  const { maxRead, maxGap, ranges = EVERYWHERE } = limits;
  const wanted = distinct([...spans].flatMap((span) => cut(span, maxRead)));
  return ranges.flatMap(([first, last]) => {
    const blocks: RegisterSpan[][] = [];
    let end = 0;
    for (const span of wanted.filter(({ address }) => address >= first && address <= last)) {
      const block = blocks.at(-1);
      const start = block?.[0]?.address ?? 0;
      const newEnd = Math.max(end, endOf(span));
      const joins =
        block !== undefined &&
        tableOf(start) === tableOf(span.address) &&
        span.address - end <= maxGap &&
        newEnd - start <= maxRead;
      if (joins) block.push(span);
      else blocks.push([span]);
      end = joins ? newEnd : endOf(span);
    }
    return blocks;
  });
}

/** The first register of a block and their number. */
export function extentOf(block: RegisterBlock): RegisterSpan {
  const address = block[0]?.address ?? 0;
  return { address, count: Math.max(...block.map(endOf)) - address };
}

/** A block in two, at its widest gap, or in the middle where it has none; nothing of a single value. */
export function partsOf(block: RegisterBlock): readonly RegisterBlock[] {
  if (block.length < 2) return [];
  let widest = 0;
  let at = Math.ceil(block.length / 2);
  let end = 0;
  for (const [index, span] of block.entries()) {
    const gap = index === 0 ? 0 : span.address - end;
    if (gap > widest) {
      widest = gap;
      at = index;
    }
    end = Math.max(end, endOf(span));
  }
  return [block.slice(0, at), block.slice(at)];
}

/** The registers of rows, and those that scale and enable them, without gaps within a value. */
export function spansOf(rows: Iterable<RegisterRow>): readonly RegisterSpan[] {
  return distinct(
    [...rows].flatMap((row) => {
      const beside = [isNumber(row) ? row.scaleBy?.register : undefined, row.enabledBy?.register];
      const own = row.type === 's16 extended' ? row.registers.map(spanAt) : runsOf(row.registers);
      return [...own, ...beside.filter((register) => register !== undefined).map(spanAt)];
    }),
  );
}

export function spanAt(address: number): RegisterSpan {
  return { address, count: 1 };
}

/** Neighbours among registers in any order. */
export function runsOf(registers: readonly number[]): readonly RegisterSpan[] {
  const runs: { address: number; count: number }[] = [];
  for (const register of registers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && endOf(run) === register) run.count += 1;
    else runs.push({ address: register, count: 1 });
  }
  return runs;
}

/** In the order of their registers; of those that begin alike the longest comes first. */
function distinct(spans: readonly RegisterSpan[]): readonly RegisterSpan[] {
  const byPlace = new Map(spans.map((span) => [`${span.address} ${span.count}`, span]));
  return [...byPlace.values()].sort((a, b) => a.address - b.address || b.count - a.count);
}

/** A text may be longer than what hardware answers at once. */
function cut({ address, count }: RegisterSpan, most: number): readonly RegisterSpan[] {
  return Array.from({ length: Math.ceil(count / most) }, (_, part) => ({
    address: address + part * most,
    count: Math.min(most, count - part * most),
  }));
}

function endOf({ address, count }: RegisterSpan): number {
  return address + count;
}
