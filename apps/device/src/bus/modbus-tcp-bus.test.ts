import { once } from 'node:events';
import { createServer } from 'node:net';
import { type FaultyLink, ModbusRefusal, startFaultyLink, startRegisterServer } from '@heliograph/dev/modbus';
import { serveLine } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modbusTcpBus } from '../../test/bus/modbus-tcp-bus.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { type ModbusBus, ModbusException } from './modbus/modbus-bus.ts';

/** Short, so that silence is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 500;
/** Longer than a test may take. */
const ENDLESS_MS = 10 * 60_000;
/** Longer than any wait between two attempts to connect. */
const REDIAL_WAIT_MS = 5_000;

const ABSENT_UNIT = 9;
const SECOND_UNIT = 2;

const registers = new Map<number, number>();
const writes: { address: number; values: readonly number[] }[] = [];
let reads = 0;
let clock: ManualClock;
let link: FaultyLink;
let bus: ModbusBus;
let stopServer: () => Promise<void>;

beforeEach(async () => {
  registers.clear();
  for (let address = 0; address < 200; address++) registers.set(address, address * 3);
  writes.length = 0;
  reads = 0;
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (unitId, address, count) => {
      reads += 1;
      if (unitId === ABSENT_UNIT) throw new ModbusRefusal(11);
      const values = Array.from({ length: count }, (_, index) => registers.get(address + index));
      return values.every((value) => value !== undefined) ? values.map((value) => value + unitId) : undefined;
    },
    write: (unitId, address, values) => {
      writes.push({ address, values });
      if (unitId === ABSENT_UNIT) throw new ModbusRefusal(11);
      if (values.includes(666)) throw new Error('out of range');
      if (values.includes(10)) throw new ModbusRefusal(10);
    },
  });
  link = await startFaultyLink(server);
  clock = new ManualClock(Date.UTC(2026, 5, 1));
  bus = modbusTcpBus({ host: link.host, port: link.port, answerTimeoutMs: REQUEST_TIMEOUT_MS, clock });
  stopServer = () => server.stop();
});

afterEach(async () => {
  await bus.close();
  await link.stop();
  await stopServer();
});

describe('a Modbus TCP bus on a good line', () => {
  it('registers of the requested unit are read', async () => {
    expect(await bus.read(1, 10, 3)).toEqual([31, 34, 37]);
    expect(await bus.read(SECOND_UNIT, 10, 1)).toEqual([32]);
    expect(await bus.read(1, 0, 125)).toHaveLength(125);
  });

  it('one register and several are written', async () => {
    await bus.write(1, 7, [42]);
    await bus.write(1, 8, [1, 0xffff]);
    expect(writes).toEqual([
      { address: 7, values: [42] },
      { address: 8, values: [1, 0xffff] },
    ]);
  });

  it('many requests share one connection, one after the other, each with its own answer', async () => {
    const requested = Array.from({ length: 300 }, (_, index) => index % 150);
    const answers = await Promise.all(requested.map((address) => bus.read(1, address, 1)));
    expect(answers).toEqual(requested.map((address) => [address * 3 + 1]));
    expect(link.connections).toBe(1);
    expect(bus.traffic).toEqual({ requests: 300, answered: 300, silent: 0, dropped: 0 });
  });

  it.each([
    ['a register that is not there', () => bus.read(1, 500, 1), 2],
    ['a value that is refused', () => bus.write(1, 0, [666]), 3],
  ])('an exception has the code of %s', async (_name, request, code) => {
    const refused = request();
    await expect(refused).rejects.toThrow(ModbusException);
    await expect(refused).rejects.toMatchObject({ code });
    expect(await bus.read(1, 0, 1)).toEqual([1]);
    expect(link.connections).toBe(1);
  });
});

describe('exception codes of a gateway', () => {
  it.each([
    ['no answer to a read', () => bus.read(ABSENT_UNIT, 0, 1), LinkDown],
    ['no answer to a write: its outcome is unknown', () => bus.write(ABSENT_UNIT, 0, [1]), WriteUnanswered],
    ['no path for a write: its outcome is unknown', () => bus.write(1, 0, [10]), WriteUnanswered],
  ])('%s', async (_name, request, failure) => {
    await expect(request()).rejects.toThrow(failure);
  });
});

