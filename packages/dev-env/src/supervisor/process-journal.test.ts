import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { ProcessJournal } from './process-journal.ts';
import { isRunning } from './process-table.ts';

it('ends what an earlier start left behind', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'processes.json');
  const leftover = spawn('sleep', ['1'], { stdio: 'ignore' });
  await new ProcessJournal(path).add(leftover.pid ?? 0);

  await new ProcessJournal(path).endLeftovers();

  expect(await isRunning(leftover.pid ?? 0)).toBe(false);
});

it('leaves a process alone that has the pid of one of ours', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'processes.json');
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = stranger.pid ?? 0;
  await new ProcessJournal(path).add(pid);
  const journal = JSON.parse(await readFile(path, 'utf8')) as { identity: string }[];
  await writeFile(
    path,
    JSON.stringify(journal.map((entry) => ({ ...entry, identity: `${entry.identity}0` }))),
  );

  await new ProcessJournal(path).endLeftovers();

  expect(await isRunning(pid)).toBe(true);
  stranger.kill();
  await once(stranger, 'exit');
});

it.each(['', '{', '[1]', '{"pid":1}'])(
  'takes a journal cut short by a power cut, "%s", for an empty one',
  async (text) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'processes.json');
    await writeFile(path, text);

    await expect(new ProcessJournal(path).endLeftovers()).resolves.toBeUndefined();
  },
);
