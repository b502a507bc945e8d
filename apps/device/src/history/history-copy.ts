import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { HISTORY_FILE } from './history-database.ts';

/** One name, so that the next copy replaces what a killed process left. */
const COPY_FILE = `${HISTORY_FILE}.copy`;

/** Pages that are copied in one go. */
const PAGES_AT_ONCE = 500;

/** How long the copy waits for a write, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;

/** The history as it was at one moment. */
export interface HistoryCopy extends AsyncDisposable {
  /** In bytes. */
  readonly size: number;
  content(): AsyncIterable<Uint8Array>;
}

/**
 * Copies the history while it goes on being written, into a file without a name in the same folder.
 *
 * @returns undefined where there is no history
 * @throws the system's or SQLite's error
 */
export async function copyHistory(folder: string): Promise<HistoryCopy | undefined> {
  const path = join(folder, COPY_FILE);
  await rm(path, { force: true });
  const isThere = await stat(join(folder, HISTORY_FILE)).then(
    ({ size }) => size > 0,
    () => false,
  );
  if (!isThere) return undefined;
  try {
    await copyTo(join(folder, HISTORY_FILE), path);
    const handle = await open(path, 'r');
    const { size } = await handle.stat();
    return {
      size,
      content: () => createReadStream('', { fd: handle, autoClose: false, start: 0 }),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } finally {
    await rm(path, { force: true });
  }
}

async function copyTo(source: string, target: string): Promise<void> {
  const db = new DatabaseSync(source, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    // Within a transaction every page is of the same moment; without, each write would begin the copy again.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(db, target, { rate: PAGES_AT_ONCE });
  } finally {
    db.close();
  }
}
