import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@heliograph/dev/testing';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { HourStore } from '../../energy/hours/hour-store.ts';
import { lostDays, lostHours } from '../../energy/hours/lost-hours.ts';
import { DATABASE_FILE, inTransaction, PAGE_SIZE } from '../database.ts';
import { type DeviceStore, openStore } from '../opening/open-store.ts';
import { startNewStore } from './salvage-store.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 25, 12, 10);
/** The number of hours with energy, and the first of them. */
const HOURS = 2_000;
const FIRST = Date.UTC(2026, 10, 25, 12) - HOURS * HOUR_MS;
const WRITES = 100;
const clock = new ManualClock(NOW);

const TARIFFS = JSON.stringify([{ valid_from: '2025-01-01', currency: 'EUR', import: [{ price: 0.3 }] }]);

let original: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: typeof original;
let uid: string;
const opened = new Set<DeviceStore>();

async function open(path = folder.path, at = clock): Promise<DeviceStore> {
  const store = await openStore(path, at, silentLogger);
  opened.add(store);
  return store;
}

async function closeAll(): Promise<void> {
  for (const store of opened) await store.close();
  opened.clear();
}

beforeAll(async () => {
  original = await temporaryFolder();
  const { db, settings, identity } = await open(original.path);
  uid = identity.uid;
  const hour = db.prepare('INSERT INTO energy_hours (start, covered_ms, pv, load) VALUES (?, ?, ?, ?)');
  const day = db.prepare('INSERT INTO energy_days (day, amounts, hour) VALUES (?, ?, ?)');
  const write = db.prepare(
    'INSERT INTO write_log (at, author, via, topic, new_value) VALUES (?, ?, ?, ?, ?)',
  );
  inTransaction(db, () => {
    // Fractions of polls add up to a millisecond more than an hour; a clock that was set back covered one three times.
    const coverOf = (i: number): number => (i === 7 ? 3 * HOUR_MS : HOUR_MS + (i % 2));
    for (let i = 0; i < HOURS; i++)
      hour.run(FIRST + i * HOUR_MS, coverOf(i), 14_785_800_000 + i, 5_749_800_000);
    for (let i = 0; i < 60; i++) {
      const running = i === 0 ? JSON.stringify([FIRST + HOURS * HOUR_MS]) : null;
      day.run(Math.floor(NOW / (24 * HOUR_MS)) - i, '{"PV energy":{"wattHours":5,"rest":0}}', running);
    }
    db.prepare('INSERT INTO energy (id, state) VALUES (1, ?)').run(
      JSON.stringify({ zone: 'UTC', day: Math.floor(NOW / (24 * HOUR_MS)), period: 'weekly' }),
    );
    for (let i = 0; i < WRITES; i++) write.run(NOW - i, 'local', 'lan', 'inverter_1/work_mode', String(i));
  });
  settings.set('tariffs', TARIFFS);
  settings.set('cloud_backup', 'x'.repeat(3_000));
  await closeAll();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of await readdir(original.path))
    copyFileSync(join(original.path, name), join(folder.path, name));
});
afterEach(async () => {
  await closeAll();
  await folder[Symbol.asyncDispose]();
});
afterAll(() => original[Symbol.asyncDispose]());

const file = () => join(folder.path, DATABASE_FILE);

function overwrite(offset: number, length: number): void {
  const bytes = readFileSync(file());
  for (let i = 0; i < length; i++) bytes[offset + i] = (i * 151 + 77) % 256;
  writeFileSync(file(), bytes);
}

function overwriteWith(values: readonly number[], offset: number): void {
  const bytes = readFileSync(file());
  bytes.set(values, offset);
  writeFileSync(file(), bytes);
}

/** The pages of a table, from its root to its rows, by the offset of their first byte. */
function pagesOf(table: string): { readonly root: number; readonly leaves: readonly number[] } {
  const db = new DatabaseSync(file(), { readOnly: true });
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) ?? {};
  const leaves = db
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all(table);
  db.close();
  const offsetOf = (page: unknown) => (Number(page) - 1) * PAGE_SIZE;
  return { root: offsetOf(rootpage), leaves: leaves.map(({ pageno }) => offsetOf(pageno)) };
}

