import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Compression } from './compress-assets.ts';
import { BUILT, COMPRESSION, digestOfSources, STAMP } from './sources.ts';

const run = promisify(execFile);

/**
 * Builds the pages unless the build is of the very same files. The build runs in a process of its own: its memory is
 * freed at the end, and its environment decides the mode.
 *
 * @param compression at least
 * @throws with the output of the build when the pages have a mistake
 */
export async function ensurePagesAreBuilt(compression: Compression = 'quick'): Promise<void> {
  const built = contentOf(COMPRESSION);
  const isSmallEnough = built === 'smallest' || built === compression;
  if (isSmallEnough && contentOf(STAMP) === digestOfSources()) return;
  const env = { ...process.env, NODE_ENV: 'production' };
  const program = join(import.meta.dirname, 'main.ts');
  await run(process.execPath, compression === 'quick' ? [program, '--quick'] : [program], { env });
}

function contentOf(name: string): string | undefined {
  const file = join(BUILT, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
