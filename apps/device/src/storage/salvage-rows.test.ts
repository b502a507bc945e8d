import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@heliograph/dev/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATABASE_FILE, inTransaction, openDatabase, openTemporaryDatabase } from './database.ts';
import { isDiskFull } from './failures.ts';
import { HOUR_MS, MAX_HOUR_AMOUNT } from './hour-row.ts';
import { SALVAGED_TABLES, type SalvagedTable, salvageInto, type TableSalvage } from './salvage/salvage.ts';

const FIRST = Date.UTC(2026, 0, 1);
const LAST_TIME = Date.UTC(2200, 0, 1);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let source: DatabaseSync;
let target: DatabaseSync;
beforeEach(async () => {
  folder = await temporaryFolder();
  source = openDatabase(folder.path);
  target = openTemporaryDatabase();
});
afterEach(async () => {
  if (source.isOpen) source.close();
  target.close();
  await folder[Symbol.asyncDispose]();
});

const path = () => join(folder.path, DATABASE_FILE);
const scratch = () => join(folder.path, 'scratch');

function salvaged(from = path()): Readonly<Record<SalvagedTable, TableSalvage>> {
  if (source.isOpen) source.close();
  return salvageInto(target, from, scratch());
}

function countIn(table: SalvagedTable): number {
  return Number(target.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
}

function writes(count: number): void {
  const insert = source.prepare(
    'INSERT INTO write_log (id, at, author, via, topic, new_value) VALUES (?, ?, ?, ?, ?, ?)',
  );
  inTransaction(source, () => {
    for (let id = 1; id <= count; id++) insert.run(id, FIRST, 'local', 'lan', 'inverter_1/work_mode', 'a');
  });
}

/** Hours in a row. */
function hours(count: number, pv = 1_000): void {
  const insert = source.prepare('INSERT INTO energy_hours (start, covered_ms, pv) VALUES (?, ?, ?)');
  inTransaction(source, () => {
    for (let i = 0; i < count; i++) insert.run(FIRST + i * HOUR_MS, HOUR_MS, pv);
  });
}

it('all rows of a whole database are copied, also those in its log alone, and the file stays as it is', () => {
  writes(3);
  hours(3);
  source.exec(`
    INSERT INTO settings VALUES ('a', '1');
    INSERT INTO audit_log (at, action, author, via, changes) VALUES (0, 'backup.create', 'local', 'lan', '[]');
    INSERT INTO counter_sets VALUES (0, 'pv', 1, 2)`);
  const copy = join(folder.path, 'copy.sqlite');
  copyFileSync(path(), copy);
  copyFileSync(`${path()}-wal`, `${copy}-wal`);
  const before = readFileSync(copy);
  expect(before.length).toBeLessThan(readFileSync(`${copy}-wal`).length);
  const kept = new Map<string, number>(
    Object.entries({ settings: 1, energy_hours: 3, counter_sets: 1, write_log: 3, audit_log: 1 }),
  );
  expect(salvaged(copy)).toEqual(
    Object.fromEntries(
      SALVAGED_TABLES.map((table) => [table, { kept: kept.get(table) ?? 0, lost: 0, gap: null }]),
    ),
  );
  expect(readFileSync(copy)).toEqual(before);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('scratch'))).toEqual([]);
});

it('nothing is known of a file that is not there', () => {
  const unknown = { kept: 0, lost: null, gap: { after: null, before: null } };
  expect(salvaged(join(folder.path, 'absent'))).toEqual(
    Object.fromEntries(SALVAGED_TABLES.map((table) => [table, unknown])),
  );
});

it.each([
  ['a former release', 5, { kept: 0, lost: 0, gap: null }],
  ['this release', 9, { kept: 0, lost: null, gap: { after: null, before: null } }],
])('a table that is missing in a file of %s', (_release, schema, alerts) => {
  source.exec(`DROP TABLE alerts; PRAGMA user_version = ${schema}`);
  expect(salvaged().alerts).toEqual(alerts);
});