/** Damages 64 bytes at the beginning of a page, where SQLite always notices it. */
const leaf = (table: string, index: number) => () => overwrite(pagesOf(table).leaves.at(index) ?? 0, 64);

const root = (table: string) => () => overwrite(pagesOf(table).root, 64);

function countOf({ db }: DeviceStore, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
}

/** Rows on one page of hours. */
const PAGE_OF_HOURS = 40;

it.each([
  ['a page of hours', leaf('energy_hours', 20), { hours: HOURS - PAGE_OF_HOURS, lost: 'hours' }],
  ['the first page of hours', leaf('energy_hours', 0), { hours: HOURS - PAGE_OF_HOURS, lost: 'hours' }],
  ['the last page of hours', leaf('energy_hours', -1), { hours: HOURS - PAGE_OF_HOURS, lost: 'hours' }],
  ['the root of the hours', root('energy_hours'), { hours: HOURS }],
  ['the root of the settings', root('settings'), { hours: HOURS, lost: null }],
  ['the root of the log of writes', root('write_log'), { hours: HOURS, writes: 0, lost: 'entries' }],
  ['a page of the log of writes', leaf('write_log', 2), { hours: HOURS, writes: 60, lost: 'entries' }],
  ['the identity', root('identity'), { hours: HOURS, lost: null }],
  ['the header', () => overwrite(0, 64), { hours: HOURS, lost: null }],
  ['the format in the header', () => overwrite(44, 4), { hours: HOURS, lost: null }],
  ['the version in the header', () => overwrite(60, 4), { hours: HOURS, lost: null }],
  ['the list of tables', () => overwrite(100, 64), { hours: HOURS, writes: 0, lost: 'entries' }],
  ['everything', () => writeFileSync(file(), 'x'.repeat(10_000)), { hours: 0, writes: 0, lost: 'hours' }],
  [
    'its second half',
    () => truncateSync(file(), pagesOf('energy_hours').leaves[30]),
    { hours: 30 * 25, writes: 0, lost: 'hours' },
  ],
] as const)(
  'a database that lost %s keeps every other row, its settings and its identity',
  async (_what, damage, expected) => {
    damage();
    const store = await open();
    const { hours, writes = WRITES, lost } = { lost: undefined, writes: WRITES, ...expected };
    expect(store.identity.uid).toBe(uid);
    expect(store.settings.get('tariffs')).toBe(TARIFFS);
    expect(store.settings.get('cloud_backup')).toBe('x'.repeat(3_000));
    expect(countOf(store, 'energy_hours')).toBeGreaterThanOrEqual(hours);
    expect(countOf(store, 'write_log')).toBeGreaterThanOrEqual(writes);
    const { current } = store.losses;
    expect(current).toMatchObject({
      at: NOW,
      file: 'device.sqlite.damaged-20261125T121000',
      settings: false,
    });
    if (lost === 'hours') expect(current?.hours).not.toBeNull();
    if (lost === 'entries') expect(current?.entries).not.toBe(0);
    if (lost === null) expect(current).toMatchObject({ hours: null, entries: 0 });
    expect(store.db.prepare('PRAGMA quick_check(1)').get()).toEqual({ quick_check: 'ok' });
  },
);

it('the loss names the hours around the damaged page', async () => {
  leaf('energy_hours', 20)();
  const store = await open();
  const { after, before } = store.losses.current?.hours ?? {};
  const missing = HOURS - countOf(store, 'energy_hours');
  expect((Number(before) - Number(after)) / HOUR_MS - 1).toBe(missing);
  const edges = store.db.prepare('SELECT count(*) AS count FROM energy_hours WHERE start IN (?, ?)');
  expect(edges.get(after ?? 0, before ?? 0)).toEqual({ count: 2 });
});

/** A fixed sequence of numbers below a limit. */
function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

function zero(offset: number, length: number): void {
  const bytes = readFileSync(file());
  writeFileSync(file(), bytes.fill(0, offset, Math.min(bytes.length, offset + length)));
}

