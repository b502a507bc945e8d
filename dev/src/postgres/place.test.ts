import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { sweepOrphans } from './place.ts';

const DAY_MS = 24 * 3600 * 1000;

it.each([
  ['a database that its data folder links to stays', 30, { linked: true }, true],
  [
    'a database whose data folder is gone since yesterday stays, for the folder may be moving',
    1,
    { linked: false },
    true,
  ],
  ['a database whose data folder is gone for a month is deleted', 30, { linked: false }, false],
])('%s', async (_what, days, { linked }, isRetained) => {
  await using base = await temporaryFolder();
  await using data = await temporaryFolder();
  const link = join(data.path, 'postgres');
  const database = join(base.path, 'database-1');
  await mkdir(database);
  await writeFile(join(database, 'owner'), link);
  await symlink(database, link);
  if (!linked) await rm(link);
  const now = new Date();
  await utimes(database, now, now);

  await sweepOrphans(base.path, now.getTime() + days * DAY_MS);

  expect(await readdir(base.path)).toEqual(isRetained ? ['database-1'] : []);
});

it('other folders stay', async () => {
  await using base = await temporaryFolder();
  await mkdir(join(base.path, 'postgresql-18.4'));

  await sweepOrphans(base.path, Date.now() + 365 * DAY_MS);

  expect(await readdir(base.path)).toEqual(['postgresql-18.4']);
});
