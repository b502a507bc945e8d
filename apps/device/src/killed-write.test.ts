import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alert, SettingWrite } from '@heliograph/contracts';
import { recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { afterEach, describe, expect, it } from 'vitest';
import { type DeviceProgram, startDeviceProgram } from '../test/device-program.ts';
import { registersWith } from '../test/drivers/deye/registers.ts';
import { openDatabase } from './storage/database.ts';
import { WriteLog } from './storage/write-log.ts';

const TOPIC = 'inverter_1/max_charge_current';
const REGISTER = 210;
/** A process of its own starts slowly where many do. */
const PROCESS_MS = 60_000;
const PATIENCE = { interval: 50, timeout: 20_000 };

const running: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

/** An inverter that kills the device with the frame of a write, before it answers. */
async function killingInverter({ takes }: { readonly takes: boolean }) {
  const registers = registersWith(3, { [REGISTER]: 20 });
  const inverter = {
    writes: 0,
    device: undefined as DeviceProgram | undefined,
    folder: mkdtempSync(join(tmpdir(), 'heliograph-killed-')),
  };
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    ...recordedBank({ unitId: 1, registers }),
    write: (_unit, address, values) => {
      inverter.device?.child.kill('SIGKILL');
      inverter.writes += 1;
      if (takes) for (const [index, value] of values.entries()) registers.set(address + index, value);
    },
  });
  running.push(
    () => rmSync(inverter.folder, { recursive: true, force: true }),
    () => server.stop(),
  );
  writeFileSync(
    join(inverter.folder, 'device.yaml'),
    `poll_interval_s: 0.2
mdns: false
setting_writes_per_day: 5
connections:
  - { driver: deye, bus: "modbus-tcp://127.0.0.1:${server.port}" }
`,
  );
  return inverter;
}

async function startIn(folder: string): Promise<DeviceProgram> {
  const device = await startDeviceProgram(folder);
  running.push(() => device.child.kill('SIGKILL'));
  return device;
}

const json = async <T>({ browser }: DeviceProgram, path: string): Promise<T> =>
  (await (await browser.get(path)).json()) as T;

const readings = (device: DeviceProgram) =>
  json<{ value: unknown }[]>(device, `/api/v1/metrics?topic=${TOPIC}`);

/** Writes a value, and returns once the process is dead. */
async function writeUntilKilled(device: DeviceProgram): Promise<void> {
  const exited = once(device.child, 'exit');
  await expect.poll(async () => (await readings(device))[0]?.value, PATIENCE).toBe(20);
  const write = device.browser.send('POST', '/api/v1/metrics', { topic: TOPIC, value: '35' });
  await expect(write).rejects.toThrow();
  expect(await exited).toEqual([null, 'SIGKILL']);
}

function storedWrites(folder: string) {
  const db = openDatabase(folder);
  try {
    return new WriteLog(db).recent(10);
  } finally {
    db.close();
  }
}

describe('a device that is killed between a write and its answer', () => {
  it('the log has the write as unknown, and the next start finds it in force', {
    timeout: PROCESS_MS,
  }, async () => {
    const inverter = await killingInverter({ takes: true });
    inverter.device = await startIn(inverter.folder);
    await writeUntilKilled(inverter.device);
    expect(storedWrites(inverter.folder)).toMatchObject([
      { topic: TOPIC, oldValue: '20', newValue: '35', outcome: 'unknown', isOpen: true },
    ]);

    const next = await startIn(inverter.folder);
    const log = () => json<SettingWrite[]>(next, '/api/v1/settings/log');
    await expect.poll(log, PATIENCE).toMatchObject([{ new_value: '35', outcome: 'ok', pending: false }]);
    const [write] = await log();
    expect(Date.parse(write?.settled_at ?? '')).toBeGreaterThan(Date.parse(write?.at ?? ''));
    expect(await json<Alert[]>(next, '/api/v1/alerts')).toEqual([]);
    expect(inverter.writes).toBe(1);
  });

  it('the write has used one of the day, of which programs leave a part to people', {
    timeout: PROCESS_MS,
  }, async () => {
    const inverter = await killingInverter({ takes: true });
    inverter.device = await startIn(inverter.folder);
    await writeUntilKilled(inverter.device);

    const next = await startIn(inverter.folder);
    await expect.poll(async () => (await readings(next))[0]?.value, PATIENCE).toBe(35);
    const byProgram = async (value: string) => {
      const answer = await fetch(`${next.url}/api/v1/metrics`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`admin:${next.password}`)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ topic: TOPIC, value }),
      });
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    // A value in force already does not count.
    for (const value of ['36', '36', '37', '38'])
      expect(await byProgram(value)).toMatchObject({ status: 200 });
    expect(await byProgram('39')).toMatchObject({ status: 422, outcome: 'not sent', reason: 'too_often' });
    const byPerson = await next.browser.send('POST', '/api/v1/metrics', { topic: TOPIC, value: '39' });
    expect([byPerson.status, inverter.writes]).toEqual([200, 5]);
  });

  it('the next start raises an alert while the old value stays, and sends nothing again', {
    timeout: PROCESS_MS,
  }, async () => {
    const inverter = await killingInverter({ takes: false });
    inverter.device = await startIn(inverter.folder);
    await writeUntilKilled(inverter.device);

    const next = await startIn(inverter.folder);
    const alerts = () => json<Alert[]>(next, '/api/v1/alerts');
    await expect
      .poll(alerts, PATIENCE)
      .toMatchObject([{ kind: 'write_failed', topic: TOPIC, detail: 'unknown', state: 'raised' }]);
    const log = await json<SettingWrite[]>(next, '/api/v1/settings/log');
    expect(log).toMatchObject([{ outcome: 'unknown', settled_at: null, pending: true }]);
    expect(inverter.writes).toBe(1);
  });
});
