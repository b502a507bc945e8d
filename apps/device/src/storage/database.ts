import { chmodSync, closeSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError, messageOf, projectVersion } from '@heliograph/kit';
import {
  isDamage,
  isDiskFull,
  isForbidden,
  isInUse,
  isIoError,
  isReadError,
  READ_ERROR,
  reasonOf,
} from './failures.ts';
import { MAX_COVER_MS, MAX_HOUR_AMOUNT, MAX_NUMBER } from './hour-row.ts';
import { KeyValueStore } from './key-value.ts';
import { MIGRATIONS, OLDEST_WORKING_SCHEMA } from './migrations.ts';
import { hasUnreadablePart, isCutOff } from './salvage/damaged-file.ts';

/** No release has as many steps: a number beyond is a damaged one. */
const MAX_SCHEMA = 10_000;

/** Why a store cannot be used; `full` is one that could not be made on a full disk. */
export type StoreFault = 'damaged' | 'newer' | 'permission' | 'full' | 'unreadable';

/** The store is there, or is to be made, and cannot be used. */
export class UnusableStore extends ConfigError {
  readonly fault: StoreFault;

  constructor(message: string, fault: StoreFault) {
    super(message);
    this.fault = fault;
  }
}

/** The file is no database any more, or not a whole one, or the disk cannot read a part of it. */
export class DamagedDatabase extends UnusableStore {
  constructor(message: string, fault: 'damaged' | 'unreadable' = 'damaged') {
    super(message, fault);
  }
}

/** Another process has the file open: the device is running. */
export class DatabaseInUse extends ConfigError {}

/** The one database file in the data folder. */
export const DATABASE_FILE = 'device.sqlite';

/** Key of the oldest schema whose release works with the tables, among the stored settings. */
const WORKS_WITH = 'schema_works_with';

/** How long a start waits for a predecessor that is still letting go of the file, in milliseconds. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * A small page keeps what each commit writes small: the energy state is one row, stored with every poll, so
 * a commit is one page and its 24-byte frame header in the write-ahead log.
 */
export const PAGE_SIZE = 1024;

/**
 * Opens the device's database, making folder, file and tables where they are missing.
 *
 * A commit is on the disk when it returns (`synchronous = FULL`). The file is locked for this process alone:
 * two daemons on one data folder would share an identity and count the same energy twice. It holds a private
 * key, hence mode 0600; an existing folder keeps its mode, since it may be shared with others.
 *
 * @throws DamagedDatabase; DatabaseInUse; UnusableStore, for a newer one before anything is changed, where a newer release
 *   changed more than this one works with; ConfigError when the folder cannot be used
 */
export function openDatabase(folder: string, lockTimeoutMs = LOCK_TIMEOUT_MS): DatabaseSync {
  return openDatabaseFile(folder, DATABASE_FILE, lockTimeoutMs);
}

/** @throws as {@link openDatabase} */
export function openDatabaseFile(
  folder: string,
  name: string,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): DatabaseSync {
  const path = join(folder, name);
  try {
    makeFolder(folder);
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    const message = `DEVICE_DATA: the folder ${folder} cannot be used: ${messageOf(error)}`;
    const fault = FAULTS.get(systemCodeOf(error));
    throw fault === undefined ? new ConfigError(message) : new UnusableStore(message, fault);
  }
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: lockTimeoutMs });
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    const isDamaged = error instanceof DamagedDatabase || isDamage(error);
    // SQLite may report a part that cannot be read as a damaged one.
    if (isDamaged && (isReadError(error) || hasUnreadablePart(path)))
      throw new DamagedDatabase(`DEVICE_DATA: ${path} ${READ_ERROR}`, 'unreadable');
    if (error instanceof ConfigError) throw error;
    const message = `DEVICE_DATA: ${path} ${reasonOf(error)}`;
    if (isInUse(error)) throw new DatabaseInUse(message);
    if (isDamaged) throw new DamagedDatabase(message);
    if (isIoError(error) && !hasFreeSpace(folder))
      throw new UnusableStore(`DEVICE_DATA: ${path} cannot be written: the disk is full`, 'full');
    throw new UnusableStore(message, faultOf(error));
  }
}

/** A folder with another error is none: `DEVICE_DATA` is wrong. */
const FAULTS: ReadonlyMap<string | undefined, StoreFault> = new Map([
  ['EACCES', 'permission'],
  ['EPERM', 'permission'],
  ['EROFS', 'permission'],
  ['EIO', 'unreadable'],
  ['EISDIR', 'unreadable'],
  ['ENOSPC', 'full'],
]);

function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Free space that SQLite needs to open a database, in bytes. */
const MIN_FREE_BYTES = 256 * 1024;

