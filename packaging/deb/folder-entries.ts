import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ArchiveEntry } from './tar-archive.ts';

/** Files of a folder, with executable ones as such. @param prefix where they go */
export async function filesOf(folder: string, prefix: string): Promise<readonly ArchiveEntry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.toSorted().map(async (file): Promise<ArchiveEntry> => {
      const isExecutable = ((await stat(file)).mode & 0o111) !== 0;
      const path = join(prefix, relative(folder, file));
      return { type: 'file', path, content: await readFile(file), mode: isExecutable ? 0o755 : 0o644 };
    }),
  );
}

/** Every folder above the files, each before what is in it. */
export function foldersOf(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const paths = new Set<string>();
  for (const { path } of entries) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) paths.add(folder);
  }
  return [...paths].toSorted().map((path) => ({ type: 'folder', path }));
}
