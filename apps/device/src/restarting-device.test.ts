import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceConfiguration, SettingWrite } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import { recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { createLogger, Env } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { startDeviceProgram } from '../test/device-program.ts';
import { registersWith } from '../test/drivers/deye/registers.ts';
import { mountFile } from '../test/mount-file.ts';
import { connectStream } from '../test/serve/stream/stream-client.ts';
import { startWholeDevice, type WholeDevice } from '../test/whole-device.ts';
import { loadConfig } from './config/config.ts';
import { loadFamilies } from './drivers/families/families.ts';

const CONFIGURATION = '/api/v1/configuration';
/** A process of its own starts slowly where many do. */
const PROCESS_MS = 60_000;

const NOTHING = '# nothing is connected\nmdns: false\npoll_interval_s: 0.1\n';

const running: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

const start = async (text: string, env: Readonly<Record<string, string>> = {}): Promise<WholeDevice> => {
  const device = await startWholeDevice(text, { env });
  running.push(() => device.stop());
  return device;
};
/** The file is looked at every two seconds. */
const PATIENCE = { interval: 50, timeout: 10_000 };

interface CheckRow {
  readonly name: string;
  readonly status: string;
}

const readiness = async (device: WholeDevice): Promise<CheckRow | undefined> => {
  const answer = await fetch(`${device.url}/readyz`).catch(() => undefined);
  if (answer === undefined) return undefined;
  const { checks } = (await answer.json()) as { checks: CheckRow[] };
  return checks.find(({ name }) => name === 'configuration');
};
const configuration = (device: WholeDevice) =>
  device.answer<DeviceConfiguration>(CONFIGURATION).catch(() => undefined);

describe('startRestartingDevice', () => {
  it('a device that cannot start with a changed configuration starts as before, restores the file and reports the reason, in lines without the id of the request that changed it', async () => {
    const lines: { msg: string; requestId?: string }[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const device = await startWholeDevice(NOTHING, { logger });
    running.push(() => device.stop());
    device.breakNextStart(new Error('there is a stone in the way'));
    await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'monthly' });
    await expect
      .poll(() => configuration(device), { interval: 20 })
      .toMatchObject({ problem: 'there is a stone in the way', energy_period: 'weekly' });
    expect(device.text()).toBe(NOTHING);
    await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'monthly' });
    await expect
      .poll(() => configuration(device), { interval: 20 })
      .toMatchObject({ problem: null, energy_period: 'monthly', taking_effect: false });
    const afterRestart = lines.slice(lines.findIndex(({ msg }) => msg === 'the device restarts'));
    expect(afterRestart.length).toBeGreaterThan(2);
    const ofRequests = afterRestart.filter(({ requestId }) => requestId !== undefined);
    expect(ofRequests.map(({ msg }) => msg)).toEqual(['audit: configuration.change']);
  });

  it('a restarted device keeps the port that the system had picked', async () => {
    const device = await start(NOTHING, { DEVICE_PORT: '0' });
    // If another program has taken the port meanwhile, the device waits for it.
    device.breakNextStart(new Error('there is a stone in the way'));
    await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'monthly' });
    await expect
      .poll(() => configuration(device), { interval: 20 })
      .toMatchObject({ problem: 'there is a stone in the way' });
  });

  it('a device whose file has a mistake starts with the last that worked, shows the mistake, and takes the file up once it is mended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-broken-'));
    running.push(() => rmSync(folder, { recursive: true, force: true }));
    const first = await startWholeDevice(`${NOTHING}energy_period: daily\n`, { dataFolder: folder });
    await first.stop();
    const broken = `${NOTHING}energy_period: daily\nenergy_period: monthly\n`;
    const lines: { level: number; msg: string }[] = [];
    const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const device = await startWholeDevice(broken, { dataFolder: folder, logger });
    running.push(() => device.stop());
    expect(lines.filter(({ level }) => level >= 50)).toHaveLength(1);
    expect(await configuration(device)).toMatchObject({
      energy_period: 'daily',
      problem: `${join(folder, 'device.yaml')}:5:1: this name is there twice`,
      source: 'last_working',
    });
    const place = 'device.yaml:5:1: the configuration file cannot be used';
    const failed = `${place}, and the device runs with the last one that worked; its page "Configuration" has the reasons`;
    expect(await readiness(device)).toEqual({ name: 'configuration', status: 'failed', detail: failed });
    const refused = await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'weekly' });
    expect([refused.status, device.text()]).toEqual([422, broken]);
    writeFileSync(join(folder, 'device.yaml'), `${NOTHING}energy_period: monthly\n`);
    await expect
      .poll(() => configuration(device), PATIENCE)
      .toMatchObject({ problem: null, source: 'file', energy_period: 'monthly' });
    await expect.poll(() => readiness(device), PATIENCE).toMatchObject({ status: 'ok' });
    expect(lines.filter(({ level }) => level >= 50)).toHaveLength(1);
  });

  it('a device whose configuration file is mounted and was never anything but empty has its page write it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-empty-'));
    running.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'device.yaml');
    writeFileSync(file, '');
    const mount = mountFile(file);
    running.push(() => mount[Symbol.dispose]());
    const device = await startWholeDevice('', { dataFolder: folder });
    running.push(() => device.stop());
    expect(await configuration(device)).toMatchObject({ source: 'file', problem: null });
    expect(await readiness(device)).toMatchObject({ status: 'ok' });
    expect(device.text()).toMatch(/^# Configuration of this device/);
    const answer = await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'daily' });
    expect(answer.status).toBe(200);
    await expect
      .poll(() => configuration(device), PATIENCE)
      .toMatchObject({ energy_period: 'daily', taking_effect: false, source: 'file', problem: null });
    expect(device.text()).toMatch(/\nenergy_period: daily\n/);
  });

  it('a running device whose file becomes unusable goes on, shows the mistake once, and forgets it once it is mended', async () => {
    const device = await start(NOTHING);
    const file = join(device.folder, 'device.yaml');
    writeFileSync(file, '');
    await expect.poll(() => readiness(device), PATIENCE).toMatchObject({ status: 'failed' });
    expect(await configuration(device)).toMatchObject({
      source: 'last_working',
      problem: expect.stringMatching(/is empty/),
    });
    writeFileSync(file, NOTHING);
    await expect.poll(() => readiness(device), PATIENCE).toMatchObject({ status: 'ok' });
    expect(await configuration(device)).toMatchObject({
      source: 'file',
      problem: null,
      taking_effect: false,
    });
  });

  it('a device that is stopped before it restarts stays stopped', async () => {
    const device = await start(NOTHING);
    await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'daily' });
    await device.stop();
    running.pop();
    await expect(fetch(device.url)).rejects.toThrow();
  });

  it('a write to the inverter ends before the restart, and no other is accepted', async () => {
    const registers = registersWith(3, { 210: 20 });
    const inverter = await startRegisterServer({
      host: '127.0.0.1',
      port: 0,
      ...recordedBank({ unitId: 1, registers }),
      write: (_unit, address, values) => {
        for (const [index, value] of values.entries()) registers.set(address + index, value);
      },
    });
    running.push(() => inverter.stop());
    const line = await heldWrites(inverter.port);
    running.push(line.stop);
    const device = await start(`poll_interval_s: 0.2
mdns: false
connections:
  - { driver: deye, bus: "modbus-tcp://127.0.0.1:${line.port}" }
`);
    const topic = 'inverter_1/max_charge_current';
    const read = () => device.answer<{ value: unknown }[]>(`/api/v1/metrics?topic=${topic}`);
    await expect.poll(async () => (await read())[0]?.value).toBe(20);
    const stream = await connectStream(`${device.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`, {
      cookie: device.browser.cookie,
      origin: device.url,
    });
    stream.send('1', '1', 'metrics', 'phx_join', {});
    await stream.next('phx_reply');
    stream.send('1', '2', 'metrics', 'set', { topic, value: '35' });
    await expect.poll(() => line.held, { interval: 5 }).toBe(1);
    await device.browser.send('PATCH', CONFIGURATION, { energy_period: 'daily' });
    const another = () => device.browser.send('POST', '/api/v1/metrics', { topic: 'nothing', value: '1' });
    await expect.poll(async () => (await another()).status, { interval: 20 }).toBe(503);
    line.release();
    expect((await stream.next('set_result'))[4]).toEqual({ topic, result: 'ok' });
    await expect
      .poll(() => configuration(device), { interval: 20 })
      .toMatchObject({ energy_period: 'daily', taking_effect: false });
    const [write] = await device.answer<SettingWrite[]>('/api/v1/settings/log');
    expect([write?.outcome, registers.get(210)]).toEqual(['ok', 35]);
  });

  it('a device killed right after a change has a file that a start can use', {
    timeout: PROCESS_MS,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-killed-'));
    running.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'device.yaml');
    writeFileSync(file, NOTHING);
    const first = await startDeviceProgram(folder);
    running.push(() => first.child.kill('SIGKILL'));
    expect((await first.browser.send('PATCH', CONFIGURATION, { energy_period: 'daily' })).status).toBe(200);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(readFileSync(file, 'utf8')).toBe(`${NOTHING}energy_period: daily\n`);
    const settings = loadConfig(new Env({ DEVICE_DATA: folder }), await loadFamilies({ wanted: [] }));
    expect(settings.energyPeriod).toBe('daily');
  });
});

/** Offset of the function code in Modbus TCP, and the codes by which registers are written. */
const FUNCTION_AT = 7;
const WRITES = new Set([6, 16]);

interface HeldLine {
  readonly port: number;
  /** How many writes are on their way. */
  readonly held: number;
  /** Lets them arrive. */
  release(): void;
  stop(): void;
}

/** A line before a Modbus TCP server on which writes stay under way until they are released. */
async function heldWrites(port: number): Promise<HeldLine> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('data', (bytes) => {
      if (WRITES.has(bytes[FUNCTION_AT] ?? 0)) held.push(() => far.write(bytes));
      else far.write(bytes);
    });
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await once(inPieces(server).listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get held() {
      return held.length;
    },
    release: () => {
      for (const pass of held.splice(0)) pass();
    },
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
