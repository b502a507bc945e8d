import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { afterEach, expect, it } from 'vitest';
import type { ConnectionConfig } from '../../config/connection-config.ts';
import { family as deye } from '../../drivers/deye/index.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { family as pi18 } from '../../drivers/pi18/index.ts';
import { Connections } from './connections.ts';

const running: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** As two registers, the high word first. */
function float(value: number): readonly [number, number] {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
}

/** An SDM630 that takes 250 W, of which one phase returns 50 W. */
async function startMeter(): Promise<number> {
  const numbers: Readonly<Record<number, number>> = { 12: 300, 14: -50, 52: 250, 60: 10, 72: 100, 74: 7 };
  const input = new Map(
    Object.entries(numbers).flatMap(([at, value]) =>
      float(value).map((word, index) => [Number(at) + index, word] as const),
    ),
  );
  const holding = new Map([
    [64_512, 0],
    [64_513, 77],
    [64_514, 112],
  ]);
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (_unit, address, count, table) =>
      Array.from({ length: count }, (_, at) => (table === 'input' ? input : holding).get(address + at) ?? 0),
    write: () => expect.fail('a meter is only read'),
  });
  running.push(() => server.stop());
  return server.port;
}

async function meterReading(port: number, reversed: boolean) {
  const families = await loadFamilies({ wanted: ['eastron'] });
  const config: ConnectionConfig = {
    driver: 'eastron',
    address: { transport: 'modbus-tcp', host: '127.0.0.1', port },
    unit: undefined,
    role: 'grid',
    reversed,
    options: {},
    url: 'its url',
  };
  const connections = new Connections([config], families);
  running.push(() => connections.close());
  const hardware = await connections.all[0]?.open();
  const [reading] = (await hardware?.poll()) ?? [];
  const names = hardware?.units[0]?.quantities.map(({ name }) => name);
  expect([...(reading?.keys() ?? [])].filter((name) => !names?.includes(name))).toEqual([]);
  return (...wanted: readonly string[]) => wanted.map((name) => reading?.get(name));
}

it('a meter that is reversed has its powers with the other sign, and import in place of export', async () => {
  const port = await startMeter();
  const names = [
    'Power',
    'Power L1',
    'Power L2',
    'Power L3',
    'Import energy',
    'Export energy',
    'Serial number',
  ];
  expect((await meterReading(port, false))(...names)).toEqual([250, 300, -50, 0, 100, 7, 77]);
  expect((await meterReading(port, true))(...names)).toEqual([-250, -300, 50, 0, 7, 100, 77]);
});

it('a connection that reverses a meter and has none is refused with the reason', async () => {
  const bank = recordedBank(
    buildChain([
      { id: 1, values: { Mn: 'Kostal' } },
      { id: 103, values: { W: 5, W_SF: 0 } },
    ]),
  );
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
  running.push(() => server.stop());
  const config: ConnectionConfig = {
    driver: 'sunspec',
    address: { transport: 'modbus-tcp', host: '127.0.0.1', port: server.port },
    unit: undefined,
    role: undefined,
    reversed: true,
    options: {},
    url: 'its url',
  };
  const connections = new Connections([config], await loadFamilies({ wanted: ['sunspec'] }));
  running.push(() => connections.close());
  await expect(connections.all[0]?.open()).rejects.toThrow('take "reversed" out of its connection');
});

/** A port that takes connections and keeps silent. */
async function silentPort(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  ['modbus-tcp', deye],
  ['serial-tcp', pi18],
] as const)('hardware on %s is waited for as long as its connection names', async (transport, family) => {
  const address = { transport, host: '127.0.0.1', port: await silentPort() };
  const config: ConnectionConfig = {
    driver: family.name,
    address,
    unit: undefined,
    role: undefined,
    answerTimeoutMs: 210,
    options: {},
    url: 'its url',
  };
  const connections = new Connections([config], new Map([[family.name, family]]));
  running.push(() => connections.close());
  await expect(connections.all[0]?.open()).rejects.toThrow(/did not answer within 210 ms/);
});
