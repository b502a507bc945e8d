import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT, digestOfSources, STAMP } from './sources.ts';

const run = promisify(execFile);

/**
 * Builds the pages, unless what is there was built of the very same files. In a process of its own: it takes memory
 * that whoever calls would keep, and its environment decides what is built.
 *
 * @throws with what the build says when there is a mistake in the pages
 */
export async function ensurePagesAreBuilt(): Promise<void> {
  const stamp = join(BUILT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOfSources()) return;
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
}
