import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type RecordedUnit, recordedUnit, startRegisterServer } from '@heliograph/dev/modbus';
import { openPty, rtuUnits, serveDatagrams, serveLine, solarmanLogger } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { roundTo } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../../test/admin/cli/run-program.ts';
import { readRecording } from '../../admin/cli/recording-file.ts';
import { parseBusAddress } from '../../bus/address.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import type { Hardware, ModbusFamily } from '../driver.ts';
import { loadFamilies } from '../families/families.ts';

const DRIVERS = join(import.meta.dirname, '..');
const families = await loadFamilies();

/** Every recording that holds registers, with the profile of its folder. */
const recordings = [...families.keys()]
  .filter((name) => existsSync(join(DRIVERS, name, `${name}.yaml`)))
  .flatMap((driver) =>
    globSync(join(DRIVERS, driver, 'captures', '*.json')).map((file) => ({ driver, file })),
  )
  .map(({ driver, file }) => ({ driver, file, name: basename(file, '.json') }))
  .filter(({ file }) => /"expected_topics"|"registers"/.test(readFileSync(file, 'utf8')));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function familyNamed(name: string): ModbusFamily {
  const family = families.get(name);
  if (family?.speaks !== 'modbus') throw new Error(`${name} is no Modbus family`);
  return family;
}

async function serveTcp(unit: RecordedUnit): Promise<string> {
  const { readRange, write } = unit;
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, readRange, write });
  cleanups.push(() => server.stop());
  return `modbus-tcp://127.0.0.1:${server.port}`;
}

async function open(driver: string, url: string): Promise<Hardware> {
  const family = familyNamed(driver);
  const address = parseBusAddress(url);
  if (!address.transport.startsWith('modbus') && address.transport !== 'solarman') throw new Error(url);
  const bus = openModbusBus(address as Parameters<typeof openModbusBus>[0], family.line, systemClock);
  cleanups.push(() => bus.close());
  return family.open(bus, { unit: undefined, options: {} });
}

/** So many digits of the last place may come from rounded terms. */
const ROUNDED_TERMS = 2;

describe('a unit that is simulated by its recording', () => {
  it.each(recordings.map(({ driver, name, file }) => [driver, name, file] as const))(
    'the probe finds the %s of %s, and its driver publishes what the recording decodes to',
    async (driver, name, file) => {
      const url = await serveTcp(await recordedUnit(driver, [name]));
      const found = JSON.parse((await runProgram(['probe', '--bus', url, '--json'])).stdout);
      expect(found).toMatchObject([{ driver, bus: url }]);

      const hardware = await open(driver, url);
      const [published = new Map()] = await hardware.poll();
      const recording = { protocol: driver, ...(await readRecording(file, async () => '')) };
      const [decoded] = familyNamed(driver).decode(recording);
      expect(decoded?.reading.size).toBeGreaterThan(0);
      for (const [reading, exact] of decoded?.reading ?? []) {
        const quantity = hardware.units[0]?.quantities.find((one) => one.name === reading);
        if (quantity === undefined) expect.fail(`${reading} is not published`);
        const value = published.get(reading);
        const expected = roundTo(quantity, exact);
        // Terms of a sum are rounded before they are added, as they are shown.
        const isNear =
          typeof expected === 'number' &&
          typeof value === 'number' &&
          Math.abs(value - expected) <= ROUNDED_TERMS * 10 ** -(quantity.decimals ?? 0);
        if (!isNear) expect(value, reading).toEqual(expected);
      }
    },
  );

  it('recordings simulate at least eleven drivers', () => {
    expect(new Set(recordings.map(({ driver }) => driver)).size).toBeGreaterThanOrEqual(11);
  });
});

describe('a recorded unit behind each kind of line', () => {
  it.each<[string, (unit: RecordedUnit) => Promise<string>]>([
    ['Modbus TCP', serveTcp],
    [
      'a serial port',
      async (unit) => {
        const pty = openPty();
        cleanups.push(pty.close, rtuUnits(unit, [unit.unitId])(pty.line));
        return `modbus-rtu://${pty.path}`;
      },
    ],
    [
      'a serial gateway',
      async (unit) => {
        const { host, port, stop } = await serveLine(rtuUnits(unit, [unit.unitId]));
        cleanups.push(stop);
        return `modbus-rtu-tcp://${host}:${port}`;
      },
    ],
    [
      'a Solarman logger',
      async (unit) => {
        const logger = solarmanLogger(unit, { logger: 2_712_345_678, unitIds: [unit.unitId] });
        const { host, port, stop } = await serveLine(logger);
        cleanups.push(stop);
        return `solarman://${host}:${port}?logger=2712345678`;
      },
    ],
    [
      'a module that takes datagrams',
      async (unit) => {
        const { host, port, stop } = await serveDatagrams(unit, { unitIds: [unit.unitId] });
        cleanups.push(stop);
        return `modbus-udp://${host}:${port}`;
      },
    ],
  ])('a unit behind %s is read and written, and keeps what was written', async (_line, serve) => {
    const url = await serve(await recordedUnit('goodwe-et', ['goodwe_et_10k_fw617']));
    const hardware = await open('goodwe-et', url);
    expect((await hardware.poll())[0]?.get('Battery state of charge')).toBe(68);
    expect(await hardware.write(0, 'Stop battery discharge capacity', 20)).toBe(20);
    expect((await hardware.poll())[0]?.get('Stop battery discharge capacity')).toBe(20);
  });
});
