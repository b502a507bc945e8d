import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extentOf, halvesOf, planBlocks, type RegisterSpan, type SpanBlock } from './blocks.ts';
import { spansOf } from './service-rows.ts';
import { RANGES, type Service } from './services.ts';

const MOST_AT_ONCE = 125;
const SERVICES = Object.keys(RANGES) as Service[];

it.each(SERVICES)('every value of the %s service is read, with at most one request a range', (service) => {
  const spans = spansOf(service);
  const blocks = planBlocks(spans, RANGES[service]);
  expect(blocks.flat().toSorted(byRegister)).toEqual(spans.toSorted(byRegister));
  expect(blocks.length).toBeLessThanOrEqual(RANGES[service].length);
  for (const block of blocks) {
    const { address, count } = extentOf(block);
    expect(count).toBeLessThanOrEqual(MOST_AT_ONCE);
    expect(RANGES[service].some(([first, last]) => address >= first && address + count - 1 <= last)).toBe(
      true,
    );
  }
});

it('no two services share a register, so a recording identifies its service', () => {
  const all = SERVICES.flatMap((service) => RANGES[service]).toSorted(([a], [b]) => a - b);
  for (const [index, [first]] of all.entries()) expect(first).toBeGreaterThan(all[index - 1]?.[1] ?? -1);
});

it('no half of a block begins or ends within a value', () => {
  const widths = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 5 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(widths, (parts) => {
      const spans: RegisterSpan[] = [];
      let next = 800;
      for (const [width, gap] of parts) {
        spans.push({ register: next, width });
        next += width + gap;
      }
      const leaves = leavesOf(spans, (block) => {
        const { address, count } = extentOf(block);
        expect(block[0]?.register).toBe(address);
        expect(block.at(-1)).toMatchObject({ register: address + count - (block.at(-1)?.width ?? 0) });
      });
      expect(leaves).toEqual(spans);
    }),
  );
});

function leavesOf(block: SpanBlock, look: (block: SpanBlock) => void): SpanBlock {
  look(block);
  const halves = halvesOf(block);
  return halves.length === 0 ? block : halves.flatMap((half) => leavesOf(half, look));
}

function byRegister(a: RegisterSpan, b: RegisterSpan): number {
  return a.register - b.register;
}
