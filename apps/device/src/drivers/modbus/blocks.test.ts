import { quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extentOf,
  partsOf,
  planBlocks,
  type ReadLimits,
  type RegisterBlock,
  type RegisterSpan,
  spansOf,
} from './blocks.ts';
import { addressIn, tableOf } from './register-address.ts';

const registersOf = ({ address, count }: RegisterSpan): readonly number[] =>
  Array.from({ length: count }, (_, index) => address + index);

/** Values of one to six registers with gaps between them, in either table. */
const values = fc
  .tuple(
    fc.constantFrom('holding' as const, 'input' as const),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 })), {
      minLength: 1,
      maxLength: 40,
    }),
  )
  .map(([table, widths]) => {
    let next = addressIn(table, 800);
    return widths.map(([count, gap]): RegisterSpan => {
      const span = { address: next, count };
      next += count + gap;
      return span;
    });
  });

const limits: fc.Arbitrary<ReadLimits> = fc.record({
  maxRead: fc.integer({ min: 6, max: 125 }),
  maxGap: fc.integer({ min: 0, max: 30 }),
});

describe('planBlocks', () => {
  it('every value is whole in exactly one request, within the limits of the hardware', () => {
    fc.assert(
      fc.property(fc.tuple(values, values), limits, ([some, more], { maxRead, maxGap }) => {
        const wanted = [...new Map([...some, ...more].map((span) => [JSON.stringify(span), span])).values()];
        const blocks = planBlocks([...wanted, ...some], { maxRead, maxGap });
        expect(blocks.flat().map(placeOf).toSorted()).toEqual(wanted.map(placeOf).toSorted());
        for (const block of blocks) {
          const extent = extentOf(block);
          expect(extent.count).toBeLessThanOrEqual(maxRead);
          expect(tableOf(extent.address)).toBe(tableOf(extent.address + extent.count - 1));
          const held = new Set(block.flatMap(registersOf));
          expect(longestGap(registersOf(extent), held)).toBeLessThanOrEqual(maxGap);
        }
      }),
    );
  });

  it('no two neighbouring requests could be one', () => {
    fc.assert(
      fc.property(values, limits, (wanted, { maxRead, maxGap }) => {
        const extents = planBlocks(wanted, { maxRead, maxGap }).map(extentOf);
        for (const [index, { address, count }] of extents.entries()) {
          const next = extents[index + 1];
          if (next === undefined) continue;
          const first = wanted.find((span) => span.address === next.address)?.count ?? 0;
          const isFar = next.address - (address + count) > maxGap;
          expect(isFar || next.address + first - address > maxRead).toBe(true);
        }
      }),
    );
  });

  it('a request stays within its range, and ranges are read in their order', () => {
    const wanted = [3, 9, 10, 20, 25].map((address) => ({ address, count: 1 }));
    const ranges = [
      [20, 29],
      [0, 9],
      [10, 19],
    ] as const;
    expect(planBlocks(wanted, { maxRead: 125, maxGap: 125, ranges }).map(extentOf)).toEqual([
      { address: 20, count: 6 },
      { address: 3, count: 7 },
      { address: 10, count: 1 },
    ]);
  });

  it('a text that is longer than a request is read in several', () => {
    expect(planBlocks([{ address: 5, count: 64 }], { maxRead: 60, maxGap: 0 }).map(extentOf)).toEqual([
      { address: 5, count: 60 },
      { address: 65, count: 4 },
    ]);
  });
});

describe('partsOf', () => {
  it('parts hold all values, in their order, and neither begin nor end within one', () => {
    fc.assert(
      fc.property(values, (block) => {
        const seen: RegisterBlock[] = [];
        expect(leavesOf(block, seen)).toEqual(block);
        for (const part of seen) {
          const { address, count } = extentOf(part);
          const last = part.at(-1);
          expect(part[0]?.address).toBe(address);
          expect((last?.address ?? 0) + (last?.count ?? 0)).toBe(address + count);
        }
      }),
    );
  });

  it('a block is divided at its widest gap, and in the middle where it has none', () => {
    const at = (...addresses: readonly number[]) => addresses.map((address) => ({ address, count: 1 }));
    expect(partsOf(at(1, 2, 5, 6, 20))).toEqual([at(1, 2, 5, 6), at(20)]);
    expect(partsOf(at(1, 2, 5, 6))).toEqual([at(1, 2), at(5, 6)]);
    expect(partsOf(at(1, 2, 3))).toEqual([at(1, 2), at(3)]);
    expect(partsOf(at(1))).toEqual([]);
  });
});

describe('spansOf', () => {
  const quantity = quantities.power('Power');

  it('the words of a number are read together, in either order', () => {
    expect(spansOf([{ quantity, registers: [7, 6], type: 'u32' }])).toEqual([{ address: 6, count: 2 }]);
  });

  it('a high word that newer firmware adds is read apart', () => {
    expect(spansOf([{ quantity, registers: [6, 7], type: 's16 extended' }])).toEqual([
      { address: 6, count: 1 },
      { address: 7, count: 1 },
    ]);
  });

  it('registers that scale and enable a value are read with it', () => {
    const scaleBy = { register: 30, scales: 'powers of ten' } as const;
    const enabledBy = { register: 20, otherwise: 100 };
    expect(spansOf([{ quantity, registers: [10], type: 'u16', scaleBy, enabledBy }])).toEqual([
      { address: 10, count: 1 },
      { address: 20, count: 1 },
      { address: 30, count: 1 },
    ]);
  });
});

function placeOf({ address, count }: RegisterSpan): string {
  return `${address} ${count}`;
}

function longestGap(registers: readonly number[], held: ReadonlySet<number>): number {
  let longest = 0;
  let gap = 0;
  for (const register of registers) {
    gap = held.has(register) ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return longest;
}

function leavesOf(block: RegisterBlock, seen: RegisterBlock[]): RegisterBlock {
  seen.push(block);
  const parts = partsOf(block);
  return parts.length === 0 ? block : parts.flatMap((part) => leavesOf(part, seen));
}
