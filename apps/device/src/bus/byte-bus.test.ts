import type { Duplex } from 'node:stream';
import { type Attach, LineFaults } from '@heliograph/dev/serial';
import { ManualClock, systemClock } from '@heliograph/kit';
import { describe, expect, it, vi } from 'vitest';
import { gatewayTestLine, serialTestLine } from '../../test/bus/places.ts';
import { PATIENCE, runningUntilTheEnd } from '../../test/running.ts';
import type { FrameRule } from './byte-bus.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { type BusTimes, openByteBus } from './open-bus.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const TIMEOUT_MS = 300;
/** For lines on which every answer comes, however busy the machine is. */
const PATIENT: BusTimes = { answerTimeoutMs: 20_000 };
const REDIAL_WAIT_MS = 5_000;

/** Lines that end with the sum of their characters as one letter. */
const sumOf = (text: string): string =>
  String.fromCharCode(65 + (Buffer.from(text).reduce((a, b) => a + b, 0) % 26));
const line = (text: string): Buffer => Buffer.from(`${text}${sumOf(text)}\r`);
const rule: FrameRule = {
  timeoutMs: TIMEOUT_MS,
  find: (bytes) => {
    const end = bytes.indexOf(0x0d) + 1;
    if (end === 0) return { is: 'more' };
    const text = Buffer.from(bytes.subarray(0, end - 1)).toString('latin1');
    if (text.startsWith('~')) return { is: 'skip', end, reason: 'not asked for', ignorable: true };
    if (text.at(-1) !== sumOf(text.slice(0, -1))) return { is: 'skip', end, reason: 'the sum is wrong' };
    return { is: 'frame', frame: Buffer.from(text.slice(0, -1)), end };
  },
};
/** The same, once the bytes received end like this: until then no frame is searched. */
const onceThereAre = (end: string): FrameRule => {
  let there = false;
  return {
    ...rule,
    find: (bytes) => {
      there ||= Buffer.from(bytes).toString('latin1').endsWith(end);
      return there ? rule.find(bytes) : { is: 'more' };
    },
  };
};
const textOf = async (frame: Promise<Uint8Array>): Promise<string> => Buffer.from(await frame).toString();

const running = runningUntilTheEnd();