const size = () => statSync(file()).size;
const cut = (length: number) => () => truncateSync(file(), size() - length);
const at = (seed: number) => sequence(seed)(size() / 512) * 512;

it.each([
  ...[1, 400, 1_000, 1_024, 1_025, 3_000, 5_123, 20_000, 60_123].map(
    (length) => [`whose last ${length} bytes are missing`, cut(length)] as const,
  ),
  ...[3, 5, 7, 11].flatMap((seed) => [
    [`with a sector of zeros (${seed})`, () => zero(at(seed), 512)] as const,
    [`with pages of zeros (${seed})`, () => zero(at(seed), 4_096)] as const,
    [`with 8 other bytes (${seed})`, () => overwrite(sequence(seed)(size()), 8)] as const,
  ]),
  [
    'with a page of hours that says it has none',
    () => {
      const { leaves } = pagesOf('energy_hours');
      overwriteWith([13, 0, 0, 0, 0, 4, 0, 0], leaves[20] ?? 0);
      overwrite(pagesOf('write_log').root, 8);
    },
  ] as const,
  [
    'with a page of hours that says it has fewer than it has',
    () => overwriteWith([0, 9], (pagesOf('energy_hours').leaves[20] ?? 0) + 3),
  ] as const,
  [
    'with an hour of impossible energy',
    () => {
      const db = new DatabaseSync(file());
      db.prepare('UPDATE energy_hours SET load = ? WHERE start = ?').run(2 ** 48, FIRST + 50 * HOUR_MS);
      db.close();
    },
  ] as const,
])('the report about a database %s has every hour that is missing, and no other', async (_what, damage) => {
  damage();
  const store = await open();
  const rows = store.db.prepare('SELECT start, covered_ms, pv, load FROM energy_hours').all();
  const known = new Set(rows.map(({ start }) => Number(start)));
  const missing = Array.from({ length: HOURS }, (_, i) => FIRST + i * HOUR_MS).filter(
    (hour) => !known.has(hour),
  );
  const loss = store.losses.current;
  const lost = loss && lostHours(loss, new HourStore(store.db));
  if (missing.length === 0) expect(lost?.count ?? 0).toBeLessThanOrEqual(1);
  else {
    expect(lost).not.toBeNull();
    if (lost?.count != null && loss?.hours?.before != null) expect(lost.count).toBe(missing.length);
    expect(lost?.fromMs ?? 0).toBeLessThanOrEqual(missing[0] ?? 0);
    expect(lost?.untilMs ?? NOW).toBeGreaterThan(missing.at(-1) ?? 0);
  }
  // A number whose last bytes were damaged cannot be distinguished from another one.
  for (const { start, pv, load } of rows) {
    expect((Number(start) - FIRST) / HOUR_MS).toBeLessThan(HOURS);
    expect(Math.max(Number(pv), Number(load))).toBeLessThan(20 * 15e9);
  }
  for (const { topic, via } of store.db.prepare('SELECT topic, via FROM write_log').all())
    expect(`${topic} ${via}`).toBe('inverter_1/work_mode lan');
});

it('a salvage that a power cut interrupted goes on with the next start', async () => {
  leaf('energy_hours', 20)();
  const first = await open();
  const kept = countOf(first, 'energy_hours');
  await closeAll();
  copyFileSync(file(), join(folder.path, `${DATABASE_FILE}.salvaged`));
  copyFileSync(join(original.path, DATABASE_FILE), file());
  rmSync(join(folder.path, first.losses.current?.file ?? ''));
  const later = await open(folder.path, new ManualClock(NOW + 90_000));
  expect(countOf(later, 'energy_hours')).toBe(kept);
  const names = await readdir(folder.path);
  expect(names).not.toContain(`${DATABASE_FILE}.salvaged`);
  expect(names).toContain(later.losses.current?.file);
});

it('a loss is remembered over restarts until it is dismissed', async () => {
  root('write_log')();
  await open();
  await closeAll();
  const again = await open();
  expect(again.losses.current).toMatchObject({ entries: null });
  again.losses.dismiss();
  await closeAll();
  expect((await open()).losses.current).toBeNull();
});

