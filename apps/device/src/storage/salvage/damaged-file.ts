import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The parts of a database file that every one of its kind shares. */
export interface DatabaseFormat {
  /** In bytes. */
  readonly pageSize: number;
  /** A table that each of them has. */
  readonly table: string;
  /** Replaces a header that SQLite cannot use. */
  readonly repair: (path: string) => void;
}

/** Bytes that are copied before the caller has its turn. */
const CHUNK_BYTES = 1024 * 1024;

/** Bytes that a disk and the page cache read together, and lose together. */
const BLOCK_BYTES = 4096;

/** A part of a file that the disk, or the checksums of a file system, do not give back. */
const UNREADABLE = new Set(['EIO', 'ENODATA', 'EBADMSG']);

/** Removes a database file and those beside it. */
export function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
}

/**
 * Opens a damaged file, or a copy of it with the pages of its write-ahead log, with a whole header, and without the page
 * that it was cut off in: SQLite reads the rest of that one as zeros.
 *
 * @param scratch path of the copy
 * @returns undefined where not even the list of tables can be read
 * @throws the error of the copy, such as for a full disk
 */
export function* openDamaged(
  path: string,
  scratch: string,
  format: DatabaseFormat,
): Generator<void, DatabaseSync | undefined> {
  removeDatabase(scratch);
  if (!existsSync(path)) return undefined;
  const opened = openReadable(path, format);
  if (opened !== undefined && !hasLog(path) && !isCutOff(path, format.pageSize)) return opened;
  opened?.close();
  yield* copyReadable(path, scratch);
  if (hasLog(path)) yield* copyReadable(`${path}-wal`, `${scratch}-wal`);
  if (opened === undefined) format.repair(scratch);
  moveLogInto(scratch);
  const size = sizeOf(scratch);
  truncateSync(scratch, size - (size % format.pageSize));
  return openReadable(scratch, format);
}

/** The content of a file, with zeros where the disk cannot read it. */
export function readableContent(path: string): Buffer {
  return Buffer.concat([...readableChunks(path)]);
}

function* copyReadable(path: string, target: string): Generator<void> {
  const file = openSync(target, 'w', 0o600);
  try {
    let at = 0;
    for (const chunk of readableChunks(path)) {
      for (let written = 0; written < chunk.length; )
        written += writeSync(file, chunk, written, chunk.length - written, at + written);
      at += chunk.length;
      yield;
    }
    ftruncateSync(file, at);
  } finally {
    closeSync(file);
  }
}

function* readableChunks(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (let at = 0; ; ) {
      const chunk = readReadable(file, at, Math.min(CHUNK_BYTES, sizeOf(path) - at));
      if (chunk.length === 0) return;
      at += chunk.length;
      yield chunk;
    }
  } finally {
    closeSync(file);
  }
}

/** Halves what cannot be read, down to a block. */
function readReadable(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, length));
  try {
    return bytes.subarray(0, length <= 0 ? 0 : readSync(file, bytes, 0, length, at));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (length <= BLOCK_BYTES) return bytes;
    const half = Math.ceil(length / 2 / BLOCK_BYTES) * BLOCK_BYTES;
    return Buffer.concat([readReadable(file, at, half), readReadable(file, at + half, length - half)]);
  }
}

/** Whether the disk cannot read a part of a database file or of its write-ahead log. */
export function hasUnreadablePart(path: string): boolean {
  return [path, `${path}-wal`].some(isUnreadableFile);
}

function isUnreadableFile(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(CHUNK_BYTES);
  try {
    for (let at = 0; ; ) {
      const length = readSync(file, bytes, 0, CHUNK_BYTES, at);
      if (length === 0) return false;
      at += length;
    }
  } catch (error) {
    if (isUnreadable(error)) return true;
    throw error;
  } finally {
    closeSync(file);
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code));
}

/** Whether a file ends within a page, whose rest SQLite reads as zeros. */
export function isCutOff(path: string, pageSize: number): boolean {
  return sizeOf(path) % pageSize !== 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether a write-ahead log is beside a database. */
export function hasLog(path: string): boolean {
  return sizeOf(`${path}-wal`) > 0;
}

/** A log that cannot be moved is left alone. */
function moveLogInto(path: string): void {
  try {
    using db = new DatabaseSync(path);
    db.exec('PRAGMA writable_schema = ON; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // As without a log.
  }
}

function openReadable(path: string, { table }: DatabaseFormat): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, defensive: false });
    // SQLite then also opens a file that is shorter than its header has it.
    db.exec('PRAGMA writable_schema = ON');
    if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined) return db;
  } catch {
    // As for a file without tables.
  }
  db?.close();
  return undefined;
}
