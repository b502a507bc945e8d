import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { lockUpdates } from './lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

it('one update at a time locks a folder, and other accounts cannot open its lock', async () => {
  {
    using _ = await lockUpdates(folder);
    await expect(lockUpdates(folder)).rejects.toThrow('another update is under way');
  }
  using _ = await lockUpdates(folder);
  expect((await stat(join(folder, 'update.lock'))).mode & 0o777).toBe(0o600);
});

it('the lock of a process that is killed ends with it', async () => {
  const program = `const { lockUpdates } = await import(process.argv[1]);
    globalThis.lock = await lockUpdates(process.argv[2]);
    process.stdout.write('locked');
    setInterval(() => undefined, 1_000);`;
  const other = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, join(import.meta.dirname, 'lock.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(other.stdout, 'data');
  await expect(lockUpdates(folder)).rejects.toThrow('another update is under way');
  other.kill('SIGKILL');
  await once(other, 'exit');
  using _ = await lockUpdates(folder);
});
