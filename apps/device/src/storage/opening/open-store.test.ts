import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { afterEach, expect, it } from 'vitest';
import { DamagedDatabase, openDatabase, type StoreFault } from '../database.ts';
import { KeyValueStore } from '../key-value.ts';
import { startNewStore } from '../salvage/salvage-store.ts';
import { StoreCopy } from '../salvage/store-copy.ts';
import { type DeviceStore, openStore } from './open-store.ts';
import { canBeRetried, openStoreOrTemporary } from './temporary-store.ts';

const PASSWORD = 'device_password_hash';
const clock = new ManualClock(Date.UTC(2026, 10, 25, 12));
let opened: DeviceStore | undefined;

afterEach(close);

async function close(): Promise<void> {
  await opened?.close();
  opened = undefined;
}

async function open(folder: string): Promise<DeviceStore> {
  await close();
  opened = await openStore(folder, clock, silentLogger);
  return opened;
}

/** A device with a password, whose copy is written. @returns its uid */
async function firstLife(folder: string): Promise<string> {
  const { settings, identity } = await open(folder);
  settings.set(PASSWORD, 'a hash');
  settings.set('other', 'fact');
  await close();
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
])('a device whose database %s keeps its uid, its password and its settings', async (_case, damage) => {
  await using folder = await temporaryFolder();
  const uid = await firstLife(folder.path);
  await damage(folder.path);
  const { identity, settings } = await open(folder.path);
  expect(identity.uid).toBe(uid);
  expect(settings.get(PASSWORD)).toBe('a hash');
  expect(settings.get('other')).toBe('fact');
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
  await close();
  expect(await readFile(copy, 'utf8')).not.toContain('a hash');
  await writeFile(copy, '{');
  expect((await open(folder.path)).identity.uid).toBe(uid);
  expect(await readFile(copy, 'utf8')).toContain('private_jwk');
});

it.each([
  ['identity.json', 'an identity.json that cannot be read'],
  ['history.sqlite', 'a history'],
])('a device that has an empty database and an empty %s is not a new one', async (name, remains) => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'device.sqlite'), '');
  await writeFile(join(folder.path, name), '');
  await expect(open(folder.path)).rejects.toThrow(DamagedDatabase);
  await expect(open(folder.path)).rejects.toThrow(`device.sqlite is empty, and there is ${remains}: `);
});

it('an empty database alone is that of a new device', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'device.sqlite'), '');
  expect((await open(folder.path)).losses.current).toBeNull();
});

it('a new device begins where its owner confirms it, and the history stays', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'identity.json'), '');
  await writeFile(join(folder.path, 'history.sqlite'), '');
  await startNewStore(folder.path, clock);
  expect((await open(folder.path)).identity.uid).toMatch(/^[a-z2-7]{20}$/);
  expect(await readdir(folder.path)).toContain('history.sqlite');
});

it('a damaged identity without a copy is left for a person to restore', async () => {
  await using folder = await temporaryFolder();
  const { db } = await open(folder.path);
  db.exec("UPDATE identity SET private_jwk = '['");
  await close();
  await rm(join(folder.path, 'identity.json'));
  await expect(open(folder.path)).rejects.toThrow(DamagedDatabase);
});

it.each([
  ['changed', 'new 2', 'new 2'],
  ['deleted', undefined, undefined],
])(
  'a value that was %s since the start and is damaged then does not become the former one',
  async (_how, value, read) => {
    await using folder = await temporaryFolder();
    const first = await open(folder.path);
    first.settings.set(PASSWORD, 'old 1');
    const { db, settings } = await open(folder.path);
    if (value === undefined) settings.delete(PASSWORD);
    else settings.set(PASSWORD, value);
    db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run(PASSWORD, 'damaged');
    expect(settings.text(PASSWORD, /^(old|new) \d$/)).toBe(read);
    await close();
  },
);

it('a damaged store that cannot be salvaged is opened again once it is whole, or where the disk was full', async () => {
  await using folder = await temporaryFolder();
  await firstLife(folder.path);
  const file = join(folder.path, 'device.sqlite');
  const whole = await readFile(file);
  await writeFile(file, 'x'.repeat(10_000));
  await mkdir(join(folder.path, 'device.sqlite.scratch', 'kept'), { recursive: true });
  const { problem, db } = await openStoreOrTemporary(folder.path, clock, silentLogger);
  db.close();
  expect(problem).toMatchObject({ fault: 'unreadable', hasIdentity: true });
  const canRetry = (fault: StoreFault) => canBeRetried(folder.path, fault);
  expect([canRetry('unreadable'), canRetry('permission'), canRetry('full')]).toEqual([false, false, true]);
  await writeFile(file, whole);
  expect(canRetry('unreadable')).toBe(true);
});

const HASH = /^hash \d$/;

it('a damaged value is restored though starts went by in which its reader did not run', async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path);
  first.settings.set(PASSWORD, 'hash 1');
  first.settings.set('tariffs', '[7]');
  first.db.exec("UPDATE settings SET value = CASE key WHEN 'tariffs' THEN '{}' ELSE 'hasl 1' END");
  await open(folder.path);
  await open(folder.path);
  const { settings } = await open(folder.path);
  const numbers = Compile(Type.Array(Type.Number()));
  expect([settings.text(PASSWORD, HASH), settings.json('tariffs', numbers, null)]).toEqual(['hash 1', [7]]);
  await close();
});

it('a value that the copy missed is in it once its reader has accepted it', async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path);
  first.settings.set(PASSWORD, 'hash 1');
  await close();
  const db = openDatabase(folder.path);
  new KeyValueStore(db).set(PASSWORD, 'hash 2');
  db.close();
  expect((await open(folder.path)).settings.text(PASSWORD, HASH)).toBe('hash 2');
  await close();
  expect(await readFile(join(folder.path, 'identity.json'), 'utf8')).toContain('hash 2');
});

it('a store of another device takes nothing of the copy that it found', async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await firstLife(folder.path);
  await firstLife(other.path);
  await copyFile(join(other.path, 'identity.json'), join(folder.path, 'identity.json'));
  const { db, settings, identity } = await open(folder.path);
  db.exec("UPDATE settings SET value = 'damaged'");
  expect(settings.text(PASSWORD, /^a hash$/)).toBeUndefined();
  await close();
  expect(await new StoreCopy(folder.path).uid()).toBe(identity.uid);
});

it('an identity that is damaged while the device runs is restored with the next start', async () => {
  await using folder = await temporaryFolder();
  const { identity, db, settings } = await open(folder.path);
  db.exec("UPDATE identity SET private_jwk = '['");
  settings.set(PASSWORD, 'hash 1');
  const again = await open(folder.path);
  expect(again.identity.uid).toBe(identity.uid);
  expect(again.settings.get(PASSWORD)).toBe('hash 1');
  await close();
});
