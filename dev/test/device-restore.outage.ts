import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCloudClient } from '@heliograph/client';
import type { DeviceAbout, DeviceCloudBackup, DeviceLinks, DeviceRecoveryCode } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservedPorts } from '../src/testing/ports.ts';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';

const DEVICE = join(import.meta.dirname, '../../apps/device/src');
const PASSPHRASE = 'sun and rain on the roof';
const PATIENCE = { timeout: 90_000, interval: 250 };
const TIMEOUT_MS = 240_000;

let system: TestSystem;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  system = await startTestSystem();
  undo.defer(() => system.stop());
}, TIMEOUT_MS);
afterAll(() => undo.disposeAsync(), TIMEOUT_MS);

const env = () => ({
  PATH: process.env.PATH,
  BACKUP_PASSPHRASE: PASSPHRASE,
  DEVICE_PASSWORD: system.run.device.password,
  LOG_LEVEL: 'error',
});

const command = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(DEVICE, 'admin/cli/main.ts'), ...args], { env: env() });

/** A device on another computer, with the data of a folder. */
async function startDevice(data: string): Promise<{ url: string; port: number }> {
  const port = await reservedPorts();
  const device = spawn(process.execPath, [join(DEVICE, 'main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DEVICE_DATA: data,
      DEVICE_HOST: '127.0.0.1',
      DEVICE_PORT: String(port),
      CLOUD_URL: system.run.cloud.url,
      LOG_LEVEL: 'error',
    },
  });
  const ended = once(device, 'exit');
  undo.defer(async () => {
    device.kill();
    await ended;
  });
  return { url: `http://127.0.0.1:${port}`, port };
}

describe('backups in the cloud', () => {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { url, password } = system.run.device;
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  };

  it(
    'an owner turns them on, restores the device on a new card with the recovery code alone, and turns them off',
    async () => {
      const { run } = system;
      const cloud = createCloudClient({ url: run.cloud.url, token: run.account.api_token });
      const { recovery_code: code } = await call<DeviceRecoveryCode>('POST', '/api/v1/backup/cloud', {
        password: run.device.password,
      });
      expect(code).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){5}$/);
      const state = () => call<DeviceCloudBackup>('GET', '/api/v1/backup/cloud');
      await expect.poll(state, PATIENCE).toMatchObject({ stored_at: expect.any(String), problem: null });
      expect(await state()).toMatchObject({ enabled: true, history: true });
      const { uid } = await call<DeviceAbout>('GET', '/api/v1/device');
      expect(await cloud.listSiteBackups({ id: run.site.id })).toMatchObject([{ device_uid: uid }]);

      const folder = await mkdtemp(join(tmpdir(), 'heliograph-restore-'));
      undo.defer(() => rm(folder, { recursive: true, force: true }));
      const restore = (typed: string, data: string) =>
        promisify(execFile)(
          process.execPath,
          [join(DEVICE, 'admin/cli/main.ts'), 'restore', '--from-cloud', '--data', join(folder, data)],
          { env: { ...env(), CLOUD_URL: run.cloud.url, RECOVERY_CODE: typed } },
        );
      await expect(restore('0'.repeat(30), 'wrong')).rejects.toThrow(/no backup for this recovery code/);
      const { stdout } = await restore(code.toLowerCase().replaceAll('-', ' '), 'card');
      expect(stdout).toContain(uid);

      await call('DELETE', '/api/v1/backup/cloud');
      expect(await state()).toMatchObject({ enabled: false, stored_at: null });
      expect(await cloud.listSiteBackups({ id: run.site.id })).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('a device that is restored on another computer', () => {
  it(
    'the site goes on through its proxy with the credentials of before, and the former computer is refused',
    async () => {
      const { run } = system;
      const cloud = createCloudClient({ url: run.cloud.url, token: run.account.api_token });
      const { host, token, site_id, site_key } = await cloud.authorizeSite({ id: run.site.id });
      const headers = { authorization: `Bearer ${token}`, 'site-id': `${site_id}`, 'site-key': site_key };
      /** The port of the computer that answers for the site. */
      const answeringPort = async (): Promise<number | undefined> => {
        const answer = await fetch(`http://${host}/api/v1/device`, { headers }).catch(() => undefined);
        if (answer?.status !== 200) return undefined;
        const { local_ip: address } = (await answer.json()) as DeviceAbout;
        return Number(address?.split(':').at(-1));
      };
      const folder = await mkdtemp(join(tmpdir(), 'heliograph-restore-'));
      undo.defer(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'demo.backup');
      const data = join(folder, 'card');
      await command('backup', '--data', join(system.dataFolder, 'device'), '--url', run.device.url, file);
      const { stdout } = await command('restore', '--data', data, file);
      expect(stdout).toContain('of demo');

      const restored = await startDevice(data);
      await expect.poll(answeringPort, PATIENCE).toBe(restored.port);
      const authorization = `Basic ${Buffer.from(`admin:${run.device.password}`).toString('base64')}`;
      const uplinkOf = async (url: string) => {
        const answer = await fetch(`${url}/api/v1/links`, { headers: { authorization } });
        return ((await answer.json()) as DeviceLinks).uplink;
      };
      await expect
        .poll(() => uplinkOf(run.device.url), PATIENCE)
        .toMatchObject({
          state: 'offline',
          reason: expect.stringMatching(/restored from a backup on another/),
        });
      await expect.poll(answeringPort, PATIENCE).toBe(restored.port);
      expect(await uplinkOf(restored.url)).toMatchObject({ state: 'online' });
    },
    TIMEOUT_MS,
  );
});