describe.concurrent.each([
  ['a serial port', (device: Attach) => serialTestLine(device, 'serial')],
  ['a gateway', (device: Attach) => gatewayTestLine(device, 'serial-tcp')],
])('%s', (_name, put) => {
  /** A line with a parrot at its end, and a bus to it. */
  async function start(times: BusTimes = {}) {
    const requested: string[] = [];
    let device: Duplex | undefined;
    const parrot: Attach = (far) => {
      device = far;
      const answer = (bytes: Buffer): void => {
        requested.push(bytes.toString());
        far.write(line(`${bytes}!`));
      };
      far.on('data', answer);
      return () => void far.off('data', answer);
    };
    /** Sends bytes that no request asked for. */
    const send = (...bytes: readonly Uint8Array[]): void => {
      for (const part of bytes) device?.write(part);
    };
    const faults = new LineFaults();
    const clock = new ManualClock(Date.UTC(2026, 5, 1));
    const place = await put(faults.between(parrot));
    const bus = openByteBus(place.address, LINE, clock, times);
    running.push(place, { stop: () => bus.close() });
    return { requested, send, faults, clock, place, bus };
  }

  it('requests are sent one at a time, each gets its own answer', async () => {
    const { requested, bus } = await start(PATIENT);
    const questions = Array.from({ length: 20 }, (_, index) => `Q${index}`);
    const answers = await Promise.all(questions.map((text) => textOf(bus.read(Buffer.from(text), rule))));
    expect(answers).toEqual(questions.map((text) => `${text}!`));
    expect(requested).toEqual(questions);
    expect(bus.traffic).toEqual({ requests: 20, answered: 20, silent: 0, dropped: 0 });
  });

  it.each(['corrupt', 'truncate'] as const)('a read is repeated after the fault %s', async (fault) => {
    const { requested, faults, bus } = await start();
    faults.behave(fault, 1);
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    expect(requested).toEqual(['Q1', 'Q1']);
    expect(bus.traffic).toEqual({ requests: 2, answered: 1, silent: 0, dropped: 1 });
  });

  it('the timeout of a connection replaces that of a rule, of reads and of writes', async () => {
    const { faults, bus } = await start({ answerTimeoutMs: 40 });
    faults.behave('silent');
    const patient = { ...rule, timeoutMs: 3_600_000 };
    await expect(bus.read(Buffer.from('Q1'), patient)).rejects.toThrow(/did not answer within 40 ms/);
    await expect(bus.write(Buffer.from('W1'), patient)).rejects.toThrow(WriteUnanswered);
  });

  it('a read is not repeated after silence', async () => {
    const { requested, faults, bus } = await start();
    faults.behave('silent');
    await expect(bus.read(Buffer.from('Q1'), rule)).rejects.toThrow(/did not answer within 300 ms/);
    expect(requested).toEqual(['Q1']);
    expect(bus.traffic).toEqual({ requests: 1, answered: 0, silent: 1, dropped: 0 });
  });

  it('a late answer is never taken for the answer to another request', async () => {
    const { faults, bus } = await start();
    faults.behave('hold', 1);
    await expect(bus.read(Buffer.from('Q1'), rule)).rejects.toThrow(LinkDown);
    const next = textOf(bus.read(Buffer.from('Q2'), rule));
    faults.release();
    expect(await next).toBe('Q2!');
  });

  it('an answer that comes twice is dropped and counted', async () => {
    const { faults, bus } = await start(PATIENT);
    faults.behave('double');
    for (const text of ['Q1', 'Q2', 'Q3', 'Q4']) {
      expect(await textOf(bus.read(Buffer.from(text), rule))).toBe(`${text}!`);
    }
    expect(bus.traffic.dropped).toBeGreaterThanOrEqual(3);
  });

  it.each(['silent', 'corrupt', 'truncate', 'cut'] as const)(
    'a write is sent exactly once, and its outcome is unknown: %s',
    async (fault) => {
      const { requested, faults, bus } = await start();
      faults.behave(fault);
      await expect(bus.write(Buffer.from('SET'), rule)).rejects.toThrow(WriteUnanswered);
      expect(requested).toEqual(['SET']);
    },
  );

  it('a write aborted before its turn is not sent', async () => {
    const { requested, faults, bus } = await start();
    const giveUp = new AbortController();
    faults.behave('hold', 1);
    const before = bus.read(Buffer.from('Q1'), rule);
    const onSend = vi.fn();
    const write = bus.write(Buffer.from('SET'), rule, { signal: giveUp.signal, onSend });
    await vi.waitFor(() => expect(faults.held).toBe(1), PATIENCE);
    giveUp.abort();
    await expect(write, 'said at once').rejects.toThrow(LinkDown);
    faults.release();
    await before;
    expect(requested).toEqual(['Q1']);
    expect(onSend).not.toHaveBeenCalled();
  });

  it('a write is reported as sent at its turn, before its first byte leaves', async () => {
    const { requested, faults, bus } = await start();
    faults.behave('hold', 1);
    const before = bus.read(Buffer.from('Q1'), rule);
    const sentAfter: string[][] = [];
    const onSend = (): void => void sentAfter.push([...requested]);
    const write = bus.write(Buffer.from('SET'), rule, { onSend });
    await vi.waitFor(() => expect(faults.held).toBe(1), PATIENCE);
    expect(sentAfter).toEqual([]);
    faults.release();
    await Promise.all([before, write]);
    expect(sentAfter).toEqual([['Q1']]);
  });

  it('unsolicited frames are received, and damaged ones counted', async () => {
    const { send, bus } = await start(PATIENT);
    const frame = textOf(bus.listen(rule));
    await vi.waitFor(() => expect(bus.traffic.requests).toBe(1), PATIENCE);
    send(Buffer.from('half of one\r'), line('one'));
    expect(await frame).toBe('one');
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 1 });
  });

  it('the newest whole frame since the last call is received', async () => {
    const { send, bus } = await start(PATIENT);
    const first = textOf(bus.listen(rule));
    await vi.waitFor(() => expect(bus.traffic.requests).toBe(1), PATIENCE);
    send(line('one'));
    expect(await first).toBe('one');
    send(line('two'), line('three'), Buffer.from('fo'));
    expect(await textOf(bus.listen(onceThereAre('fo')))).toBe('three');
    send(Buffer.from('ur'), Buffer.from(`${sumOf('four')}\r`));
    expect(await textOf(bus.listen(rule))).toBe('four');
    expect(bus.traffic).toEqual({ requests: 3, answered: 3, silent: 0, dropped: 0 });
  });

  it('a silent line is reported as LinkDown', async () => {
    const { bus } = await start();
    await expect(bus.listen(rule)).rejects.toThrow(LinkDown);
    expect(bus.traffic).toEqual({ requests: 1, answered: 0, silent: 1, dropped: 0 });
  });

  it('unsolicited frames during a request are not counted', async () => {
    const { faults, bus } = await start(PATIENT);
    faults.foreign = Buffer.from('~block\r');
    faults.behave('foreign');
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 0 });
  });

  // After the others of its suite: none of them takes its port while it is unplugged.
  it('a device is found again after it was unplugged and plugged in', { concurrent: false }, async () => {
    const { clock, place, bus } = await start();
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    await place.unplug();
    await expect(bus.read(Buffer.from('Q2'), rule)).rejects.toThrow(LinkDown);
    await place.replug();
    clock.advance(REDIAL_WAIT_MS);
    expect(await textOf(bus.read(Buffer.from('Q3'), rule))).toBe('Q3!');
  });
});

it('a byte bus refuses a transport for Modbus alone', () => {
  expect(() => openByteBus({ transport: 'modbus-tcp', host: 'h', port: 502 }, LINE, systemClock)).toThrow(
    /modbus-tcp does not carry frames of bytes/,
  );
});
