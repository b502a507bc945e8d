import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import ModbusClient from 'modbus-serial';
import { afterEach, describe, expect, it } from 'vitest';
import { ModbusRefusal } from '../modbus/index.ts';
import { openPty, rtuUnits, serveLine } from './index.ts';

const registers = new Map<number, number>(Array.from({ length: 130 }, (_, at) => [at, at * 3]));
const units = rtuUnits(
  {
    readRange: (unitId, address, count) => {
      const values = Array.from({ length: count }, (_, index) => registers.get(address + index));
      return values.every((value) => value !== undefined) ? values.map((value) => value + unitId) : undefined;
    },
    write: (_unitId, address, values) => {
      if (values.includes(666)) throw new ModbusRefusal(4);
      values.forEach((value, index) => {
        registers.set(address + index, value);
      });
    },
  },
  [1, 2],
);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A client that is not ours, and so makes none of our mistakes. */
describe.each([
  [
    'on a pseudo-terminal',
    async (client: ModbusClient.default) => {
      const pty = openPty();
      const detach = units(pty.line);
      cleanUps.push(pty.close, detach);
      await client.connectRTUBuffered(pty.path, { baudRate: 9_600 });
    },
  ],
  [
    'behind a gateway',
    async (client: ModbusClient.default) => {
      const served = await serveLine(units);
      cleanUps.push(served.stop);
      await client.connectTelnet(served.host, { port: served.port });
    },
  ],
])('Modbus RTU units %s', (_where, connect) => {
  it('the units answer reads and writes, and refuse with exceptions', async () => {
    const client = new ModbusClient.default();
    await connect(client);
    cleanUps.push(() => new Promise<void>((resolve) => client.close(() => resolve())));
    client.setID(1);
    client.setTimeout(500);
    expect((await client.readHoldingRegisters(10, 3)).data).toEqual([31, 34, 37]);
    expect((await client.readInputRegisters(0, 125)).data).toHaveLength(125);
    await client.writeRegister(7, 41);
    await client.writeRegisters(8, [1, 0xfffe]);
    expect((await client.readHoldingRegisters(7, 3)).data).toEqual([42, 2, 0xffff]);
    await expect(client.readHoldingRegisters(500, 1)).rejects.toMatchObject({ modbusCode: 2 });
    await expect(client.writeRegister(7, 666)).rejects.toMatchObject({ modbusCode: 4 });
    client.setID(2);
    expect((await client.readHoldingRegisters(10, 1)).data).toEqual([32]);
    client.setTimeout(50);
    client.setID(3);
    await expect(client.readHoldingRegisters(10, 1), 'no such unit').rejects.toThrow(/Timed out/);
  });
});

describe('a pseudo-terminal', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

  it('a pseudo-terminal carries every byte unchanged in both directions', async () => {
    const one = openPty();
    const client = new ModbusClient.default();
    cleanUps.push(one.close);
    const received: Buffer[] = [];
    one.line.on('data', (bytes: Buffer) => {
      received.push(bytes);
      one.line.write(bytes);
    });
    await client.connectRTUBuffered(one.path, { baudRate: 9_600 });
    cleanUps.push(() => new Promise<void>((resolve) => client.close(() => resolve())));
    // The library's own port underneath: bytes that are no Modbus frame have no other way through it.
    const port = (client as unknown as { readonly _port: { readonly _client: Duplex } })._port._client;
    const came: Buffer[] = [];
    port.on('data', (bytes: Buffer) => came.push(bytes));
    port.write(everyByte);
    await expect.poll(() => Buffer.concat(came)).toEqual(everyByte);
    expect(Buffer.concat(received)).toEqual(everyByte);
  });

  it('unread bytes are lost without blocking the writer', async () => {
    const pty = openPty();
    cleanUps.push(pty.close);
    for (let block = 0; block < 2_000; block++) pty.line.write(everyByte);
    await expect.poll(() => pty.line.writableLength).toBe(0);
  });

  it('a pseudo-terminal is found under its link until it is unplugged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-pty-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'ttyUSB0');
    const first = openPty(path);
    const device = realpathSync(path);
    expect(device).toMatch(/^\/dev\//);
    first.close();
    await expect.poll(() => existsSync(device)).toBe(false);
    expect(existsSync(path)).toBe(false);
    const second = openPty(path);
    expect(existsSync(path)).toBe(true);
    second.close();
  });
});
