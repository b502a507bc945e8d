import type { Duplex } from 'node:stream';
import { type Attach, LineFaults } from '@heliograph/dev-env/serial';
import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ByteBus, FrameRule } from './byte-bus.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { openByteBus } from './open-bus.ts';
import { gatewayTestLine, serialTestLine, type TestLine } from './testing/places.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const TIMEOUT_MS = 300;
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

let requested: string[];
let device: Duplex | undefined;
let faults: LineFaults;
let clock: ManualClock;
let place: TestLine;
let bus: ByteBus;

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

describe.each([
  ['a serial port', () => serialTestLine(faults.between(parrot), 'serial')],
  ['a gateway', () => gatewayTestLine(faults.between(parrot), 'serial-tcp')],
])('%s', (_name, put) => {
  beforeEach(async () => {
    requested = [];
    faults = new LineFaults();
    clock = new ManualClock(Date.UTC(2026, 5, 1));
    place = await put();
    bus = openByteBus(place.address, LINE, clock);
  });

  afterEach(async () => {
    await bus.close();
    await place.stop();
  });

  it('requests are sent one at a time, each gets its own answer', async () => {
    const questions = Array.from({ length: 20 }, (_, index) => `Q${index}`);
    const answers = await Promise.all(questions.map((text) => textOf(bus.read(Buffer.from(text), rule))));
    expect(answers).toEqual(questions.map((text) => `${text}!`));
    expect(requested).toEqual(questions);
    expect(bus.traffic).toEqual({ requests: 20, answered: 20, silent: 0, dropped: 0 });
  });

  it.each(['corrupt', 'truncate'] as const)('a read is repeated after the fault %s', async (fault) => {
    faults.behave(fault, 1);
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    expect(requested).toEqual(['Q1', 'Q1']);
    expect(bus.traffic).toEqual({ requests: 2, answered: 1, silent: 0, dropped: 1 });
  });

  it('the timeout of a connection replaces that of a rule, of reads and of writes', async () => {
    await bus.close();
    bus = openByteBus(place.address, LINE, clock, { answerTimeoutMs: 40 });
    faults.behave('silent');
    const patient = { ...rule, timeoutMs: 3_600_000 };
    await expect(bus.read(Buffer.from('Q1'), patient)).rejects.toThrow(/did not answer within 40 ms/);
    await expect(bus.write(Buffer.from('W1'), patient)).rejects.toThrow(WriteUnanswered);
  });

  it('a read is not repeated after silence', async () => {
    faults.behave('silent');
    await expect(bus.read(Buffer.from('Q1'), rule)).rejects.toThrow(/did not answer within 300 ms/);
    expect(requested).toEqual(['Q1']);
    expect(bus.traffic).toEqual({ requests: 1, answered: 0, silent: 1, dropped: 0 });
  });

  it('a late answer is never taken for the answer to another request', async () => {
    faults.behave('hold', 1);
    await expect(bus.read(Buffer.from('Q1'), rule)).rejects.toThrow(LinkDown);
    const next = textOf(bus.read(Buffer.from('Q2'), rule));
    faults.release();
    expect(await next).toBe('Q2!');
  });

  it('an answer that comes twice is dropped and counted', async () => {
    faults.behave('double');
    for (const text of ['Q1', 'Q2', 'Q3', 'Q4']) {
      expect(await textOf(bus.read(Buffer.from(text), rule))).toBe(`${text}!`);
    }
    expect(bus.traffic.dropped).toBeGreaterThanOrEqual(3);
  });

  it.each(['silent', 'corrupt', 'truncate', 'cut'] as const)(
    'a write is sent exactly once, and its outcome is unknown: %s',
    async (fault) => {
      faults.behave(fault);
      await expect(bus.write(Buffer.from('SET'), rule)).rejects.toThrow(WriteUnanswered);
      expect(requested).toEqual(['SET']);
    },
  );

  it('a write aborted before its turn is not sent', async () => {
    const giveUp = new AbortController();
    faults.behave('hold', 1);
    const before = bus.read(Buffer.from('Q1'), rule);
    const write = bus.write(Buffer.from('SET'), rule, giveUp.signal);
    await expect.poll(() => faults.held).toBe(1);
    giveUp.abort();
    await expect(write, 'said at once').rejects.toThrow(LinkDown);
    faults.release();
    await before;
    expect(requested).toEqual(['Q1']);
  });

  it('unsolicited frames are received, and damaged ones counted', async () => {
    const frame = textOf(bus.listen(rule));
    await expect.poll(() => bus.traffic.requests).toBe(1);
    send(Buffer.from('half of one\r'), line('one'));
    expect(await frame).toBe('one');
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 1 });
  });

  it('the newest whole frame since the last call is received', async () => {
    const first = textOf(bus.listen(rule));
    await expect.poll(() => bus.traffic.requests).toBe(1);
    send(line('one'));
    expect(await first).toBe('one');
    send(line('two'), line('three'), Buffer.from('fo'));
    expect(await textOf(bus.listen(onceThereAre('fo')))).toBe('three');
    send(Buffer.from('ur'), Buffer.from(`${sumOf('four')}\r`));
    expect(await textOf(bus.listen(rule))).toBe('four');
    expect(bus.traffic).toEqual({ requests: 3, answered: 3, silent: 0, dropped: 0 });
  });

  it('a silent line is reported as LinkDown', async () => {
    await expect(bus.listen(rule)).rejects.toThrow(LinkDown);
    expect(bus.traffic).toEqual({ requests: 1, answered: 0, silent: 1, dropped: 0 });
  });

  it('unsolicited frames during a request are not counted', async () => {
    faults.foreign = Buffer.from('~block\r');
    faults.behave('foreign');
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    expect(bus.traffic).toEqual({ requests: 1, answered: 1, silent: 0, dropped: 0 });
  });

  it('a device is found again after it was unplugged and plugged in', async () => {
    expect(await textOf(bus.read(Buffer.from('Q1'), rule))).toBe('Q1!');
    await place.unplug();
    await expect(bus.read(Buffer.from('Q2'), rule)).rejects.toThrow(LinkDown);
    await place.replug();
    clock.advance(REDIAL_WAIT_MS);
    expect(await textOf(bus.read(Buffer.from('Q3'), rule))).toBe('Q3!');
  });
});

it('a byte bus refuses a transport for Modbus alone', () => {
  expect(() => openByteBus({ transport: 'modbus-tcp', host: 'h', port: 502 }, LINE, clock)).toThrow(
    /modbus-tcp does not carry frames of bytes/,
  );
});
