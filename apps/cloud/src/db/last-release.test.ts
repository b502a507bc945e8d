import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase } from '@heliograph/dev/testing';
import { breakingChanges } from '@heliograph/dev/testing/schema-changes';
import { expect, it } from 'vitest';
import { migratedDatabase } from '../../test/db/migrated-database.ts';
import { schemaFacts } from '../../test/db/schema-facts.ts';
import { OLDEST_WORKING_RELEASE } from './migrate.ts';
import { openDatabase } from './open.ts';

/** Changes that the last release works with although the rule refuses them, each with the reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'sites has the new rule: CHECK (((latitude IS NULL) = (longitude IS NULL)))':
    'the last release writes neither of them',
  'organizations has no more: unique USING btree (lower(cloud_host))': 'hosts are stored in lower case',
  'organizations has the new rule: unique USING btree (cloud_host)': 'hosts are stored in lower case',
  'organizations has no more: unique USING btree (lower(name))':
    'a taken name breaks the index of folded(name)',
  'organizations has the new rule: unique USING btree (folded(name))': 'it has the name of the one before',
  'sites has no more: unique USING btree (region, lower(name))':
    'a taken name breaks the index of folded(name)',
  'sites has the new rule: unique USING btree (region, folded(name))': 'it has the name of the one before',
  'users has the new rule: unique USING btree (email)': 'addresses that lower() makes one are one there',
};

const LAST_RELEASE = join(import.meta.dirname, '../../test/db/last-release.json');

it('the last release works with the tables of this one', async () => {
  const last = JSON.parse(await readFile(LAST_RELEASE, 'utf8'));
  expect(last.release).toBe(OLDEST_WORKING_RELEASE);
  await using database = await migratedDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  try {
    const changes = breakingChanges(last.tables, await schemaFacts(pool));
    expect(changes.filter((change) => ACCEPTED[change] === undefined)).toEqual([]);
  } finally {
    await close();
  }
});

it('a migration that the last release does not work with is found', async () => {
  await using database = await createTestDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  try {
    await pool.query(`
      create table kept (id integer generated always as identity primary key, name text not null default '', note text,
        state text check (state in ('new', 'paid')));
      create table dropped (id integer)`);
    const before = await schemaFacts(pool);
    const changesAfter = async (migration: string): Promise<readonly string[]> => {
      await pool.query('begin');
      await pool.query(migration);
      const changes = breakingChanges(before, await schemaFacts(pool));
      await pool.query('rollback');
      return changes;
    };
    // A transaction is of one connection.
    expect(pool.totalCount).toBe(1);
    expect(await changesAfter('drop table dropped')).toEqual(['table dropped is gone']);
    expect(await changesAfter('alter table kept rename note to remark')).toEqual(['kept.note is gone']);
    expect(await changesAfter('alter table kept alter note type integer using 0')).toEqual([
      'kept.note is integer in place of text',
    ]);
    expect(await changesAfter('alter table kept alter note set not null')).toEqual([
      'kept.note takes no null any more',
    ]);
    expect(await changesAfter('alter table kept alter name drop default')).toEqual([
      'kept.name has no default any more',
    ]);
    expect(await changesAfter('alter table kept alter name drop not null')).toEqual([
      'kept.name may be null',
    ]);
    expect(await changesAfter('alter table kept add extra integer not null')).toEqual([
      'kept.extra is new, not null and without a default',
    ]);
    expect(await changesAfter('create unique index on kept (name)')).toEqual([
      'kept has the new rule: unique USING btree (name)',
    ]);
    expect(await changesAfter('alter table kept drop constraint kept_pkey')).toEqual([
      'kept has no more: unique USING btree (id)',
    ]);
    expect(
      await changesAfter(
        'alter table kept add extra integer not null default 1, add more text; create table added (id integer not null); create index on kept (name)',
      ),
    ).toEqual([]);
  } finally {
    await close();
  }
});
