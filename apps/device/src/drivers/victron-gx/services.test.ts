import { expect, it } from 'vitest';
import { extentOf, planBlocks, type RegisterSpan } from '../modbus/blocks.ts';
import { gxSpansOf } from './service-rows.ts';
import { limitsOf, RANGES, type Service } from './services.ts';

const MAX_REGISTERS = 125;
const SERVICES = Object.keys(RANGES) as Service[];

it.each(SERVICES)('every value of the %s service is read, with at most one request a range', (service) => {
  const spans = gxSpansOf(service);
  const blocks = planBlocks(spans, limitsOf(service));
  expect(new Set(blocks.flat().map(placeOf))).toEqual(new Set(spans.map(placeOf)));
  expect(blocks.length).toBeLessThanOrEqual(RANGES[service].length);
  for (const block of blocks) {
    const { address, count } = extentOf(block);
    expect(count).toBeLessThanOrEqual(MAX_REGISTERS);
    expect(RANGES[service].some(([first, last]) => address >= first && address + count - 1 <= last)).toBe(
      true,
    );
  }
});

it('no two services share a register, so a recording identifies its service', () => {
  const all = SERVICES.flatMap((service) => RANGES[service]).toSorted(([a], [b]) => a - b);
  for (const [index, [first]] of all.entries()) expect(first).toBeGreaterThan(all[index - 1]?.[1] ?? -1);
});

function placeOf({ address, count }: RegisterSpan): string {
  return `${address} ${count}`;
}