describe('a read on a bad line', () => {
  it('a read is repeated once, over a new connection, when the line broke under it', async () => {
    await bus.read(1, 0, 1);
    link.behave('cut', 1);
    expect(await bus.read(1, 5, 1)).toEqual([16]);
    expect(link.connections).toBe(2);
  });

  it.each(['cut', 'garbage', 'hang up'] as const)(
    'a read ends in LinkDown after two attempts: %s',
    async (fault) => {
      link.behave(fault);
      await expect(bus.read(1, 5, 1)).rejects.toThrow(LinkDown);
      expect(link.connections).toBe(2);
      expect(reads).toBe(fault === 'hang up' ? 0 : 2);
      expect(bus.traffic).toMatchObject({ answered: 0, silent: 0, dropped: fault === 'garbage' ? 2 : 0 });
    },
  );

  it('a read of a silent unit ends at its deadline, and is not repeated', async () => {
    link.behave('silent');
    await expect(bus.read(1, 5, 1)).rejects.toThrow(/unit 1 did not answer within 500 ms/);
    expect(reads).toBe(1);
    expect(bus.traffic).toEqual({ requests: 1, answered: 0, silent: 1, dropped: 0 });
  });

  it('a late answer is never taken for another request: the connection is a new one', async () => {
    link.behave('silent');
    await expect(bus.read(1, 5, 1)).rejects.toThrow(LinkDown);
    link.behave('none');
    expect(await bus.read(1, 6, 1)).toEqual([19]);
    expect(link.connections).toBe(2);
    await expect.poll(() => link.openConnections).toBe(1);
  });

  it('a silent unit does not keep others behind the same gateway from being read', async () => {
    const silentForFirst = bus.read(1, 5, 1);
    const second = bus.read(SECOND_UNIT, 5, 1);
    link.behave('silent');
    await expect(silentForFirst).rejects.toThrow(LinkDown);
    link.behave('none');
    expect(await second).toEqual([17]);
  });

  it('a read goes over a new connection when the device restarted meanwhile', async () => {
    await bus.read(1, 0, 1);
    link.breakConnections();
    expect(await bus.read(1, 0, 1)).toEqual([1]);
    expect(link.connections).toBe(2);
  });
});

describe('frames that are not the answer', () => {
  it('late and doubled frames are dropped and counted', async () => {
    const registersOfEight = 'abcdefgh';
    const served = await serveLine((line) => {
      const answer = (request: Buffer): void => {
        const address = request.readUInt16BE(8);
        const frame = Buffer.concat([
          request.subarray(0, 8),
          Buffer.from([2, 0, registersOfEight.charCodeAt(address)]),
        ]);
        frame.writeUInt16BE(5, 4);
        const late = Buffer.from(frame);
        late.writeUInt16BE((request.readUInt16BE(0) + 0xffff) & 0xffff, 0);
        late[10] = 0;
        line.write(Buffer.concat([late, frame, frame]));
      };
      line.on('data', answer);
      return () => void line.off('data', answer);
    });
    const other = modbusTcpBus({ host: served.host, port: served.port, clock });
    for (let address = 0; address < 8; address++) {
      expect(await other.read(1, address, 1)).toEqual([registersOfEight.charCodeAt(address)]);
    }
    expect(other.traffic).toEqual({ requests: 8, answered: 8, silent: 0, dropped: 8 + 7 });
    await other.close();
    await served.stop();
  });
});

it('an answer that arrived in time is taken, however late this process reads it', async () => {
  const answerWithinMs = 50;
  const served = await serveLine((line) => {
    const answer = (request: Buffer): void => {
      const frame = Buffer.concat([request.subarray(0, 8), Buffer.from([2, 0, 7])]);
      frame.writeUInt16BE(5, 4);
      line.write(frame);
      const busyUntil = performance.now() + 3 * answerWithinMs;
      while (performance.now() < busyUntil);
    };
    line.on('data', answer);
    return () => void line.off('data', answer);
  });
  const other = modbusTcpBus({
    host: served.host,
    port: served.port,
    answerTimeoutMs: answerWithinMs,
    clock,
  });
  expect(await other.read(1, 0, 1)).toEqual([7]);
  await other.close();
  await served.stop();
});

describe('a write on a bad line', () => {
  it.each(['cut', 'silent', 'garbage'] as const)(
    'a write is sent exactly once and its outcome is unknown: %s',
    async (fault) => {
      link.behave(fault);
      await expect(bus.write(1, 7, [42])).rejects.toThrow(WriteUnanswered);
      link.behave('none');
      await bus.read(1, 0, 1);
      expect(writes).toEqual([{ address: 7, values: [42] }]);
    },
  );

  it('a write without a connection is not sent: nothing changed', async () => {
    await link.stop();
    await expect(bus.write(1, 7, [42])).rejects.toThrow(LinkDown);
    expect(writes).toEqual([]);
    link = await startFaultyLink({ host: '127.0.0.1', port: 1 });
  });
});

describe('a device that cannot be reached', () => {
  it('a device that cannot be reached is dialled again after a wait, and found when it is back', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    const port = address !== null && typeof address !== 'string' ? address.port : 0;
    probe.close();
    await once(probe, 'close');
    const other = modbusTcpBus({ host: '127.0.0.1', port, clock });

    await expect(other.read(1, 0, 1)).rejects.toThrow(/ECONNREFUSED/);
    const server = await startRegisterServer({
      host: '127.0.0.1',
      port,
      readRange: (_unit, _address, count) => new Array<number>(count).fill(5),
      write: () => {},
    });
    await expect(other.read(1, 0, 1), 'too early to dial again').rejects.toThrow(LinkDown);
    clock.advance(REDIAL_WAIT_MS);
    expect(await other.read(1, 0, 1)).toEqual([5]);

    await other.close();
    await server.stop();
  });
});

describe('the close of a bus', () => {
  it('a close fails the request under way and those behind it at once', async () => {
    const patient = modbusTcpBus({ host: link.host, port: link.port, answerTimeoutMs: ENDLESS_MS });
    link.behave('silent');
    const requests = [patient.read(1, 0, 1), patient.read(1, 1, 1), patient.write(1, 1, [1])];
    await expect.poll(() => reads).toBe(1);
    await Promise.all([
      patient.close(),
      ...requests.map((request) => expect(request).rejects.toThrow(LinkDown)),
    ]);
    expect(writes).toEqual([]);
  });
});
