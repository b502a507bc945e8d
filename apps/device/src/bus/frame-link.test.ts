import { type Duplex, duplexPair } from 'node:stream';
import { type LineFault, LineFaults, rtuUnits } from '@heliograph/dev-env/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TrafficCounter } from './bus.ts';
import type { FrameRule } from './byte-bus.ts';
import { FrameLink } from './frame-link.ts';
import { rtuFrame, rtuFraming } from './framing/rtu.ts';
import { LateAnswers } from './late-answers.ts';
import { ModbusLink } from './modbus-link.ts';

const gate = (): void => {};

function linked(): { link: FrameLink; far: Duplex; traffic: TrafficCounter } {
  const [near, far] = duplexPair();
  const traffic = new TrafficCounter();
  const link = new FrameLink(near, { traffic, late: new LateAnswers(), quietMs: 2, maxFailures: 1_000 });
  return { link, far, traffic };
}

describe('an answer that equals the last one', () => {
  const twoLetters: FrameRule = {
    timeoutMs: 1_000,
    find: (bytes) =>
      bytes.length < 2 ? { is: 'more' } : { is: 'frame', frame: bytes.subarray(0, 2), end: 2 },
  };
  const exchange = async (link: FrameLink, request: string): Promise<string> => {
    const asked = { request: Buffer.from(request), answer: twoLetters, whom: 'it' };
    return Buffer.from(await link.exchange(asked, gate)).toString();
  };

  it('is dropped as a copy when the answer to this request follows', async () => {
    const { link, far, traffic } = linked();
    const answers = [['a!'], ['a!', 'b!']];
    far.on('data', () => {
      for (const answer of answers.shift() ?? []) setImmediate(() => far.write(answer));
    });
    expect(await exchange(link, 'a?')).toBe('a!');
    expect(await exchange(link, 'b?')).toBe('b!');
    expect(traffic.dropped).toBe(1);
  });

  it('is the answer when nothing follows', async () => {
    const { link, far, traffic } = linked();
    far.on('data', () => far.write('a!'));
    expect([await exchange(link, 'a?'), await exchange(link, 'b?')]).toEqual(['a!', 'a!']);
    expect(traffic.dropped).toBe(0);
  });
});

const faulty = fc.constantFrom<LineFault>(
  'none',
  'double',
  'corrupt',
  'truncate',
  'foreign',
  'hold',
  'silent',
);
const step = fc.record({
  fault: faulty,
  unitId: fc.constantFrom(1, 2),
  address: fc.nat(9),
  write: fc.boolean(),
});

describe('a line on which anything may go wrong', () => {
  it('never gives a value that is not the one that was asked for, nor sends a write twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 6 }),
        fc.uint8Array(),
        async (steps, noise) => {
          const { link, far } = linked();
          const modbus = new ModbusLink(link, rtuFraming, 15);
          const faults = new LineFaults();
          const writes: number[] = [];
          const bank = {
            readRange: (unitId: number, address: number) => [address * 100 + unitId],
            write: (_unitId: number, _address: number, values: readonly number[]) =>
              void writes.push(...values),
          };
          faults.between(rtuUnits(bank, [1, 2]))(far);
          // As like the answer as a frame can be that is not one.
          const strange = [
            noise,
            rtuFrame(3, Buffer.from([3, 2, 0, 1])),
            rtuFrame(1, Buffer.from([4, 2, 0, 1])),
          ];
          const sent: number[] = [];
          for (const [at, { fault, unitId, address, write }] of steps.entries()) {
            faults.foreign = strange[at % strange.length] ?? noise;
            faults.behave(fault, 1);
            if (write) {
              sent.push(at);
              await modbus.write(unitId, address, [at], at % 2 === 0, gate).catch(() => {});
            } else {
              const values = await modbus.read(unitId, address, 1, gate).catch(() => undefined);
              if (values !== undefined) expect(values).toEqual([address * 100 + unitId]);
            }
            faults.release();
          }
          expect(writes).toEqual(sent);
          link.drop();
        },
      ),
      { numRuns: 40 },
    );
  });
});
