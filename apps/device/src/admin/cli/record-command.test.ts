import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RegisterBank, startRegisterServer } from '@heliograph/dev/modbus';
import { simulatedHome } from '@heliograph/dev/plant';
import { pi30Line } from '@heliograph/dev/plant/pi30';
import { pylontechRs485 } from '@heliograph/dev/plant/pylontech';
import { solarChargerLine } from '@heliograph/dev/plant/victron';
import { type Attach, openPty, serveLine } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../test/admin/cli/run-program.ts';
import { capturesIn } from '../../../test/drivers/captures.ts';
import { SINGLE } from '../../../test/drivers/deye/registers.ts';
import { bankOf } from '../../../test/drivers/deye/rtu-inverter.ts';
import {
  inverter as pi17Inverter,
  realAnswers as realPi17Answers,
} from '../../../test/drivers/pi17/plugged-in.ts';
import {
  inverter as pi18Inverter,
  realAnswers as realPi18Answers,
} from '../../../test/drivers/pi18/plugged-in.ts';
import { recordedLine } from '../../../test/drivers/recorded-line.ts';
import { startShelly } from '../../../test/drivers/shelly/shelly-server.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { exchangesIn } from '../../drivers/recorded-exchanges.ts';

const running = runningUntilTheEnd();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-record-'));
  running.push({ stop: () => rmSync(folder, { recursive: true }) });
  return folder;
}

/** A file that is not there yet, in a folder of its own. */
const newFile = (): string => join(newFolder(), 'recording.json');

/** The bus of an inverter that is only read. */
async function busTo(readRange: RegisterBank['readRange']): Promise<string> {
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange,
    write: () => expect.fail('nothing may be written'),
  });
  running.push(server);
  return `modbus-tcp://127.0.0.1:${server.port}`;
}

const busWith = (contents: Map<number, number>): Promise<string> => busTo(bankOf(contents).readRange);

