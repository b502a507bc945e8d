import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT, digestOfSources, STAMP } from './sources.ts';

const run = promisify(execFile);

/**
 * Builds the pages unless the build is of the very same files. The build runs in a process of its own: its memory is
 * freed at the end, and its environment decides the mode.
 *
 * @throws with the output of the build when the pages have a mistake
 */
export async function ensurePagesAreBuilt(): Promise<void> {
  const stamp = join(BUILT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources()) return;
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
}
