import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServedUnit, serveUnit } from '../../../test/drivers/modbus/unit.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { ReadLimits, RegisterSpan } from './blocks.ts';
import { RegisterReader } from './register-reader.ts';

const LIMITS: ReadLimits = { maxRead: 60, maxGap: 8 };
const BUSY = 6;
const NO_SUCH_REGISTER = 2;

const served: ServedUnit[] = [];
afterEach(async () => {
  for (const unit of served.splice(0)) await unit.stop();
});

async function serve(registers: readonly number[]): Promise<ServedUnit> {
  const unit = await serveUnit(new Map(registers.map((register) => [register, register + 1])));
  served.push(unit);
  return unit;
}

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const single = (registers: readonly number[]): readonly RegisterSpan[] =>
  registers.map((address) => ({ address, count: 1 }));

describe('RegisterReader.requestsFor', () => {
  it('values of one block share a request, and others have one each', async () => {
    const unit = await serve([...range(0, 9), ...range(30, 39)]);
    const wanted = [...range(0, 9), ...range(30, 39)].map((address) => ({ address, count: 1 }));
    const reader = new RegisterReader(unit.bus, 1, wanted, LIMITS);
    await reader.explore();
    expect(reader.requestsFor(single([2, 7]))).toEqual([{ address: 2, count: 6 }]);
    expect(reader.requestsFor(single([2, 30]))).toEqual(single([2, 30]));
    expect(reader.requestsFor(single([20, 30])), 'a register that no block has').toEqual(single([20, 30]));
  });
});

describe('RegisterReader.explore', () => {
  it('every register that there is, and no other, is found and read from then on', async () => {
    const all = range(0, 39);
    const missing = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 7 });
    const unit = await serve(all);
    await fc.assert(
      fc.asyncProperty(missing, async (gone) => {
        const there = all.filter((register) => !gone.includes(register));
        unit.registers.clear();
        for (const register of there) unit.registers.set(register, register + 1);
        const reader = new RegisterReader(unit.bus, 1, single(all), LIMITS);
        expect([...(await reader.explore()).keys()].toSorted((a, b) => a - b)).toEqual(there);
        unit.reads.length = 0;
        const frame = await reader.read();
        expect(new Map([...frame].toSorted(([a], [b]) => a - b))).toEqual(unit.registers);
        const requested = unit.reads.flatMap(([address, count]) => range(address, address + count - 1));
        expect(requested.filter((register) => gone.includes(register))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('a value of which one register is missing is not read in part', async () => {
    const unit = await serve([0, 1, 2, 4, 5]);
    const wanted = [
      { address: 0, count: 2 },
      { address: 2, count: 2 },
      { address: 4, count: 2 },
    ];
    const reader = new RegisterReader(unit.bus, 1, wanted, LIMITS);
    expect(new Set((await reader.explore()).keys())).toEqual(new Set([0, 1, 4, 5]));
  });

  it('a refused register costs one request more than it took, and values across it are not requested together', async () => {
    const unit = await serve(range(0, 15).filter((register) => register !== 5));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 15)), LIMITS);
    await reader.explore();
    unit.reads.length = 0;
    await reader.read();
    expect(unit.reads).toEqual([
      [0, 5],
      [6, 10],
    ]);
  });

  it('a section that the unit does not have costs a few requests, however many values it holds', async () => {
    const unit = await serve(range(100, 110));
    const reader = new RegisterReader(unit.bus, 1, single([...range(0, 59), ...range(100, 110)]), LIMITS);
    expect([...(await reader.explore()).keys()]).toEqual(range(100, 110));
    expect(unit.reads.length).toBeLessThanOrEqual(17);
    unit.reads.length = 0;
    await reader.read();
    expect(unit.reads).toEqual([[100, 11]]);
  });

  it('registers that the hardware announced are requested again although they were refused', async () => {
    const unit = await serve([0, 2]);
    const reader = new RegisterReader(unit.bus, 1, single([0, 1, 2]), { ...LIMITS, repeatsRefused: true });
    expect(new Set((await reader.explore()).keys())).toEqual(new Set([0, 2]));
    unit.registers.set(1, 7);
    expect((await reader.read()).get(1)).toBe(7);
  });

  it('a unit that is busy is explored later', async () => {
    const unit = await serve([0]);
    unit.refusesWith = BUSY;
    const reader = new RegisterReader(unit.bus, 1, single([0]), LIMITS);
    await expect(reader.explore()).rejects.toThrow(LinkDown);
    unit.refusesWith = undefined;
    expect((await reader.explore()).get(0)).toBe(1);
  });
});

describe('RegisterReader.read', () => {
  it('a register that is refused later is missing, and no other value', async () => {
    const unit = await serve(range(0, 15));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 15)), LIMITS);
    await reader.explore();
    unit.registers.delete(5);
    const frame = await reader.read();
    expect([...frame.keys()].toSorted((a, b) => a - b)).toEqual(range(0, 15).filter((at) => at !== 5));
    unit.registers.set(5, 9);
    expect((await reader.read()).get(5)).toBe(9);
  });

  it('a unit that refuses everything for a moment is read with as few requests as before', async () => {
    const unit = await serve(range(0, 15));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 15)), LIMITS);
    await reader.explore();
    unit.refusesWith = NO_SUCH_REGISTER;
    expect((await reader.read()).size).toBe(0);
    unit.refusesWith = undefined;
    unit.reads.length = 0;
    expect((await reader.read()).size).toBe(16);
    expect(unit.reads).toEqual([[0, 16]]);
  });

  it('a unit that is busy leaves out its block for this time', async () => {
    const unit = await serve(range(0, 15));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 15)), LIMITS);
    await reader.explore();
    unit.refusesWith = BUSY;
    unit.reads.length = 0;
    expect((await reader.read()).size).toBe(0);
    expect(unit.reads).toHaveLength(1);
  });

  it('a silent unit is requested twice and no more', async () => {
    const unit = await serve(range(0, 200));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 200)), LIMITS);
    await reader.explore();
    unit.reads.length = 0;
    unit.onRead = () => unit.line.behave('silent', 1);
    await expect(reader.read()).rejects.toThrow(LinkDown);
    expect(new Set(unit.reads.map(([address]) => address)).size).toBe(2);
  });

  it('a block without an answer is missing, and the others are read', async () => {
    const unit = await serve(range(0, 100));
    const reader = new RegisterReader(unit.bus, 1, single(range(0, 100)), LIMITS);
    await reader.explore();
    unit.reads.length = 0;
    unit.onRead = () => {
      if (unit.reads.at(-1)?.[0] === 0) unit.line.behave('silent', 1);
    };
    expect([...(await reader.read()).keys()]).toEqual(range(60, 100));
  });
});
