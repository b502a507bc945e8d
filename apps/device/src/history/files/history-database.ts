import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase, inTransaction } from '../../storage/database.ts';
import { hasLog, isCutOff } from '../../storage/salvage/damaged-file.ts';

/** Beside the device's own database, so that whatever happens to the one does not happen to the other. */
export const HISTORY_FILE = 'history.sqlite';

/** A damaged history that was set aside. */
export const DAMAGED_FILE = `${HISTORY_FILE}.damaged`;

/** SQLite's own size of a page, in bytes. */
export const HISTORY_PAGE = 4096;

/** How long a write waits for a program that copies the file, in milliseconds. */
const LOCK_TIMEOUT_MS = 1_000;

/** The largest write-ahead log that is kept between two checkpoints, in bytes. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

const VERSION = 1;

/**
 * Rows stand in the order of time, so that a minute's write touches few pages, and what is oldest goes page by
 * page. A topic's row is found by its time and the topic's number.
 */
const TABLES = `
  CREATE TABLE series (
    id    INTEGER PRIMARY KEY,
    topic TEXT NOT NULL UNIQUE,
    name  TEXT NOT NULL,
    unit  TEXT NOT NULL
  ) STRICT;

  -- Snapshots that were written together: when the first was taken, in milliseconds, and the others.
  CREATE TABLE batches (
    start INTEGER PRIMARY KEY,
    times BLOB NOT NULL
  ) STRICT;

  CREATE TABLE readings (
    start  INTEGER NOT NULL,
    series INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (start, series)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE five_minutes (
    block  INTEGER NOT NULL,
    series INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (block, series)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hours (
    block  INTEGER NOT NULL,
    series INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (block, series)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE states (
    series INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    value  TEXT,
    PRIMARY KEY (series, at)
  ) STRICT, WITHOUT ROWID;

  -- Since when a resolution is whole, in milliseconds: what is older was removed to make room.
  CREATE TABLE kept (
    resolution TEXT PRIMARY KEY,
    since      INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Whether a folder has a history, which an empty file is not. */
export function hasHistory(folder: string): boolean {
  return (statSync(join(folder, HISTORY_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Opens the history, making file and tables where they are missing. A commit is on the disk when it returns.
 *
 * The file is not checked as a whole, which would take long: damage shows when it is read.
 *
 * @param folder exists
 * @throws the system's or SQLite's error
 */
export function openHistoryDatabase(folder: string): DatabaseSync {
  return openHistoryAt(join(folder, HISTORY_FILE));
}

/** @throws DamagedDatabase, the system's or SQLite's error */
export function openHistoryAt(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  // A log may have the page that a power cut interrupted. SQLite fills it with zeros otherwise, and notices nothing.
  if (isCutOff(path, HISTORY_PAGE) && !hasLog(path)) throw new DamagedDatabase('its end is missing');
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    db.exec(`
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA journal_size_limit = ${JOURNAL_BYTES};
    `);
    makeTables(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Renames a damaged history, in place of one that was set aside before: the disk holds one at most.
 *
 * @throws the system's error
 */
export function setHistoryAside(folder: string): void {
  // A write-ahead log beside another database would be taken for its own.
  for (const ending of ['-wal', '-shm']) rmSync(join(folder, HISTORY_FILE + ending), { force: true });
  renameSync(join(folder, HISTORY_FILE), join(folder, DAMAGED_FILE));
}

function makeTables(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (version === VERSION) return;
  if (version > VERSION) throw new Error('the file was written by a newer version of this program');
  inTransaction(db, () => {
    db.exec(TABLES);
    db.exec(`PRAGMA user_version = ${VERSION}`);
  });
}
