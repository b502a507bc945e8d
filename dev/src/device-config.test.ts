import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configureDevice } from './device-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'device-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const plant = (port: number) => ({
  pollIntervalMs: 200,
  connections: [{ driver: 'sunspec', bus: `modbus-tcp://127.0.0.1:${port}`, unit: 1 }],
});

it('the simulated hardware enters the configuration file, and other settings and comments in it stay', async () => {
  const device = join(folder, 'device');
  const file = join(device, 'device.yaml');
  await configureDevice(device, plant(4001));
  expect(await readFile(file, 'utf8')).toContain('poll_interval_s: 0.2');

  await writeFile(file, `# mine\nenergy_period: daily # not weekly\n${await readFile(file, 'utf8')}`);
  await configureDevice(device, plant(4002));
  const text = await readFile(file, 'utf8');
  expect(text).toContain('# mine\nenergy_period: daily # not weekly\n');
  expect(text).toContain('bus: modbus-tcp://127.0.0.1:4002');
  expect(text).not.toContain('4001');

  await configureDevice(device, { ...plant(4002), settingWritesPerDay: 5000 });
  expect(await readFile(file, 'utf8')).toMatch(/^setting_writes_per_day: 5000$/m);
});
