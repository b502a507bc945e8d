import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyHistory } from './history-copy.ts';
import { openHistoryDatabase } from './history-database.ts';

let folder: string;
let db: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-copy-'));
  db = openHistoryDatabase(folder);
  db.exec(`
    insert into series (id, topic, name, unit) values (7, 'total/pv_power', 'PV power', 'W');
    insert into batches (start, times) values (1000, x'00'), (2000, x'00');
    insert into readings (start, series, data) values (1000, 7, zeroblob(50000)), (2000, 7, zeroblob(50000));
    insert into five_minutes (block, series, data) values (1, 7, x'01'), (2, 7, x'02');
    insert into hours (block, series, data) values (1, 7, x'03');
    insert into states (series, at, value) values (7, 5, 'on');
    insert into kept (resolution, since) values ('readings', 500), ('hours', 400);
  `);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

async function copied(content: 'all' | 'summary'): Promise<DatabaseSync> {
  await using copy = await copyHistory(folder, content);
  if (copy === undefined) throw new Error('nothing was copied');
  const bytes = await buffer(copy.content());
  expect(bytes.length).toBe(copy.size);
  const path = join(folder, 'copy.sqlite');
  writeFileSync(path, bytes);
  return new DatabaseSync(path);
}

const count = (of: DatabaseSync, table: string): unknown =>
  of.prepare(`select count(*) as n from ${table}`).get()?.n;

it('a copy has every reading of its moment, while writes go on, and leaves no file', async () => {
  const copying = copied('all');
  db.exec("insert into series (topic, name, unit) values ('a/b', 'B', 'W')");
  using copy = await copying;
  expect(count(copy, 'readings')).toBe(2);
  expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(readdirSync(folder).filter((name) => name.includes('copy-'))).toEqual([]);
});

it('a summary has all but the single readings, which are whole from its moment on alone', async () => {
  using copy = await copied('summary');
  const tables = ['series', 'five_minutes', 'hours', 'states', 'readings', 'batches'];
  expect(tables.map((table) => count(copy, table))).toEqual([1, 2, 1, 1, 0, 0]);
  expect(copy.prepare('select resolution, since from kept order by resolution').all()).toEqual([
    { resolution: 'hours', since: 400 },
    { resolution: 'readings', since: 2001 },
  ]);
});

it('a device without a history has none to copy', async () => {
  db.close();
  rmSync(join(folder, 'history.sqlite'));
  expect(await copyHistory(folder)).toBeUndefined();
  db = openHistoryDatabase(folder);
});