describe.concurrent('heliograph device record', () => {
  it('a recording of an inverter decodes to the values that the inverter has', async () => {
    const [file, bus] = [newFile(), await busWith(SINGLE)];
    const recorded = await runProgram(['record', '--driver', 'deye', '--bus', bus, file]);
    expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining('serial numbers') });
    expect(recorded.stdout).toMatch(/exchanges, which decode to \d{3} values/);
    const { code, stdout, stderr } = await runProgram(['decode', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = JSON.parse(stdout) as { topic: string; value: unknown }[];
    const values = Object.fromEntries(rows.map(({ topic, value }) => [topic, value]));
    expect(values).toMatchObject({
      'inverter_1/serial_number': '2301606000',
      'inverter_1/pv_power': 3700,
      'inverter_1/battery_power': 2000,
      'inverter_1/grid_power': -900,
    });
  });

  it.each([
    ['jbd', 'jbd_up_16s_addr1', 'jbd_up_78'],
    ['jbd', 'jbd_4s_idle', 'jbd_dd'],
    ['daly', 'daly_81_16s_discharging', 'daly_modbus_81'],
  ])('a recording of a battery of %s, as %s, names its protocol', async (driver, id, protocol) => {
    const file = newFile();
    const captures = capturesIn(join(import.meta.dirname, '../../drivers', driver));
    const exchanges = captures.filter((capture) => capture.id === id).flatMap(exchangesIn);
    const pty = openPty();
    const detach = recordedLine(exchanges.map(({ request, response }) => [request, response]))(pty.line);
    const recorded = await runProgram(['record', '--driver', driver, '--bus', `serial://${pty.path}`, file]);
    detach();
    pty.close();
    expect(recorded).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ protocol });
    const topics = (JSON.parse((await runProgram(['decode', file])).stdout) as { topic: string }[]).map(
      ({ topic }) => topic,
    );
    expect(topics).toContain('battery_1/voltage');
    expect(new Set(topics).size).toBe(topics.length);
  });

  it('a recording of a Shelly has the paths and the JSON of its answers', async () => {
    const file = newFile();
    const server = await startShelly({
      answers: new Map<string, unknown>([
        ['/shelly', { mac: '08F9E0E67204', gen: 2, app: 'Pro3EM', ver: '1.4.4' }],
        ['/rpc/EM.GetStatus?id=0', { total_act_power: 300, a_voltage: 231 }],
      ]),
    });
    const recorded = await runProgram(['record', '--driver', 'shelly', '--bus', server.bus, file]);
    await server.stop();
    expect(recorded.code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      protocol: 'shelly_http',
      transport: 'http',
      exchanges: [
        { request: '/shelly', response: expect.stringContaining('"mac":"08F9E0E67204"') },
        { request: '/rpc/EM.GetStatus?id=0', response: '{"total_act_power":300,"a_voltage":231}' },
      ],
    });
    const rows = JSON.parse((await runProgram(['decode', file])).stdout) as {
      topic: string;
      value: unknown;
    }[];
    const values = Object.fromEntries(rows.map(({ topic, value }) => [topic, value]));
    expect(values).toMatchObject({ 'meter_1/power': 300, 'meter_1/model_name': 'Shelly Pro3EM' });
  });

  it('the number of a Shelly is masked wherever its answers have it, in small letters, too', async () => {
    const file = newFile();
    const server = await startShelly({
      answers: new Map<string, unknown>([
        ['/shelly', { id: 'shellyproem50-08f9e0e67204', mac: '08F9E0E67204', gen: 2, app: 'ProEM50' }],
        ['/rpc/EM1.GetStatus?id=0', { act_power: 300 }],
        ['/rpc/EM1.GetStatus?id=1', { act_power: 50, voltage: 231 }],
      ]),
    });
    const options = ['--driver', 'shelly', '--bus', server.bus, '--mask', file];
    expect(await runProgram(['record', ...options])).toMatchObject({ code: 0, stderr: '' });
    await server.stop();
    expect(readFileSync(file, 'utf8')).not.toMatch(/08F9E0E67204/i);
    const rows = JSON.parse((await runProgram(['decode', file])).stdout) as {
      topic: string;
      value: unknown;
    }[];
    expect(Object.fromEntries(rows.map(({ topic, value }) => [topic, value]))).toMatchObject({
      'meter_1/power': 300,
      'meter_2/power': 50,
      'meter_2/serial_number': 'XXXXXXXXXXXX-1',
    });
  });

  it('serial numbers are masked where that is wanted, and the frames stay valid', async () => {
    const [file, bus] = [newFile(), await busWith(SINGLE)];
    expect(await runProgram(['record', '--driver', 'deye', '--bus', bus, '--mask', file])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).not.toContain(Buffer.from('2301606000').toString('hex'));
    const { stdout } = await runProgram(['decode', file]);
    expect(stdout).toContain('"XXXXXXXXXX"');
  });

  it('a serial number that registers hold as a number is masked by the contents for no value', async () => {
    const nameplate = [0, 8009, 0, 19_050, 0, 0, 0xb3a4, 0x0a11];
    const contents = new Map(nameplate.map((content, at) => [30_051 + at, content]));
    // Other registers that are read have it, too, once with its words in the other order.
    for (const [at, content] of [0, 0, 0xb3a4, 0x0a11, 0x0a11, 0xb3a4].entries()) {
      contents.set(30_769 + at, content);
    }
    const [file, bus] = [newFile(), await busWith(contents)];
    expect(await runProgram(['record', '--driver', 'sma', '--bus', bus, '--mask', file])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toContain('4a6a00000000ffffffff');
    expect(readFileSync(file, 'utf8')).toContain('00000000ffffffffffffffff');
    expect(readFileSync(file, 'utf8')).not.toMatch(/b3a40a11|0a11b3a4/);
  });

  it('a serial number that an answer has twice is masked twice', async () => {
    const contents = new Map(SINGLE);
    for (let at = 0; at < 5; at++) contents.set(13 + at, contents.get(3 + at) ?? 0);
    const [file, bus] = [newFile(), await busWith(contents)];
    expect(await runProgram(['record', '--driver', 'deye', '--bus', bus, '--mask', file])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(file, 'utf8')).not.toContain(Buffer.from('2301606000').toString('hex'));
  });

  it('a serial number of zeros is none, and no measurement is masked for it', async () => {
    const nameplate = [0, 8009, 0, 19_050, 0, 0, 0, 0];
    const contents = new Map(nameplate.map((content, at) => [30_051 + at, content]));
    const [file, bus] = [newFile(), await busWith(contents)];
    expect(await runProgram(['record', '--driver', 'sma', '--bus', bus, '--mask', file])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toContain('4a6a0000000000000000');
  });

  it('an existing file is kept, and hardware of another kind is refused', async () => {
    const folder = newFolder();
    const [file, bus] = [join(folder, 'recording.json'), await busWith(SINGLE)];
    await runProgram(['record', '--driver', 'deye', '--bus', bus, file]);
    const before = readFileSync(file, 'utf8');
    const again = await runProgram(['record', '--driver', 'deye', '--bus', bus, file]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('there is such a file already') });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const other = await runProgram(['record', '--driver', 'srne', '--bus', bus, join(folder, 'other.json')]);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('is not what SRNE') });
    expect(await runProgram(['record', '--bus', bus, file])).toMatchObject({ code: 2 });
  });
});

