import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testProgram } from '@heliograph/dev/testing';
import { createLogger, Env, type Running, silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY_COST } from '../test/admin/backup/key-cost.ts';
import { startTestCloud } from '../test/cloud/uplink/test-cloud.ts';
import { startTestProxy } from '../test/cloud/uplink/test-proxy.ts';
import { startWholeDevice } from '../test/whole-device.ts';
import { loadConfig } from './config/config.ts';
import { type DeviceAddress, startDevice } from './device.ts';
import { loadFamilies } from './drivers/families/families.ts';
import { openDatabase } from './storage/database.ts';
import { KeyValueStore } from './storage/key-value.ts';

const PASSWORD = 'a device password';
const running = new Set<{ stop(): Promise<void> }>();
let folder: string;

/** Starts a device on the folder. @param connections lines below `connections:` in its configuration file */
const start = async (env: Record<string, string> = {}, connections = ''): Promise<Running<DeviceAddress>> => {
  const { DEVICE_DATA: data = folder } = env;
  writeFileSync(
    join(data, 'device.yaml'),
    `poll_interval_s: 0.05\nmdns: false\nconnections:\n${connections}`,
  );
  const config = loadConfig(
    new Env({
      DEVICE_DATA: folder,
      DEVICE_HOST: '127.0.0.1',
      DEVICE_PORT: '0',
      DEVICE_PASSWORD: PASSWORD,
      ...env,
    }),
    await loadFamilies(),
  );
  const device = await startDevice(config, { logger: silentLogger });
  running.add(device);
  return device;
};

const stop = async (device: { stop(): Promise<void> }): Promise<void> => {
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
  for (const device of [...running].toReversed()) await stop(device);
  rmSync(folder, { recursive: true, force: true });
});

describe('startDevice', () => {
  it('a device without hardware serves the metrics of itself', async () => {
    const { facts } = await start();
    expect(await metrics(facts)).toMatchObject([
      { topic: 'system/site_id', value: null },
      { topic: 'system/software_version', value: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
      { topic: 'system/cpu_temperature' },
      { topic: 'system/free_storage', value: expect.any(Number) },
      { topic: 'system/history', value: 'Recording' },
    ]);
  });

  it('a device keeps its uid and its password when it starts again', async () => {
    const first = await start();
    await stop(first);
    const second = await start({ DEVICE_PASSWORD: 'another one that comes too late' });
    expect(second.facts.uid).toBe(first.facts.uid);
    expect(await metrics(second.facts, '?topic=system/*')).toHaveLength(5);
  });

  it.each(['is made', 'others may enter'])(
    'the files of a device have the mode 0600 in a folder that %s',
    async (how) => {
      const data = join(folder, 'data');
      if (how !== 'is made') mkdirSync(data, { mode: 0o755 });
      const env = new Env({ DEVICE_DATA: data, DEVICE_PORT: '0', DEVICE_PASSWORD: PASSWORD });
      const config = loadConfig(env, await loadFamilies());
      const device = await startDevice(
        { ...config, host: '127.0.0.1', mdns: false },
        { logger: silentLogger },
      );
      running.add(device);
      await metrics(device.facts);
      const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
      const files = readdirSync(data);
      expect(modeOf(data)).toBe(how === 'is made' ? '700' : '755');
      expect(files).toEqual(expect.arrayContaining(['device.sqlite', 'device.yaml', 'history.sqlite']));
      expect(files.filter((name) => modeOf(join(data, name)) !== '600')).toEqual([]);
    },
  );

  it('a device serves beside hardware that cannot be reached', async () => {
    const { facts } = await start(
      {},
      `  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:${await deadPort()}" }`,
    );
    expect(await metrics(facts, '?topic=system/*')).toHaveLength(5);
  });

  it('a device whose port is taken reports it and releases its data folder', async () => {
    const { facts } = await start();
    const other = mkdtempSync(join(tmpdir(), 'device-'));
    const taken = { DEVICE_DATA: other, DEVICE_PORT: new URL(facts.url).port };
    await expect(start(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const later = await start({ DEVICE_DATA: other });
    await stop(later);
    rmSync(other, { recursive: true });
  });

  it('a device sends data of its home once the cloud has answered that it belongs to a site, and warns of nothing before', async () => {
    const cloud = await startTestCloud();
    running.add(cloud);
    const proxy = await startTestProxy();
    running.add(proxy);
    const db = openDatabase(folder);
    const key = { salt: 'c2FsdA==', secret: 'c2VjcmV0', cost: KEY_COST };
    const backups = { key, fetch_hash: 'a'.repeat(43), stored_at: null, size: null, has_history: false };
    new KeyValueStore(db).set('cloud_backup', JSON.stringify(backups));
    db.close();
    const answers = ['inactive', 'unregistered'] as const;
    const uploadsBefore: number[] = [];
    cloud.answer = () => {
      uploadsBefore.push(cloud.uploads.length);
      const status = answers[cloud.connects.length - 1];
      if (status !== undefined) return { status, retry_after_s: 1 };
      const { url } = proxy;
      return {
        status: 'ready',
        site_id: 7,
        site_name: null,
        proxy: { name: 'a', url },
        tunnel_token: 'a token',
      };
    };
    const warnings: string[] = [];
    const logger = createLogger('device', 'warn', { write: (line) => void warnings.push(line) });
    const device = await startWholeDevice(`mdns: false\ncloud_url: ${cloud.url}\n`, {
      dataFolder: folder,
      logger,
    });
    running.add(device);
    await proxy.tunnel();
    await expect
      .poll(() => new Set(cloud.uploads))
      .toEqual(
        new Set(['PUT /api/v1/devices/alerts', 'PUT /api/v1/devices/history', 'PUT /api/v1/devices/backups']),
      );
    expect(uploadsBefore).toEqual([0, 0, 0]);
    expect(warnings).toEqual([]);
  });

  it('the first start writes an example of the configuration file', async () => {
    await stop(await start());
    rmSync(join(folder, 'device.yaml'));
    const configFile = join(folder, 'other.yaml');
    const env = new Env({ DEVICE_DATA: folder, DEVICE_CONFIG: configFile, DEVICE_PORT: '0' });
    const config = loadConfig(env, await loadFamilies());
    const device = await startDevice({ ...config, host: '127.0.0.1', mdns: false }, { logger: silentLogger });
    await device.stop();
    expect(readFileSync(configFile, 'utf8')).toContain('#poll_interval_s: 2');
  });

  it.each([
    [
      'cannot use its folder',
      () => {
        const file = join(folder, 'file');
        writeFileSync(file, '');
        return { DEVICE_DATA: file };
      },
      /^DEVICE_DATA: the folder \/.+ cannot be used: .+$/,
    ],
  ])('a device that %s ends with the reason and exit code 1', async (_what, makeEnv, expected) => {
    const child = spawn(process.execPath, [await testProgram('apps/device/src/main')], {
      env: { ...process.env, ...makeEnv(), DEVICE_PORT: '0', DEVICE_HOST: '127.0.0.1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(JSON.parse(output)).toMatchObject({
      level: 60,
      name: 'device',
      reason: expect.stringMatching(expected),
    });
    expect(code).toBe(1);
  });
});
