import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigError, Env, type Running, silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFromEnv } from './config/config.ts';
import { type DeviceAddress, startDevice } from './device.ts';

const PASSWORD = 'a device password';
const running = new Set<Running>();
let folder: string;

const start = async (env: Record<string, string> = {}): Promise<Running<DeviceAddress>> => {
  const config = configFromEnv(
    new Env({
      DEVICE_DATA: folder,
      DEVICE_HOST: '127.0.0.1',
      DEVICE_PORT: '0',
      DEVICE_PASSWORD: PASSWORD,
      DEVICE_POLL_INTERVAL_MS: '50',
      ...env,
    }),
  );
  const device = await startDevice(config, { logger: silentLogger });
  running.add(device);
  return device;
};

const stop = async (device: Running): Promise<void> => {
  running.delete(device);
  await device.stop();
};

const metrics = async ({ url }: DeviceAddress, query = ''): Promise<{ topic: string; value: unknown }[]> => {
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const answer = await fetch(`${url}/api/v1/metrics${query}`, { headers: { authorization } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { topic: string; value: unknown }[];
};

/** A TCP port that nothing listens on. */
const deadPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-'));
});

afterEach(async () => {
  for (const device of running) await stop(device);
  rmSync(folder, { recursive: true, force: true });
});

describe('a device', () => {
  it('without hardware serves what it knows of itself', async () => {
    const { facts } = await start();
    expect(await metrics(facts)).toMatchObject([
      { topic: 'system/site_id', value: null },
      { topic: 'system/software_version', value: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
      { topic: 'system/cpu_temperature' },
      { topic: 'system/free_storage', value: expect.any(Number) },
    ]);
  });

  it('keeps its uid and its password when it starts again', async () => {
    const first = await start();
    await stop(first);
    const second = await start({ DEVICE_PASSWORD: 'another one that comes too late' });
    expect(second.facts.uid).toBe(first.facts.uid);
    expect(await metrics(second.facts, '?topic=system/*')).toHaveLength(4);
  });

  it('serves beside hardware that cannot be reached', async () => {
    const { facts } = await start({ DEVICE_CONNECTIONS: `sunspec+tcp://127.0.0.1:${await deadPort()}` });
    expect(await metrics(facts, '?topic=system/*')).toHaveLength(4);
  });

  it('whose port is taken says so and lets go of its data folder', async () => {
    const { facts } = await start();
    const other = mkdtempSync(join(tmpdir(), 'device-'));
    const taken = { DEVICE_DATA: other, DEVICE_PORT: new URL(facts.url).port };
    await expect(start(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const later = await start({ DEVICE_DATA: other });
    await stop(later);
    rmSync(other, { recursive: true });
  });

  it('of an unknown family of hardware is refused before anything is made', async () => {
    const connections = { DEVICE_CONNECTIONS: 'telepathy+tcp://10.0.0.2' };
    await expect(start(connections)).rejects.toEqual(
      new ConfigError('DEVICE_CONNECTIONS: there is no family "telepathy"; there is sunspec'),
    );
  });

  it('that cannot use its folder ends with one line and exit code 1', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { ...process.env, DEVICE_DATA: file, DEVICE_PORT: '0', DEVICE_HOST: '127.0.0.1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([output, code]).toEqual([
      expect.stringMatching(/^DEVICE_DATA: the folder \S+ cannot be used: .+\n$/),
      1,
    ]);
  });
});
