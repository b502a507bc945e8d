import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HISTORY_FILE } from '../../history/files/history-database.ts';
import { DATABASE_FILE } from '../../storage/database.ts';

/** Files of a SQLite database that write-ahead logging has beside it. */
const ENDINGS = ['', '-wal', '-shm'];

/** In bytes; 0 where there is no file. */
export interface DataFolderSizes {
  readonly store: number;
  readonly history: number;
  readonly diskFree: number;
  readonly disk: number;
}

/** @returns undefined where the file system does not report its size */
export async function dataFolderSizes(folder: string): Promise<DataFolderSizes | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return {
      store: await sizeOf(join(folder, DATABASE_FILE)),
      history: await sizeOf(join(folder, HISTORY_FILE)),
      diskFree: bavail * bsize,
      disk: blocks * bsize,
    };
  } catch {
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  const sizes = await Promise.all(
    ENDINGS.map((ending) =>
      stat(path + ending).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
