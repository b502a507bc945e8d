import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, open to their owner alone. Throws the system's error.
 *
 * Node's own `recursive` never returns where a file system answers ENOENT for an existing parent, as /proc does.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const isMissingParent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissingParent || dirname(path) === path) throw error;
    await ensureFolders(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/** As {@link makeFolders}; a folder that is there already is as good. */
export async function ensureFolders(path: string): Promise<void> {
  await makeFolders(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
