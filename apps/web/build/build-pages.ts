import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfSources } from './sources.ts';

const WEB = join(import.meta.dirname, '..');
const BUILT = join(WEB, 'dist');

/** What a build was made of; without it nobody knows. */
const STAMP = 'sources.sha256';

/** Builds the pages, unless what is there was built of the very same files. @returns whether it had to */
export async function ensurePagesAreBuilt(): Promise<boolean> {
  const digest = digestOfSources();
  const stamp = join(BUILT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false;
  await buildPages(digest);
  return true;
}

/**
 * Builds into a folder beside and puts it in place in the end: a server that is running never finds half a build, and
 * two builds at once do not mix.
 */
export async function buildPages(digest = digestOfSources()): Promise<void> {
  // Loaded where something is to be built: it takes longer than looking.
  const { build } = await import('vite');
  const fresh = await mkdtemp(join(WEB, 'dist-'));
  try {
    await build({
      configFile: join(WEB, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    await writeFile(join(fresh, STAMP), digest);
    await putInPlace(fresh);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

async function putInPlace(fresh: string): Promise<void> {
  const old = `${fresh}-old`;
  try {
    await rename(BUILT, old);
  } catch {
    // There was none.
  }
  await rename(fresh, BUILT);
  await rm(old, { recursive: true, force: true });
}
