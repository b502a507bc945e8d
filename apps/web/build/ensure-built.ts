import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Compression } from './compress-assets.ts';
import { isBuilt } from './sources.ts';

const run = promisify(execFile);

/**
 * Builds the pages unless the build is of the very same files. The build runs in a process of its own: its memory is
 * freed at the end, and its environment decides the mode.
 *
 * @param compression at least
 * @throws with the output of the build when the pages have a mistake
 */
export async function ensurePagesAreBuilt(compression: Compression = 'quick'): Promise<void> {
  if (isBuilt(compression)) return;
  const env = { ...process.env, NODE_ENV: 'production' };
  const program = join(import.meta.dirname, 'main.ts');
  await run(process.execPath, compression === 'quick' ? [program, '--quick'] : [program], { env });
}
