import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LineFault, LineFaults, rtuUnits } from '@heliograph/dev/serial';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TrafficCounter } from './bus.ts';
import type { FrameRule } from './byte-bus.ts';
import { FrameLink, type FrameLinkOptions } from './frame-link.ts';
import { LateAnswers } from './late-answers.ts';
import { rtuFrame, rtuFraming } from './modbus/framing/rtu.ts';
import { ModbusLink } from './modbus/modbus-client.ts';

const gate = (): void => {};

/** Far longer than a test may take. */
const ENDLESS_MS = 10 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function linked(options: Partial<FrameLinkOptions> = {}): {
  link: FrameLink;
  far: Duplex;
  traffic: TrafficCounter;
} {
  const [near, far] = duplexPair();
  const traffic = new TrafficCounter();
  const usual = { traffic, late: new LateAnswers(), quietMs: 2, maxFailures: 1_000 };
  const link = new FrameLink(near, { ...usual, ...options });
  return { link, far, traffic };
}

describe('FrameLink with an answer that equals the last one', () => {
  const twoLetters: FrameRule = {
    timeoutMs: 1_000,
    find: (bytes) =>
      bytes.length < 2 ? { is: 'more' } : { is: 'frame', frame: bytes.subarray(0, 2), end: 2 },
  };
  const exchange = async (link: FrameLink, request: string): Promise<string> => {
    const requested = { request: Buffer.from(request), answer: twoLetters, peerName: 'it' };
    return Buffer.from(await link.exchange(requested, gate)).toString();
  };

  it('the copy is dropped when the answer to this request follows', async () => {
    const { link, far, traffic } = linked();
    const answers = [['a!'], ['a!', 'b!']];
    far.on('data', () => {
      for (const answer of answers.shift() ?? []) setImmediate(() => far.write(answer));
    });
    expect(await exchange(link, 'a?')).toBe('a!');
    expect(await exchange(link, 'b?')).toBe('b!');
    expect(traffic.dropped).toBe(1);
  });

  it('an equal answer is taken when nothing follows', async () => {
    const { link, far, traffic } = linked();
    far.on('data', () => far.write('a!'));
    expect([await exchange(link, 'a?'), await exchange(link, 'b?')]).toEqual(['a!', 'a!']);
    expect(traffic.dropped).toBe(0);
  });
});

const untilReturn: FrameRule = {
  timeoutMs: 100,
  find: (bytes) => {
    const end = bytes.indexOf(0x0d) + 1;
    return end === 0 ? { is: 'more' } : { is: 'frame', frame: bytes.subarray(0, end), end };
  },
};

describe('FrameLink on a line that is never quiet', () => {
  it('an exchange fails with nothing sent, and succeeds when the line is quiet', async () => {
    // Far longer than the speakers, who are of this process, may be kept from speaking by a busy machine.
    const { link, far, traffic } = linked({ quietMs: 300 });
    const received: string[] = [];
    far.on('data', (bytes: Buffer) => received.push(bytes.toString()));
    let sent = 0;
    const requested = { request: Buffer.from('Q'), answer: untilReturn, peerName: 'it' };
    const speaking = setInterval(() => far.write(Buffer.of(0x55)), 1);
    far.write(Buffer.of(0x55));
    await expect(link.exchange(requested, () => sent++)).rejects.toMatchObject({
      reason: 'silent',
      message: 'it was not asked: the line was not quiet within 100 ms',
    });
    expect([sent, received, traffic.dropped]).toEqual([0, [], 1]);
    clearInterval(speaking);
    // Bytes that were spoken last may still be on their way.
    await nextTurn();
    far.once('data', () => far.write('A\r'));
    expect(Buffer.from(await link.exchange(requested, () => sent++)).toString()).toBe('A\r');
    expect([sent, received]).toEqual([1, ['Q']]);
    link.drop();
  });

  it('a process that was busy for longer than an answer may take still gets the answer', async () => {
    const { link, far } = linked();
    far.once('data', () => far.write('A\r'));
    const answer = link.exchange({ request: Buffer.from('Q'), answer: untilReturn, peerName: 'it' }, gate);
    const busyUntilMs = performance.now() + 2 * untilReturn.timeoutMs;
    while (performance.now() < busyUntilMs);
    far.write(Buffer.of(0x55));
    expect(Buffer.from(await answer).toString()).toBe('A\r');
    link.drop();
  });
});

it('unexpected bytes between requests are counted, valid unsolicited frames are not', async () => {
  const rule: FrameRule = {
    ...untilReturn,
    find: (bytes) => {
      const found = untilReturn.find(bytes);
      if (found.is !== 'frame' || found.frame[0] !== 0x7e) return found;
      return { is: 'skip', end: found.end, reason: 'not asked for', ignorable: true };
    },
  };
  const { link, far, traffic } = linked();
  far.on('data', () => far.write('A\r'));
  const droppedAfter = async (unasked: string): Promise<number> => {
    far.write(unasked);
    await link.exchange({ request: Buffer.from('Q'), answer: rule, peerName: 'it' }, gate);
    return traffic.dropped;
  };
  expect([await droppedAfter('~1\r~2\r'), await droppedAfter('~3\r?'), await droppedAfter('\0\0')]).toEqual([
    0, 1, 1,
  ]);
  link.drop();
});

it('a late answer delays requests with its own response key alone', async () => {
  const late = new LateAnswers();
  late.expect('unit 1', ENDLESS_MS);
  const { link, far } = linked({ late });
  far.on('data', () => far.write('A\r'));
  const answer = { ...untilReturn, responseKey: 'unit 2' };
  const request = { request: Buffer.from('Q'), answer, peerName: 'unit 2' };
  expect(Buffer.from(await link.exchange(request, gate)).toString()).toBe('A\r');
  link.drop();
});

describe('FrameLink with a limit to silence', () => {
  const patient = { ...untilReturn, timeoutMs: ENDLESS_MS };
  const requested = { request: Buffer.from('Q'), answer: patient, peerName: 'it' };

  it('an exchange ends at the limit when the hardware sends nothing at all', async () => {
    const { link } = linked({ silenceMs: 30 });
    await expect(link.exchange(requested, gate)).rejects.toMatchObject({
      message: 'it did not answer within 30 ms',
    });
    link.drop();
  });

  it('an exchange goes on past the limit when the hardware has begun to answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const silenceMs = 50;
    const { link, far } = linked({ silenceMs });
    far.once('data', () => {
      far.write('A');
      setTimeout(() => far.write('\r'), 3 * silenceMs);
    });
    const received = once(far, 'data');
    const answer = link.exchange(requested, gate);
    await received;
    await nextTurn();
    await vi.advanceTimersByTimeAsync(3 * silenceMs);
    expect(Buffer.from(await answer).toString()).toBe('A\r');
    link.drop();
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

describe('FrameLink on a faulty line', () => {
  it('a faulty line yields no wrong value and no second write', async () => {
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
          const foreignFrames = [
            noise,
            rtuFrame(3, Buffer.from([3, 2, 0, 1])),
            rtuFrame(1, Buffer.from([4, 2, 0, 1])),
          ];
          const sent: number[] = [];
          for (const [at, { fault, unitId, address, write }] of steps.entries()) {
            faults.foreign = foreignFrames[at % foreignFrames.length] ?? noise;
            faults.behave(fault, 1);
            if (write) {
              sent.push(at);
              const writeFunction = at % 2 === 0 ? 'multiple' : 'single';
              await modbus.write(unitId, address, [at], writeFunction, gate).catch(() => {});
            } else {
              const values = await modbus.read(unitId, address, 1, 'holding', gate).catch(() => undefined);
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