/** SQLite reports a file that cannot grow as one that cannot be read. */
export function hasFreeSpace(folder: string, bytes = MIN_FREE_BYTES): boolean {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 || bavail * bsize >= bytes;
  } catch {
    return true;
  }
}

/** @param error of a database that is open, or is opened */
export function faultOf(error: unknown): StoreFault {
  if (isDiskFull(error)) return 'full';
  if (isReadError(error)) return 'unreadable';
  if (isDamage(error)) return 'damaged';
  return isForbidden(error) ? 'permission' : 'unreadable';
}

/**
 * Makes a folder where there is none, and those above it. Node's own `recursive` never returns where a file system
 * answers ENOENT for an existing parent, as /proc does.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/** Runs the work in one transaction: all of it is stored, or nothing. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function prepare(db: DatabaseSync): void {
  refuseNewer(db);
  db.exec(`
    PRAGMA page_size = ${PAGE_SIZE};
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
  `);
  const check = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (check !== 'ok') throw new DamagedDatabase(`DEVICE_DATA: ${db.location()} is damaged: ${check}`);
  refuseCutOff(db);
  migrate(db);
  refuseImpossibleHours(db);
  refuseImpossibleNumbers(db);
}

/** @throws DamagedDatabase */
function refuseCutOff(db: DatabaseSync): void {
  const path = db.location() ?? '';
  if (!isCutOff(path, PAGE_SIZE)) return;
  // A power cut may interrupt the write of a page that the log still has.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  if (isCutOff(path, PAGE_SIZE))
    throw new DamagedDatabase(`DEVICE_DATA: ${path} is damaged: its end is missing`);
}

/** SQLite does not notice a damaged number. @throws DamagedDatabase */
function refuseImpossibleHours(db: DatabaseSync): void {
  const amounts = db
    .prepare("SELECT name FROM pragma_table_info('energy_hours') WHERE name NOT IN ('start', 'covered_ms')")
    .all()
    .map(({ name }) => `${name} NOT BETWEEN 0 AND ${MAX_HOUR_AMOUNT}`);
  const impossible = [`covered_ms NOT BETWEEN 0 AND ${MAX_COVER_MS}`, ...amounts].join(' OR ');
  const found = db.prepare(`SELECT 1 FROM energy_hours WHERE ${impossible} LIMIT 1`).get();
  if (found !== undefined)
    throw new DamagedDatabase(`DEVICE_DATA: ${db.location()} is damaged: an hour has an impossible energy`);
}

/**
 * Numbers beyond those of JavaScript, which end the reading of all rows with an error, and moments beyond those of `Date`.
 *
 * @throws DamagedDatabase
 */
function refuseImpossibleNumbers(db: DatabaseSync): void {
  const columns = db
    .prepare(
      `SELECT tables.name AS name, columns.name AS integer FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite%' AND columns.type = 'INTEGER'`,
    )
    .all();
  for (const [table, rows] of Map.groupBy(columns, ({ name }) => name)) {
    const isImpossible = rows.map(({ integer }) => `${integer} NOT BETWEEN ${-MAX_NUMBER} AND ${MAX_NUMBER}`);
    const found = db.prepare(`SELECT 1 FROM ${table} WHERE ${isImpossible.join(' OR ')} LIMIT 1`).get();
    if (found !== undefined)
      throw new DamagedDatabase(
        `DEVICE_DATA: ${db.location()} is damaged: ${table} has an impossible number`,
      );
  }
}

/** A store of this run alone, in memory, with all tables. */
export function openTemporaryDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  return db;
}

/** Writes nothing where nothing is to be done: a device starts on a full disk, too. */
function migrate(db: DatabaseSync): void {
  const schema = schemaOf(db);
  if (schema >= MIGRATIONS.length) return;
  inTransaction(db, () => {
    for (const step of MIGRATIONS.slice(schema)) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    new KeyValueStore(db).set(WORKS_WITH, String(OLDEST_WORKING_SCHEMA));
  });
}

/** @throws UnusableStore */
function refuseNewer(db: DatabaseSync): void {
  const schema = schemaOf(db);
  if (schema <= MIGRATIONS.length) return;
  if (schema > MAX_SCHEMA)
    throw new DamagedDatabase(`DEVICE_DATA: ${db.location()} is damaged: its version is not one`);
  // The tables may be those of a release that this one knows nothing about.
  const hasSettings = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get() !== undefined;
  const oldest = hasSettings ? new KeyValueStore(db).get(WORKS_WITH) : undefined;
  if (oldest !== undefined && /^\d+$/.test(oldest) && MIGRATIONS.length >= Number(oldest)) return;
  throw new UnusableStore(
    `DEVICE_DATA: ${db.location()} was changed by a newer release (schema ${schema}), and release ${projectVersion()} does ` +
      `not work with it (schema ${MIGRATIONS.length}): install the newer release, or restore a backup from before the update`,
    'newer',
  );
}

function schemaOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
