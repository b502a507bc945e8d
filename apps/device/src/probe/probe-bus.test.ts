import { startRegisterServer } from '@heliograph/dev-env/modbus';
import { systemClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { parseBusAddress } from '../bus/address.ts';
import { family as deye } from '../drivers/deye/index.ts';
import { SINGLE } from '../drivers/deye/testing/registers.ts';
import { bankOf } from '../drivers/deye/testing/rtu-inverter.ts';
import { attemptsAt } from './attempts.ts';
import { connectionEntry } from './connection-entry.ts';
import { probeBus } from './probe-bus.ts';

const inverter = bankOf(SINGLE);

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
