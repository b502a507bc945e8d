import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeviceAbout, DeviceSession } from '@heliograph/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../test/admin/cli/run-program.ts';
import {
  WHOLE_DEVICE_PASSWORD as PASSWORD,
  startWholeDevice,
  type WholeDevice,
} from '../test/whole-device.ts';

let folder: string;
let uid: string;
let device: WholeDevice | undefined;

const start = async (): Promise<WholeDevice> => {
  device = await startWholeDevice('# nothing\n', { dataFolder: folder, env: { DEVICE_PASSWORD: '' } });
  return device;
};

/** A device with a password, which is stopped. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-store-'));
  const first = await startWholeDevice('# nothing\n', { dataFolder: folder });
  uid = (await first.answer<DeviceAbout>('/api/v1/device')).uid;
  await expect.poll(() => readdirSync(folder)).toContain('identity.json');
  await first.stop();
});
afterEach(async () => {
  await device?.stop();
  device = undefined;
  rmSync(folder, { recursive: true });
});

const store = () => join(folder, 'device.sqlite');
const makeNewer = (): void => {
  const db = new DatabaseSync(store());
  db.exec("PRAGMA user_version = 99; UPDATE settings SET value = '98' WHERE key = 'schema_works_with'");
  db.close();
};
const session = async ({ browser }: WholeDevice) =>
  (await (await browser.get('/api/v1/session')).json()) as DeviceSession;
/** Without the parts that SQLite keeps beside a database. */
const asides = () =>
  readdirSync(folder).filter((name) => name.startsWith('device.sqlite.') && !/-(wal|shm)$/.test(name));

describe('a device whose store was written by a newer release', () => {
  beforeEach(makeNewer);

  it('the device serves its readings under its identity and password, and names the reason', async () => {
    const running = await start();
    expect((await session(running)).store_problem).toEqual({
      fault: 'newer',
      message: expect.stringMatching(/device\.sqlite was changed by a newer release \(schema 99\)/),
      has_identity: true,
    });
    expect((await running.browser.send('POST', '/api/v1/session', { password: PASSWORD })).status).toBe(204);
    expect((await running.answer<DeviceAbout>('/api/v1/device')).uid).toBe(uid);
    expect(await running.answer<object[]>('/api/v1/metrics')).not.toHaveLength(0);
    expect((await fetch(`${running.url}/`)).status).not.toBe(404);
  });

  it('a new password is refused, which would be lost', async () => {
    const running = await start();
    const change = { current: PASSWORD, password: 'another good password' };
    const answer = await running.browser.send('PUT', '/api/v1/password', change);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.stringMatching(/cannot be stored: the database was changed by a newer release/) },
    ]);
  });

  it('a new store keeps the identity and the password, and the former store is set aside', async () => {
    const running = await start();
    const wrong = await running.browser.send('POST', '/api/v1/store', { password: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(asides()).toEqual([]);
    expect((await running.browser.send('POST', '/api/v1/store', { password: PASSWORD })).status).toBe(202);
    await expect.poll(async () => (await session(running).catch(() => undefined))?.store_problem).toBeNull();
    await running.browser.send('POST', '/api/v1/session', { password: PASSWORD });
    expect((await running.answer<DeviceAbout>('/api/v1/device')).uid).toBe(uid);
    expect(asides()).toEqual([expect.stringMatching(/^device\.sqlite\.unusable-\d{8}T\d{6}$/)]);
    expect((await running.browser.send('POST', '/api/v1/store', { password: PASSWORD })).status).toBe(409);
  });
});

describe('a device whose store is damaged and has no copy of the identity', () => {
  beforeEach(() => {
    rmSync(join(folder, 'identity.json'));
    writeFileSync(store(), 'x'.repeat(10_000));
  });

  it('the device serves nothing but its page, and is no new device unless that is confirmed', async () => {
    const running = await start();
    expect(await session(running)).toMatchObject({
      has_password: false,
      store_problem: { fault: 'damaged', has_identity: false },
    });
    expect((await fetch(`${running.url}/api/v1/metrics`)).status).toBe(403);
    const set = await running.browser.send('POST', '/api/v1/password', { password: PASSWORD });
    expect(set.status).toBe(503);
    expect((await running.browser.send('POST', '/api/v1/store', {})).status).toBe(409);
    expect(readFileSync(store(), 'utf8')).toBe('x'.repeat(10_000));
    expect((await running.browser.send('POST', '/api/v1/store', { new_identity: true })).status).toBe(202);
    await expect.poll(async () => (await session(running).catch(() => undefined))?.store_problem).toBeNull();
    await running.browser.send('POST', '/api/v1/password', { password: PASSWORD });
    expect((await running.answer<DeviceAbout>('/api/v1/device')).uid).not.toBe(uid);
  });
});

it('a backup is restored over a store that cannot be read', async () => {
  const env = { BACKUP_PASSPHRASE: 'twelve characters or more' };
  const file = join(folder, 'home.backup');
  expect((await runProgram(['backup', '--data', folder, file], { env })).code).toBe(0);
  const bytes = readFileSync(file);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  mkdirSync(store());
  chmodSync(store(), 0);
  const running = await start();
  expect((await session(running)).store_problem).toMatchObject({ fault: 'unreadable', has_identity: false });
  await fetch(`${running.url}/api/v1/restore?offset=0`, { method: 'PUT', body: bytes });
  const restored = await running.browser.send('POST', '/api/v1/restore', {
    passphrase: env.BACKUP_PASSPHRASE,
  });
  expect(restored.status).toBe(202);
  await expect.poll(async () => (await session(running).catch(() => undefined))?.has_password).toBe(true);
  await running.browser.send('POST', '/api/v1/session', { password: PASSWORD });
  expect((await running.answer<DeviceAbout>('/api/v1/device')).uid).toBe(uid);
});
