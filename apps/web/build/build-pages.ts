import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { type Compression, compressAssets } from './compress-assets.ts';
import { BUILD_TARGET } from './oldest-browsers.ts';
import { writeShells } from './shells.ts';
import { BUILT, COMPRESSION, digestOfSources, isBuilt, STAMP } from './sources.ts';

const WEB = join(import.meta.dirname, '..');
const CONFIGURATION = join(WEB, 'vite.config.ts');

/**
 * Builds the pages into a folder beside and puts it in place in the end: a server that is running never finds half a
 * build, and two builds at once do not mix.
 */
export async function buildPages(compression: Compression): Promise<void> {
  const digest = digestOfSources();
  const fresh = await mkdtemp(join(WEB, 'dist-'));
  try {
    await build({
      configFile: CONFIGURATION,
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    await compressAssets(join(fresh, 'assets'), compression);
    await buildServiceWorker(fresh);
    await writeShells(CONFIGURATION, join(fresh, 'prerendered.json'));
    await writeFile(join(fresh, COMPRESSION), compression);
    await writeFile(join(fresh, STAMP), digest);
    // Packages may be taking the other one just now.
    if (compression === 'quick' && isBuilt('smallest')) await rm(fresh, { recursive: true });
    else await putInPlace(fresh);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

/** One script without imports, at a path of its own: a browser compares it, byte by byte, with the one that it has. */
async function buildServiceWorker(folder: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      target: BUILD_TARGET,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(WEB, 'src/service-worker/service-worker.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
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
