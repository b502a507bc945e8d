import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { openPty, rtuUnits } from '@heliograph/dev/serial';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runProgram } from '../../../test/admin/cli/run-program.ts';
import { startShelly } from '../../../test/drivers/shelly/shelly-server.ts';
import type { Recording } from '../../drivers/recording.ts';

const running: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** A SunSpec inverter. */
const inverter = (unitId: number) =>
  recordedBank(
    buildChain(
      [
        { id: 1, values: { Mn: 'Kostal', Md: 'Plenticore', SN: '90342' } },
        { id: 103, values: { W: 5, W_SF: 0 } },
      ],
      {
        unitId,
      },
    ),
  );

async function serve(unitId: number): Promise<string> {
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...inverter(unitId) });
  running.push(server);
  return `modbus-tcp://127.0.0.1:${server.port}`;
}

/** Answers of a real inverter, by command. */
const REAL_INVERTER: Readonly<Record<string, string>> = Object.fromEntries(
  globSync(join(import.meta.dirname, '../../drivers/pi30/captures/*.json')).flatMap((file) => {
    const { request, response } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
    return [[request?.ascii, response?.hex]];
  }),
);
const CRC_BYTES = 2;
const NAK = Buffer.from('(NAKss\r', 'latin1');

const probe = (...args: string[]) => runProgram(['probe', '--driver', 'sunspec', ...args]);

