import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { sweepOrphans } from './place.ts';

const DAY_MS = 24 * 3600 * 1000;

it.each([
  ['keeps a database that its data folder links to', 30, { linked: true }, true],
  ['keeps one whose data folder is gone since yesterday: it may be moving', 1, { linked: false }, true],
  ['deletes one whose data folder is gone for a month', 30, { linked: false }, false],
])('%s', async (_what, days, { linked }, isKept) => {
  await using base = await temporaryFolder();
  await using data = await temporaryFolder();
  const link = join(data.path, 'postgres');
  const database = join(base.path, 'database-1');
  await mkdir(database);
  await writeFile(join(database, 'owner'), link);
  await symlink(database, link);
  if (!linked) await rm(link);

  await sweepOrphans(base.path, Date.now() + days * DAY_MS);

  expect(await readdir(base.path)).toEqual(isKept ? ['database-1'] : []);
});

it('touches nothing else', async () => {
  await using base = await temporaryFolder();
  await mkdir(join(base.path, 'postgresql-18.4'));

  await sweepOrphans(base.path, Date.now() + 365 * DAY_MS);

  expect(await readdir(base.path)).toEqual(['postgresql-18.4']);
});
