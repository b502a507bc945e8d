import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_FILE } from './place.ts';

/**
 * How long a database outlives its data folder. The folder may have been deleted, but also moved, or lie on
 * a disk that is not plugged in; a start from its new place claims the database again.
 */
const GRACE_MS = 7 * 24 * 3600 * 1000;

/** Deletes databases below `base` that no data folder links to any more. Never fails: it can be done another day. */
export async function sweepOrphans(base: string, nowMs: number): Promise<void> {
  for (const name of await readdir(base).catch(() => [])) {
    if (!name.startsWith('database-')) continue;
    const folder = join(base, name);
    try {
      const used = await stat(folder);
      if (nowMs - used.mtimeMs < GRACE_MS || (await isLinked(folder))) continue;
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another start may be sweeping the same folder.
    }
  }
}

async function isLinked(folder: string): Promise<boolean> {
  const link = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => undefined);
  if (link === undefined) return false;
  return (await realpath(link).catch(() => undefined)) === (await realpath(folder));
}
