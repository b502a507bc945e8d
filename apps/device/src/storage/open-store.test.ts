import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev-env/testing';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { DamagedDatabase } from './database.ts';
import { type DeviceStore, openStore } from './open-store.ts';

const PASSWORD = 'device_password_hash';
const clock = new ManualClock(Date.UTC(2026, 10, 25, 12));
let opened: DeviceStore | undefined;

afterEach(() => {
  opened?.db.close();
  opened = undefined;
});

async function open(folder: string): Promise<DeviceStore> {
  opened?.db.close();
  opened = undefined;
  opened = await openStore(folder, clock, silentLogger);
  return opened;
}

/** A device with a password, whose copy is written. @returns its uid */
async function firstLife(folder: string): Promise<string> {
  const { settings, identity } = await open(folder);
  settings.set(PASSWORD, 'a hash');
  settings.set('other', 'fact');
  await expect.poll(() => readFile(join(folder, 'identity.json'), 'utf8')).toContain('a hash');
  opened?.db.close();
  opened = undefined;
  return identity.uid;
}

async function removeDatabase(folder: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm'])
    await rm(join(folder, `device.sqlite${ending}`), { force: true });
}

it.each([
  ['is missing', async (folder: string) => removeDatabase(folder)],
  [
    'is empty',
    async (folder: string) => {
      await removeDatabase(folder);
      await writeFile(join(folder, 'device.sqlite'), '');
    },
  ],
  [
    'is no database',
    async (folder: string) => {
      await removeDatabase(folder);
      await writeFile(join(folder, 'device.sqlite'), 'x'.repeat(10_000));
    },
  ],
])('a device whose database %s keeps its uid and its password', async (_case, damage) => {
  await using folder = await temporaryFolder();
  const uid = await firstLife(folder.path);
  await damage(folder.path);
  const { identity, settings } = await open(folder.path);
  expect(identity.uid).toBe(uid);
  expect(settings.get(PASSWORD)).toBe('a hash');
  expect(settings.get('other')).toBeUndefined();
});

it('a damaged database is set aside, whole', async () => {
  await using folder = await temporaryFolder();
  await firstLife(folder.path);
  const content = 'x'.repeat(10_000);
  await removeDatabase(folder.path);
  await writeFile(join(folder.path, 'device.sqlite'), content);
  await open(folder.path);
  expect(await readFile(join(folder.path, 'device.sqlite.damaged-20261125T120000'), 'utf8')).toBe(content);
});

it('a damaged database without a copy of the identity is left as it is', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'device.sqlite'), 'x'.repeat(10_000));
  await expect(open(folder.path)).rejects.toThrow(DamagedDatabase);
  expect((await stat(join(folder.path, 'device.sqlite'))).size).toBe(10_000);
});

it('the copy follows the password, is private, and is no reason not to start when it is damaged', async () => {
  await using folder = await temporaryFolder();
  const uid = await firstLife(folder.path);
  const copy = join(folder.path, 'identity.json');
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const { settings } = await open(folder.path);
  settings.delete(PASSWORD);
  await expect.poll(() => readFile(copy, 'utf8')).not.toContain('a hash');
  await writeFile(copy, '{');
  expect((await open(folder.path)).identity.uid).toBe(uid);
  expect(await readFile(copy, 'utf8')).toContain('private_jwk');
});
