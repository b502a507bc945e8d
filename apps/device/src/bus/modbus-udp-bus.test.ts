import { type DatagramModule, serveDatagrams } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseBusAddress } from './address.ts';
import { LinkDown } from './failures.ts';
import type { ModbusBus } from './modbus/modbus-bus.ts';
import { openModbusBus } from './open-bus.ts';

const UNIT = 247;
const LINE = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;

/** A Wi-Fi module in front of an inverter whose registers hold their own address. */
let module: DatagramModule;
let bus: ModbusBus;
let written: (readonly number[])[];
/** How each answer is sent. */
let send: (answer: Buffer, reply: (bytes: Buffer) => void) => void;

beforeEach(async () => {
  written = [];
  send = (answer, reply) => reply(Buffer.concat([Buffer.from([0xaa, 0x55]), answer]));
  const bank = {
    readRange: (_unit: number, address: number, count: number) =>
      Array.from({ length: count }, (_, index) => address + index),
    write: (_unit: number, _address: number, values: readonly number[]) => void written.push(values),
  };
  module = await serveDatagrams(bank, { unitIds: [UNIT], send: (...answered) => send(...answered) });
  const url = `modbus-udp://127.0.0.1:${module.port}`;
  bus = openModbusBus(parseBusAddress(url), LINE, systemClock, { answerTimeoutMs: 300 });
});

afterEach(async () => {
  await bus.close();
  await module.stop();
});

describe('Modbus over UDP', () => {
  it('registers are read and written, and the mark before an answer counts as no damage', async () => {
    expect(await bus.read(UNIT, 35_100, 125)).toEqual(
      Array.from({ length: 125 }, (_, index) => 35_100 + index),
    );
    await bus.write(UNIT, 47_000, [3]);
    expect(written).toEqual([[3]]);
    expect(bus.traffic).toMatchObject({ requests: 2, answered: 2, dropped: 0 });
  });

  it('an answer without the mark, and one in two datagrams, are understood', async () => {
    send = (answer, reply) => reply(answer);
    expect(await bus.read(UNIT, 7, 2)).toEqual([7, 8]);
    send = (answer, reply) => {
      reply(Buffer.concat([Buffer.from([0xaa, 0x55]), answer.subarray(0, 5)]));
      reply(answer.subarray(5));
    };
    expect(await bus.read(UNIT, 9, 2)).toEqual([9, 10]);
  });

  it('a lost answer is a lost link, and a write whose answer was lost is not repeated', async () => {
    send = () => undefined;
    await expect(bus.read(UNIT, 1, 1)).rejects.toThrow(LinkDown);
    await expect(bus.write(UNIT, 47_000, [5])).rejects.toThrow(/247/);
    expect(written).toEqual([[5]]);
    send = (answer, reply) => reply(answer);
    expect(await bus.read(UNIT, 3, 1)).toEqual([3]);
  });
});