describe('entries of a log', () => {
  it.each<[string, string, number]>([
    ['a control character', "UPDATE write_log SET author = 'lo' || char(1) || 'cal' WHERE id = 2", 1],
    ['bytes that are no text', "UPDATE write_log SET author = CAST(x'6CFF' AS TEXT) WHERE id = 2", 1],
    ['a time before the epoch', 'UPDATE write_log SET at = -1 WHERE id = 2', 1],
    ['a time after the last', `UPDATE write_log SET at = ${LAST_TIME + 1} WHERE id = 2`, 1],
    ['the last time', `UPDATE write_log SET at = ${LAST_TIME} WHERE id = 2`, 0],
    ['the first time', 'UPDATE write_log SET at = 0 WHERE id = 2', 0],
    ['accents', "UPDATE write_log SET author = 'Zoë' WHERE id = 2", 0],
    ['no number', 'DELETE FROM write_log WHERE id = 2', 1],
    ['no number at the beginning', 'DELETE FROM write_log WHERE id = 1', 0],
  ])('an entry with %s is counted where it is lost', (_what, sql, lost) => {
    writes(4);
    source.exec(sql);
    expect(salvaged().write_log).toMatchObject({ kept: countIn('write_log'), lost });
  });

  it('alerts are not numbered without gaps, so none is missed', () => {
    const insert = source.prepare(`
      INSERT INTO alerts (id, revision, rule, kind, severity, value, unit, since, raised_at, last_at)
      VALUES (?, ?, 'fault', 'complaint', 'critical', '1', '', 0, 0, 0)`);
    for (const id of [1, 5, 9]) insert.run(id, id);
    expect(salvaged().alerts).toEqual({ kept: 3, lost: 0, gap: null });
  });
});

describe('hours of energy', () => {
  const start = (i: number) => FIRST + i * HOUR_MS;

  it.each<[string, string]>([
    ['an impossible amount', `UPDATE energy_hours SET pv = ${MAX_HOUR_AMOUNT + 1} WHERE start = ${start(5)}`],
    ['nothing', `UPDATE energy_hours SET pv = NULL, covered_ms = NULL WHERE start = ${start(5)}`],
  ])('an hour with %s is lost alone', (_what, sql) => {
    hours(10);
    source.exec(sql);
    expect(salvaged().energy_hours).toEqual({
      kept: 9,
      lost: 1,
      gap: { after: start(4), before: start(6) },
    });
  });

  it('the hours between two that were lost are not lost, and those that never were are absent', () => {
    hours(20);
    source.exec(`
      UPDATE energy_hours SET pv = -1 WHERE start IN (${start(5)}, ${start(12)});
      DELETE FROM energy_hours WHERE start IN (${start(8)}, ${start(9)})`);
    expect(salvaged().energy_hours).toEqual({
      kept: 16,
      lost: 2,
      gap: { after: start(4), before: start(13), absent: 2 },
    });
  });

  it.each([
    ['twenty times', 0, 20, 201],
    ['more than twenty times', 1, 21, 201],
    ['more than twenty times, in a young home,', 0, 21, 200],
  ])('an hour with %s what is usual is lost: %i', (_how, lost, times, count) => {
    hours(count - 1);
    const extreme = source.prepare('INSERT INTO energy_hours (start, covered_ms, pv) VALUES (?, ?, ?)');
    extreme.run(start(count - 1), HOUR_MS, times * 1_000);
    // Salvage looks at hours closely once another row is damaged.
    source.exec(`UPDATE energy_hours SET pv = -1 WHERE start = ${start(5)}`);
    expect(salvaged().energy_hours).toMatchObject({ kept: count - 1 - lost, lost: 1 + lost });
  });
});

it('a new database that has no room for the rows is the error of a full disk', () => {
  writes(500);
  const { page_count: pages } = target.prepare('PRAGMA page_count').get() ?? {};
  target.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`);
  expect(() => salvaged()).toThrow(expect.toSatisfy(isDiskFull));
  expect(existsSync(scratch())).toBe(false);
});
