import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { LogFile } from './log-file.ts';

it('a log continues where the last start ended, readable by its owner alone', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'cloud.log');
  new LogFile(path).write('first\n');
  new LogFile(path).write('second\n');

  expect(await readFile(path, 'utf8')).toBe('first\nsecond\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('a log takes at most two files of its size', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'cloud.log');
  const log = new LogFile(path, 100);
  for (let line = 0; line < 1000; line++) log.write(`line ${line}\n`);

  expect(await readFile(path, 'utf8')).toMatch(/line 999\n$/);
  expect((await stat(path)).size).toBeLessThan(120);
  expect((await stat(`${path}.1`)).size).toBeLessThan(120);
});

it('a write never throws, even when the folder is gone', () => {
  expect(() => new LogFile('/nowhere/cloud.log').write('lost')).not.toThrow();
});
