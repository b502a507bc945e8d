import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../database.ts';
import { loadOrCreateIdentity } from '../identity.ts';
import { KeyValueStore } from '../key-value.ts';
import { COPY_FILE, StoreCopy } from './store-copy.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let db: ReturnType<typeof openTemporaryDatabase>;
let settings: KeyValueStore;
let uid: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  db = openTemporaryDatabase();
  settings = new KeyValueStore(db);
  ({ uid } = await loadOrCreateIdentity(db));
});
afterEach(async () => {
  db.close();
  await folder[Symbol.asyncDispose]();
});

const path = () => join(folder.path, COPY_FILE);
const copied = async () => JSON.parse(await readFile(path(), 'utf8'));

describe('a copy', () => {
  it.each(['latest_time', 'tunnel_ticket', 'notifications ntfy', 'schema_works_with'])(
    'a copy has no setting %s, which passes',
    async (key) => {
      settings.set(key, 'a');
      settings.set(`my_${key}`, 'b');
      await new StoreCopy(folder.path).update(db);
      expect((await copied()).settings).toEqual({ [`my_${key}`]: 'b' });
    },
  );

  it('a copy is written where it differs from the database alone', async () => {
    const copy = new StoreCopy(folder.path);
    settings.set('a', '1');
    await copy.update(db);
    const { ino } = await stat(path());
    await copy.update(db);
    await new StoreCopy(folder.path).update(db);
    expect((await stat(path())).ino).toBe(ino);
    settings.set('b', '2');
    await copy.update(db);
    expect((await copied()).settings).toEqual({ a: '1', b: '2' });
  });

  it('a copy of a database that was closed stays as it is', async () => {
    const copy = new StoreCopy(folder.path);
    settings.set('a', '1');
    await copy.update(db);
    const closed = openTemporaryDatabase();
    closed.close();
    await copy.update(closed);
    expect((await copied()).settings).toEqual({ a: '1' });
  });

  it('a copy that could not be written is written with the next change', async () => {
    const later = join(folder.path, 'later');
    const copy = new StoreCopy(later);
    await expect(copy.update(db)).rejects.toThrow('ENOENT');
    await copy.written();
    await mkdir(later);
    await copy.update(db);
    expect(await new StoreCopy(later).uid()).toBe(uid);
  });

  it.each<[string, string, string | undefined]>([
    ['another value', '[2]', '[1]'],
    ['a damaged value', '[2', '[1]'],
    ['a value after a damaged array', '[2]', '[1'],
    ['a value after a damaged object', '[2]', '{"a":'],
    ['a value after damaged bytes', '[2]', 'a\uFFFDb'],
    ['the first value', '[2]', undefined],
  ])(
    '%s that no reader accepted does not take the place of one that is whole',
    async (_what, value, former) => {
      if (former !== undefined) settings.set('a', former);
      await new StoreCopy(folder.path).update(db);
      settings.set('a', value);
      await new StoreCopy(folder.path).update(db);
      const isKept = former === '[1]';
      expect((await copied()).settings.a).toBe(isKept ? former : value);
    },
  );

  it('a setting that the device wrote is copied, and one that it deleted is not', async () => {
    const copy = new StoreCopy(folder.path);
    for (const [key, value] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ] as const) {
      settings.set(key, value);
      copy.follow(key, value);
      await copy.update(db);
    }
    settings.delete('b');
    copy.follow('b', undefined);
    await copy.update(db);
    expect([(await copied()).settings, copy.setting('a'), copy.setting('b')]).toEqual([
      { a: '3' },
      '3',
      undefined,
    ]);
    copy.forgetSettings();
    expect(copy.setting('a')).toBeUndefined();
  });
});

describe('a database', () => {
  it('a database gets the identity of the copy unless it has one', async () => {
    await new StoreCopy(folder.path).update(db);
    const copy = new StoreCopy(folder.path);
    expect(await copy.uid()).toBe(uid);
    expect(await copy.restoreIdentity(db)).toBe(false);
    using other = openTemporaryDatabase();
    expect(await copy.restoreIdentity(other)).toBe(true);
    expect((await loadOrCreateIdentity(other)).uid).toBe(uid);
    other.exec("UPDATE identity SET private_jwk = '['");
    expect(await copy.restoreIdentity(other)).toBe(true);
    expect((await loadOrCreateIdentity(other)).uid).toBe(uid);
  });

  it('a database gets the settings that it does not have, all or some', async () => {
    for (const key of ['a', 'b', 'c']) settings.set(key, 'copied');
    await new StoreCopy(folder.path).update(db);
    const restored = (only?: readonly string[]) => {
      using other = openTemporaryDatabase();
      const store = new KeyValueStore(other);
      store.set('b', 'own');
      new StoreCopy(folder.path).restoreSettings(other, only);
      return ['a', 'b', 'c'].map((key) => store.get(key));
    };
    expect(restored()).toEqual(['copied', 'own', 'copied']);
    expect(restored(['b', 'c'])).toEqual([undefined, 'own', 'copied']);
  });
});

it.each<[string, string | undefined, object]>([
  ['that is missing', undefined, { exists: false, hasSettings: false, setting: undefined }],
  ['that is empty', '', { exists: true, hasSettings: false, setting: undefined }],
  ['that is no JSON', '{', { exists: true, hasSettings: false, setting: undefined }],
  ['without an identity', '{"settings":{"a":"1"}}', { exists: true, hasSettings: false, setting: undefined }],
  [
    'of a former release',
    '{"private_jwk":"x","settings":{"a":"1"}}',
    { exists: true, hasSettings: false, setting: '1' },
  ],
  [
    'with all settings, of which one is damaged',
    '{"private_jwk":"x","has_all_settings":true,"settings":{"a":1}}',
    { exists: true, hasSettings: true, setting: undefined },
  ],
])('a copy %s has what can be read of it', async (_what, text, expected) => {
  if (text !== undefined) await writeFile(path(), text);
  const copy = new StoreCopy(folder.path);
  expect({ exists: copy.exists, hasSettings: copy.hasSettings, setting: copy.setting('a') }).toEqual(
    expected,
  );
  expect(await copy.uid()).toBeUndefined();
});