describe.concurrent('heliograph device record of hardware with frames of its own', () => {
  const home = () => simulatedHome(new ManualClock(Date.UTC(2026, 5, 21, 12)));

  it.each<[string, () => Attach, number]>([
    ['pi30', () => pi30Line(home()), 60],
    ['pi18', () => pi18Inverter({ queries: realPi18Answers() }), 50],
    ['pi17', () => pi17Inverter({ queries: realPi17Answers() }), 50],
    ['victron', () => solarChargerLine(home()), 10],
    ['pylontech', () => pylontechRs485(home()), 40],
  ])('%s is recorded, and its serial numbers are masked in valid frames', async (driver, attach, least) => {
    const folder = newFolder();
    const [file, masked] = [join(folder, 'open.json'), join(folder, 'masked.json')];
    const line = await serveLine(attach());
    const address = `serial-tcp://${line.host}:${line.port}`;
    const record = (...options: string[]) =>
      runProgram(['record', '--driver', driver, '--bus', address, ...options]);
    const valuesOf = async (recording: string): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await runProgram(['decode', recording]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const rows = JSON.parse(stdout) as { topic: string; value: unknown }[];
      return Object.fromEntries(rows.map(({ topic, value }) => [topic, value]));
    };
    expect(await record(file)).toMatchObject({ code: 0 });
    const open = await valuesOf(file);
    expect(Object.keys(open).length).toBeGreaterThan(least);
    const serials = Object.entries(open).filter(([topic]) => topic.endsWith('/serial_number'));
    expect(serials.length).toBeGreaterThan(0);
    expect(await record('--mask', masked)).toMatchObject({ code: 0, stderr: '' });
    const hidden = await valuesOf(masked);
    expect(Object.keys(hidden)).toEqual(Object.keys(open));
    for (const [topic, serial] of serials) {
      expect(hidden[topic]).toBe('X'.repeat(String(serial).length));
      const bytes = Buffer.from(String(serial), 'latin1').toString('hex');
      expect(readFileSync(masked, 'utf8')).not.toContain(bytes);
    }
    await line.stop();
  });
});

describe.concurrent('heliograph device explore', () => {
  const explore = (bus: string, ...args: string[]) => runProgram(['explore', '--bus', bus, ...args]);

  it('registers are shown with their text, and those that there are not are left out', async () => {
    const contents = new Map(SINGLE);
    contents.delete(10);
    const bus = await busWith(contents);
    const { code, stdout } = await explore(bus, '--from', '0', '--to', '0x0c', '--rounds', '1');
    expect(code).toBe(0);
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
    expect(rows[0]).toEqual(['REGISTER', 'HEX', 'NUMBER', 'SIGNED', 'TEXT', 'MOVES']);
    expect(rows.find(([register]) => register === '3')).toEqual(['3', '3233', '12851', '23']);
    expect(rows.map(([register]) => register)).not.toContain('10');
    expect(rows.map(([register]) => register)).toContain('12');
  });

  it('registers that move are shown with the range of their contents', async () => {
    const contents = new Map(SINGLE);
    const served = bankOf(contents).readRange;
    let reads = 0;
    const bus = await busTo((...range) => {
      contents.set(184, 80 + reads++);
      return served(...range);
    });
    const { stdout } = await explore(bus, '--from', '183', '--to', '184', '--rounds', '3', '--every', '0');
    const rows = stdout.split('\n').map((line) => line.trim());
    expect(rows.find((row) => row.startsWith('184'))).toMatch(/3 contents, 80 to 82$/);
    expect(rows.find((row) => row.startsWith('183'))).not.toContain('contents');
  });

  it('wrong options are named', async () => {
    const bus = await busWith(SINGLE);
    expect(await explore(bus, '--from', '5', '--to', '4')).toMatchObject({ code: 2 });
    expect(await explore(bus, '--from', '70000', '--to', '70001')).toMatchObject({ code: 2 });
    expect(await explore(bus, '--from', '1', '--to', '2', '--table', 'coils')).toMatchObject({ code: 2 });
    expect(await explore(bus, '--from', '5000', '--to', '5001', '--rounds', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none of these holding registers'),
    });
  });
});