describe('heliograph device probe', () => {
  it('an inverter at an unusual unit is found, and the lines to add are printed', async () => {
    const bus = await serve(71);
    const { code, stdout } = await probe('--bus', bus);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^DRIVER +BUS +UNIT +HARDWARE$/),
      expect.stringMatching(/^sunspec +modbus-tcp:\S+ +71 +inverter Plenticore 90342$/),
    ]);
    const [, config = ''] = stdout.split('put this into device.yaml:\n');
    expect(parse(config)).toEqual({ connections: [{ driver: 'sunspec', bus, unit: 71 }] });
    expect((await probe('--bus', bus, '--yaml')).stdout.trim()).toBe(config.trim());
  });

  it('hardware that is found is added to the configuration file once, and its comments stay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'device-probe-'));
    running.push({ stop: () => rmSync(folder, { recursive: true }) });
    const file = join(folder, 'device.yaml');
    const [first, second] = [await serve(1), await serve(71)];
    const add = (...args: string[]) =>
      runProgram(['probe', '--driver', 'sunspec', '--add', ...args], { env: { DEVICE_DATA: folder } });
    const connections = () => parse(readFileSync(file, 'utf8')).connections;

    expect(await add('--bus', first)).toMatchObject({
      code: 0,
      stdout: `sunspec at ${first}: added to ${file}`,
    });
    expect(readFileSync(file, 'utf8')).toContain('#poll_interval_s: 2');
    expect(connections()).toEqual([{ driver: 'sunspec', bus: first }]);

    // With the unit, which is the usual one, and a comment: the same hardware.
    const own = `mdns: false # mine\nconnections:\n  - { driver: sunspec, bus: "${first}", unit: 1 } # the roof\n`;
    writeFileSync(file, own);
    expect((await add('--bus', first)).stdout).toBe(`sunspec at ${first}: ${file} has it already`);
    expect(readFileSync(file, 'utf8')).toBe(own);

    expect((await add('--bus', second)).stdout).toBe(`sunspec at ${second}, unit 71: added to ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(`${own}  - driver: sunspec\n    bus: ${second}\n    unit: 71\n`);
    expect((await add('--bus', second)).stdout).toContain('has it already');
  });

  it.each([
    ['has a mistake', 'mdns: false\nmdns: true\n', /:2:1: this name is there twice/],
    ['is empty', '', / is empty \(0 bytes\)/],
    [
      'reads the hardware by another driver',
      undefined,
      /connections\[1\].unit: unit 1 of this bus is there already/,
    ],
  ])('a configuration file that %s is refused, and stays as it is', async (_what, content, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'device-probe-'));
    running.push({ stop: () => rmSync(folder, { recursive: true }) });
    const bus = await serve(1);
    const text = content ?? `connections:\n  - { driver: eastron, bus: "${bus}", unit: 1 }\n`;
    const file = join(folder, 'device.yaml');
    writeFileSync(file, text);
    const env = { DEVICE_CONFIG: file };
    const { code, stderr } = await runProgram(
      ['probe', '--driver', 'sunspec', '--unit', '1', '--bus', bus, '--add'],
      { env },
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('the usual unit is left out, and findings are printed as JSON', async () => {
    const bus = await serve(1);
    expect(JSON.parse((await probe('--bus', bus, '--json')).stdout)).toEqual([
      { driver: 'sunspec', bus, units: [{ kind: 'inverters', model: 'Plenticore', serial_number: '90342' }] },
    ]);
  });

  it('hardware that answers on two buses is listed where it was found first', async () => {
    const [first, second] = [await serve(1), await serve(71)];
    const { stdout } = await probe('--bus', first, '--bus', second, '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ driver: 'sunspec', bus: first }]);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  it('hardware on a serial port is found', async () => {
    const pty = openPty();
    const detach = rtuUnits(inverter(1), [1])(pty.line);
    running.push({
      stop: () => {
        detach();
        pty.close();
      },
    });
    const { stdout } = await probe('--bus', `modbus-rtu://${pty.path}`, '--unit', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { driver: 'sunspec', bus: `modbus-rtu://${pty.path}`, unit: 1 },
    ]);
  });

  it('hardware is found after requests in other protocols', async () => {
    const pty = openPty();
    // As an inverter does: earlier bytes belong to its first command, which it then refuses.
    let held = 'bytes for another protocol';
    pty.line.on('data', (bytes: Buffer) => {
      const requested = `${held}${bytes.toString('latin1')}`;
      held = '';
      const answer = REAL_INVERTER[requested.slice(0, requested.indexOf('\r') - CRC_BYTES)];
      pty.line.write(answer === undefined ? NAK : Buffer.from(answer, 'hex'));
    });
    running.push({ stop: () => pty.close() });
    const args = ['probe', '--driver', 'pi30', '--bus', `serial://${pty.path}`, '--json'];
    expect(JSON.parse((await runProgram(args)).stdout)).toMatchObject([
      { driver: 'pi30', bus: `serial://${pty.path}`, units: [{ kind: 'inverters' }] },
    ]);
  });

  it('a Shelly is found by its address, and the role of its meter is left to its owner', async () => {
    const server = await startShelly({
      answers: new Map<string, unknown>([
        ['/shelly', { mac: '08F9E0E67204', gen: 2, app: 'Pro3EM', ver: '1.4.4' }],
        ['/rpc/EM.GetStatus?id=0', { total_act_power: 300 }],
      ]),
    });
    running.push(server);
    const { stdout } = await runProgram(['probe', '--bus', server.bus]);
    expect(stdout).toMatch(/^shelly +http:\S+ +- +meter Shelly Pro3EM 08F9E0E67204$/m);
    const [, config = ''] = stdout.split(/put this into device.yaml:\n|\nA meter measures/);
    expect(parse(config)).toEqual({ connections: [{ driver: 'shelly', bus: server.bus }] });
    expect(stdout).toContain('such as "role: grid"');
  });

  it('an unknown answer is reported', async () => {
    const empty = recordedBank({ unitId: 1, registers: new Map() });
    const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...empty });
    running.push(server);
    const { code, stdout, stderr } = await probe('--bus', `modbus-tcp://127.0.0.1:${server.port}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/sunspec: unit 1: no SunSpec marker/);
    expect(stderr).toMatch(/^heliograph device probe: nothing that is known here answered$/m);
  });

  it('a port on which nothing listens is tried once', async () => {
    const bus = await serve(1);
    for (const one of running.splice(0)) await one.stop();
    const { code, stderr } = await probe('--bus', bus);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/ECONNREFUSED/);
  });

  it.each([
    [['--bus', 'ftp://10.0.0.2'], /--bus: the address does not begin with one of modbus-tcp/],
    [['--unit', '300'], /--unit must be a whole number from 0 to 255/],
    [['--driver', 'morse'], /There is no driver "morse"/],
    [['10.0.0.2'], /"10.0.0.2" is one argument too many/],
  ])('the arguments %j are refused', async (args, expected) => {
    expect(await probe(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(expected) });
  });

  it('an address that no driver supports is reported', async () => {
    const { code, stderr } = await probe('--bus', 'hid:///dev/hidraw77');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('none of the drivers is connected like this'),
    ]);
  });
});
