import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a data folder by name. */
export type StoredFiles = ReadonlyMap<string, Buffer>;

export function filesOf(folder: string): StoredFiles {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name, readFileSync(join(folder, name))]));
}

export function writeFiles(folder: string, files: StoredFiles): void {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

/**
 * The files on the disk when the power goes while the write-ahead log is being written: of what changed in the log,
 * the first part is new and the rest as it was. Where the database itself changed, the log was whole before.
 *
 * @param share how large the new part is, from 0 to 1
 */
export function tornWrite(before: StoredFiles, after: StoredFiles, share: number): StoredFiles {
  return new Map(
    [...after].map(([name, written]) => {
      const old = before.get(name);
      return [name, old !== undefined && name.endsWith('-wal') ? torn(old, written, share) : written];
    }),
  );
}

/** Bytes compared at once: one by one would take long. */
const BLOCK = 64;

function torn(old: Buffer, written: Buffer, share: number): Buffer {
  const differs = (block: number): boolean => {
    const [from, to] = [block * BLOCK, (block + 1) * BLOCK];
    return !written.subarray(from, to).equals(old.subarray(from, to));
  };
  const blocks = Math.ceil(written.length / BLOCK);
  let first = 0;
  while (first < blocks && !differs(first)) first++;
  let end = blocks;
  while (end > first && !differs(end - 1)) end--;
  const cut = Math.min(written.length, Math.round((first + (end - first) * share) * BLOCK));
  return Buffer.concat([written.subarray(0, cut), old.subarray(cut)]);
}
