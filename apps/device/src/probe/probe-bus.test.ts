import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startRegisterServer } from '@heliograph/dev-env/modbus';
import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { parseBusAddress } from '../bus/address.ts';
import { family as deye } from '../drivers/deye/index.ts';
import { SINGLE } from '../drivers/deye/testing/registers.ts';
import { bankOf } from '../drivers/deye/testing/rtu-inverter.ts';
import { loadFamilies } from '../families/families.ts';
import { attemptsAt } from './attempts.ts';
import { connectionEntry } from './connection-entry.ts';
import { probeBus } from './probe-bus.ts';

const inverter = bankOf(SINGLE);

/** In a frame of Modbus TCP. */
const UNIT_AT = 6;

/** The connection entries that a probe of a bus with inverters at these units prints. */
async function entriesAt(...units: readonly number[]) {
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (unit, address, count) =>
      units.includes(unit) ? inverter.readRange(unit, address, count) : undefined,
    write: () => expect.fail('a probe writes nothing'),
  });
  const bus = `modbus-tcp://127.0.0.1:${server.port}`;
  const { findings } = await probeBus(attemptsAt(parseBusAddress(bus), [deye], undefined), systemClock);
  await server.stop();
  return findings.map((finding) => ({ ...connectionEntry(finding), bus: 'its bus' }));
}

it('each of two inverters on one bus is listed with its unit, as a configuration requires it', async () => {
  expect(await entriesAt(1, 2)).toEqual([
    { driver: 'deye', bus: 'its bus', unit: 1 },
    { driver: 'deye', bus: 'its bus', unit: 2 },
  ]);
});

it('the only inverter on a bus is listed without its usual unit', async () => {
  expect(await entriesAt(1)).toEqual([{ driver: 'deye', bus: 'its bus' }]);
});

it('a unit that keeps silent is tried for two families, not for each', async () => {
  const families = [...(await loadFamilies()).values()];
  const requests: number[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes: Buffer) => requests.push(bytes.readUInt8(UNIT_AT)));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const attempts = attemptsAt(parseBusAddress(`modbus-tcp://127.0.0.1:${port}`), families, undefined);
  const soon = { answerMs: 20, silenceMs: 20, recognitionMs: 1_000 };
  const { findings, notes } = await probeBus(attempts, systemClock, soon);
  expect(findings).toEqual([]);
  expect(notes).toContain('sungrow: no answer');
  expect(requests.filter((unit) => unit === 1)).toHaveLength(2);
  server.close();
});

it('an inverter of the PI30 protocol is looked for before families whose requests it would keep in its line', async () => {
  const families = [...(await loadFamilies()).values()];
  const [first] = attemptsAt(parseBusAddress('serial:///dev/a'), families, undefined);
  expect(first?.family.name).toBe('pi30');
});
