import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle/bundle-programs.ts';
import { copyResources } from '../bundle/copy-resources.ts';
import { CHECKOUT } from '../checkout.ts';
import { PARTS } from '../parts.ts';

/**
 * Within the checkout, so that what is not in a bundle is found in its `node_modules`. Programs lie below a space and a letter beyond
 * ASCII, as in the folders of people.
 */
const CACHE = join(CHECKOUT, 'node_modules/.cache/test programs ü');

/** All that the bundle depends on; the pages' build has a digest of their sources, and how hard they are compressed. */
const SOURCES = [
  '{apps/{cli,cloud,device,proxy},packages/*}/src/**/*',
  'packaging/{bundle,testing}/**/*.ts',
  'packaging/*.ts',
  'package*.json',
  'apps/web/dist/{sources.sha256,compression}',
];
const NOT_BUNDLED = /\.test\.ts$|\/(?:captures|testing)\//;

/** A bundle that no run has used for this time, in milliseconds, is of earlier sources. */
const OUTDATED_MS = 24 * 60 * 60 * 1000;

/**
 * Bundles all programs of the device, the cloud and the proxy as packages hold them, unless it did so for the same
 * sources before. The pages are built.
 *
 * @returns the folder, in which programs have the paths of the checkout with the ending `.js`
 */
export async function bundleOnce(): Promise<string> {
  const folder = join(CACHE, digestOfSources());
  if (await exists(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return folder;
  }
  await mkdir(CACHE, { recursive: true });
  await removeOutdated();
  const fresh = await mkdtemp(join(CACHE, 'new-'));
  try {
    const parts = Object.values(PARTS);
    const unionOf = (key: 'programs' | 'resources' | 'besides') => [
      ...new Set(parts.flatMap((part) => part[key])),
    ];
    await bundlePrograms({ programs: unionOf('programs'), besides: unionOf('besides') }, fresh);
    await copyResources({ resources: unionOf('resources') }, fresh);
    await cp(join(CHECKOUT, 'package.json'), join(fresh, 'package.json'));
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another run may have made the same one at the same time.
    if (!(await exists(folder))) throw error;
  }
  return folder;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: CHECKOUT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !NOT_BUNDLED.test(path) || path.startsWith(import.meta.dirname))
    .toSorted();
  for (const file of files) hash.update(file.slice(CHECKOUT.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

async function removeOutdated(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - OUTDATED_MS) await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