const copyFile = () => join(folder.path, 'identity.json');
const everything = () => writeFileSync(file(), 'x'.repeat(10_000));
const noCopy = () => writeFileSync(copyFile(), '{');

it.each([
  ['a whole store', [], { hours: HOURS, writes: WRITES, isSame: true, tariffs: TARIFFS }],
  ['a store without a copy', [noCopy], { hours: HOURS, writes: WRITES, isSame: true, tariffs: TARIFFS }],
  [
    'a store with a damaged page of hours',
    [leaf('energy_hours', 20)],
    { hours: HOURS - PAGE_OF_HOURS, writes: WRITES, isSame: true, tariffs: TARIFFS },
  ],
  ['a copy alone', [everything], { hours: 0, writes: 0, isSame: true, tariffs: TARIFFS }],
  [
    'a store without an identity',
    [noCopy, root('identity')],
    { hours: HOURS, writes: WRITES, isSame: false, tariffs: TARIFFS },
  ],
  ['nothing', [noCopy, everything], { hours: 0, writes: 0, isSame: false, tariffs: undefined }],
] as const)(
  'a new store in place of %s has all of it that can be read',
  async (_what, damages, { hours, writes, isSame, tariffs }) => {
    for (const damage of damages) damage();
    const copied = readFileSync(copyFile(), 'utf8');
    await startNewStore(folder.path, clock);
    const store = await open();
    expect(store.identity.uid === uid).toBe(isSame);
    expect(store.settings.get('tariffs')).toBe(tariffs);
    expect(countOf(store, 'energy_hours')).toBeGreaterThanOrEqual(hours);
    expect(countOf(store, 'write_log')).toBe(writes);
    expect(store.losses.current).toMatchObject({
      at: NOW,
      cause: 'replaced',
      file: 'device.sqlite.unusable-20261125T121000',
      newIdentity: !isSame,
      kept: { hours: countOf(store, 'energy_hours'), days: countOf(store, 'energy_days'), entries: writes },
    });
    expect(readFileSync(`${copyFile()}.unusable-20261125T121000`, 'utf8')).toBe(copied);
  },
);

it('a new store that never worked is replaced by one with the identity alone', async () => {
  const { db } = await open();
  db.exec("INSERT INTO settings (key, value) VALUES ('device_password_hash', 'a hash')");
  await closeAll();
  await startNewStore(folder.path, clock);
  expect(countOf(await open(), 'energy_hours')).toBe(HOURS);
  await closeAll();
  await startNewStore(folder.path, clock);
  const second = await open();
  expect([second.identity.uid, second.settings.get('device_password_hash')]).toEqual([uid, 'a hash']);
  expect([countOf(second, 'energy_hours'), second.settings.get('tariffs')]).toEqual([0, undefined]);
  expect(second.losses.current).toMatchObject({ settings: true, entries: null, kept: { hours: 0 } });
});

it('a new store that worked keeps its rows', async () => {
  await startNewStore(folder.path, clock);
  (await open()).losses.started();
  await closeAll();
  await startNewStore(folder.path, clock);
  expect(countOf(await open(), 'energy_hours')).toBe(HOURS);
});

it('the loss names the days that are missing, and that no hour is known of', async () => {
  const today = Math.floor(NOW / (24 * HOUR_MS));
  const db = new DatabaseSync(file());
  db.prepare('UPDATE energy_days SET amounts = char(7) WHERE day BETWEEN ? AND ?').run(
    today - 30,
    today - 21,
  );
  db.prepare('DELETE FROM energy_hours WHERE start >= ? AND start < ?').run(
    (today - 25) * 24 * HOUR_MS,
    (today - 22) * 24 * HOUR_MS,
  );
  db.close();
  leaf('write_log', 2)();
  const { losses, db: stored } = await open();
  const loss = losses.current;
  expect(loss && lostDays(loss, new HourStore(stored), 'UTC')).toEqual({
    from: today - 25,
    until: today - 23,
    count: 3,
  });
});
