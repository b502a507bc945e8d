import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Compression } from './compress-assets.ts';

/** The folder of the built pages. */
export const BUILT = join(import.meta.dirname, '../dist');

/** In there: what they were built of. */
export const STAMP = 'sources.sha256';

/** In there: how hard its files are compressed. */
export const COMPRESSION = 'compression';

const ROOT = join(import.meta.dirname, '../../..');

/** All that a build depends on: the pages, the packages that they bundle, the versions of libraries. */
const SOURCES = [
  'apps/web/{src,build,public}/**/*',
  'apps/web/*.{html,ts,json}',
  'packages/{client,contracts,kit,locales,metrics,wire}/{build,src}/**/*.{ts,json}',
  'package-lock.json',
];

/** A digest of every file that a build depends on, which changes with any of them. */
export function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of files) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** Whether the build is of the very same files, and compressed as hard at least. */
export function isBuilt(compression: Compression): boolean {
  const built = contentOf(COMPRESSION);
  return (built === 'smallest' || built === compression) && contentOf(STAMP) === digestOfSources();
}

function contentOf(name: string): string | undefined {
  const file = join(BUILT, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
