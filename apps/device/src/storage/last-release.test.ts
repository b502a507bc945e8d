import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { breakingChanges } from '@heliograph/dev/testing/schema-changes';
import { expect, it } from 'vitest';
import { schemaFacts } from '../../test/storage/schema-facts.ts';
import { openDatabase } from './database.ts';
import { OLDEST_WORKING_SCHEMA } from './migrations.ts';

const LAST_RELEASE = join(import.meta.dirname, '../../test/storage/last-release.json');

it('the last release works with the tables of this one', async () => {
  const last = JSON.parse(await readFile(LAST_RELEASE, 'utf8'));
  expect(last.schema).toBe(OLDEST_WORKING_SCHEMA);
  await using folder = await temporaryFolder();
  const db = openDatabase(folder.path);
  try {
    expect(breakingChanges(last.tables, schemaFacts(db))).toEqual([]);
    db.exec('ALTER TABLE energy_days RENAME COLUMN amounts TO kwh; DROP TABLE counter_sets');
    expect(breakingChanges(last.tables, schemaFacts(db))).toEqual([
      'table counter_sets is gone',
      'energy_days.amounts is gone',
      'energy_days.kwh is new, not null and without a default',
    ]);
  } finally {
    db.close();
  }
});
