import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { createLogger, ManualClock, silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DATABASE_FILE, openDatabase } from '../database.ts';
import { WriteLog } from '../write-log.ts';
import { type DeviceStore, openStore, type StoreProblem } from './open-store.ts';
import { StoreUnusable } from './store-unusable.ts';
import { openDeviceStore, storeRetries } from './temporary-store.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 25, 12));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const opened = new Set<DeviceStore>();
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await closeAll();
  await folder[Symbol.asyncDispose]();
});

async function closeAll(): Promise<void> {
  for (const store of opened) await store.close();
  opened.clear();
}

async function open(
  options: { folder?: string; canRestart?: boolean; storeFailure?: string } = {},
): Promise<DeviceStore> {
  const { folder: at = folder.path, canRestart = true, storeFailure } = options;
  const store = await openDeviceStore(at, { canRestart, storeFailure, clock, logger: silentLogger });
  opened.add(store);
  return store;
}

const path = () => join(folder.path, DATABASE_FILE);

/** A device with settings, whose copy is written. @returns its uid */
async function firstLife(): Promise<string> {
  const { settings, identity, close } = await openStore(folder.path, clock, silentLogger);
  settings.set('device_password_hash', 'a hash');
  settings.set('site_id', '7');
  settings.set('tariffs', '[]');
  settings.set('support', '{"access":"never","sessions":[],"ended":[]}');
  settings.set('site_revocations', '{"siteId":7,"revoked":[{"subject":"user:3","revokedAt":1}]}');
  await close();
  return identity.uid;
}

/** As after a newer release. */
function makeNewer(): void {
  const db = openDatabase(folder.path);
  db.exec("PRAGMA user_version = 9000; DELETE FROM settings WHERE key = 'schema_works_with'");
  db.close();
}

const kept = ({ settings }: DeviceStore) =>
  ['device_password_hash', 'site_id', 'tariffs'].map((key) => settings.get(key));

describe('a store in memory', () => {
  it('the identity and all settings of a store that a newer release changed are those of the copy', async () => {
    const uid = await firstLife();
    makeNewer();
    const store = await open();
    expect(store.problem).toEqual({
      fault: 'newer',
      hasIdentity: true,
      isRetried: true,
      message: expect.stringMatching(/^\/.*device\.sqlite was changed by a newer release/),
    });
    expect(store.identity.uid).toBe(uid);
    expect(kept(store)).toEqual(['a hash', '7', '[]']);
  });

  it('a store that the device could not start with is left alone, and the choices in its copy, too', async () => {
    const uid = await firstLife();
    const before = await readFile(path());
    const store = await open({ storeFailure: 'a bad value' });
    expect(store.problem).toEqual({
      fault: 'damaged',
      hasIdentity: true,
      isRetried: false,
      message: `${path()} has what the device cannot start with: a bad value`,
    });
    expect(store.identity.uid).toBe(uid);
    expect(kept(store)).toEqual(['a hash', '7', undefined]);
    expect(store.settings.get('support'), 'support that was kept out is let in').toContain('never');
    expect(store.settings.get('site_revocations'), 'a revoked token is good again').toContain('user:3');
    expect(await readFile(path())).toEqual(before);
  });

  it('the device has another identity where no copy has one', async () => {
    await writeFile(path(), 'x'.repeat(10_000));
    const { problem, identity } = await open();
    expect(problem).toMatchObject({ fault: 'damaged', hasIdentity: false, isRetried: false });
    expect(identity.uid).toMatch(/^[a-z2-7]{20}$/);
  });

  it.each([
    ['device_password_hash', false],
    ['tariffs', false],
    ['my_latest_time', false],
    ['latest_time', true],
    ['notifications ntfy', true],
    ['tunnel_ticket', true],
  ])('the setting %s can be changed there: %s', async (key, canChange) => {
    const { settings } = await open({ storeFailure: 'a bad value' });
    const change = () => settings.set(key, '1');
    if (canChange) expect(change).not.toThrow();
    else expect(change).toThrow(StoreUnusable);
    expect(settings.get(key)).toBe(canChange ? '1' : undefined);
  });

  it('no write to the hardware is begun there', async () => {
    const { db } = await open({ storeFailure: 'a bad value' });
    const attempt = { at: 0, author: 'local', via: 'lan', topic: 'a/b', oldValue: null, newValue: '1' };
    expect(() => new WriteLog(db).begin(attempt)).toThrow('the store of the device cannot be used');
  });
});

it('a device that cannot restart has no store in memory', async () => {
  await writeFile(path(), 'x'.repeat(10_000));
  await expect(open({ canRestart: false })).rejects.toThrow('is damaged');
});

it('a folder that is a file is a wrong setting, which no store in memory replaces', async () => {
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  await expect(open({ folder: file })).rejects.toThrow(/^DEVICE_DATA: the folder .* cannot be used/);
});

describe('a store that could not be used', () => {
  const PROBLEM: StoreProblem = { fault: 'newer', message: '', hasIdentity: true, isRetried: true };
  const restarts: string[] = [];
  const log: string[] = [];
  const logger = createLogger('device', 'info', { write: (line) => log.push(JSON.parse(line).msg) });
  let retries: Disposable | undefined;
  const begin = (problem: Partial<StoreProblem> = {}): void => {
    retries = storeRetries(
      { ...PROBLEM, ...problem },
      folder.path,
      (reason) => restarts.push(reason),
      logger,
    );
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    restarts.length = 0;
    log.length = 0;
  });
  afterEach(() => {
    retries?.[Symbol.dispose]();
    vi.useRealTimers();
  });

  it('the device restarts once when it can be used', async () => {
    await firstLife();
    makeNewer();
    begin();
    vi.advanceTimersByTime(60_000);
    expect(restarts).toEqual([]);
    await writeFile(path(), '');
    vi.advanceTimersByTime(29_999);
    expect(restarts).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect([restarts, log]).toEqual([['the store is opened again'], ['the store is opened again']]);
  });

  it.each<[string, () => void]>([
    ['is not tried again', () => begin({ isRetried: false })],
    [
      'is left by a device that stops',
      () => {
        begin();
        retries?.[Symbol.dispose]();
      },
    ],
  ])('a store that %s restarts no device', (_what, start) => {
    start();
    vi.advanceTimersByTime(60_000);
    expect(restarts).toEqual([]);
  });
});
