import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { ProcessJournal } from './process-journal.ts';
import { isRunning } from './process-table.ts';

it('the processes of an earlier start have ended once endLeftovers resolves', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'processes.json');
  // It ends with its input, as a part does without its supervisor.
  const leftover = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  await new ProcessJournal(path).add(leftover.pid ?? 0);

  const ended = new ProcessJournal(path).endLeftovers();
  leftover.stdin.end();
  await ended;

  expect(await isRunning(leftover.pid ?? 0)).toBe(false);
});

it('a process that took over the pid of one of ours is left alone', async () => {
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
  'a journal that a power cut truncated to "%s" counts as empty',
  async (text) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'processes.json');
    await writeFile(path, text);

    await expect(new ProcessJournal(path).endLeftovers()).resolves.toBeUndefined();
  },
);
