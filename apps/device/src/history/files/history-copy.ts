import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { HISTORY_FILE, openHistoryAt } from './history-database.ts';

/** The beginning of the names of copies, which a killed process may leave. */
export const COPY_PREFIX = `${HISTORY_FILE}.copy-`;

/** Pages that are copied in one go. */
const PAGE_BATCH_SIZE = 500;

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
 * @param content `summary` leaves the single readings out
 * @returns undefined where there is no history
 * @throws the system's or SQLite's error
 */
export async function copyHistory(
  folder: string,
  content: 'all' | 'summary' = 'all',
): Promise<HistoryCopy | undefined> {
  const path = join(folder, COPY_PREFIX + randomUUID());
  const isThere = await stat(join(folder, HISTORY_FILE)).then(
    ({ size }) => size > 0,
    () => false,
  );
  if (!isThere) return undefined;
  try {
    const source = join(folder, HISTORY_FILE);
    await (content === 'all' ? copyTo(source, path) : summarizeTo(source, path));
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
    await backup(db, target, { rate: PAGE_BATCH_SIZE });
  } finally {
    db.close();
  }
}

/** Rows that are copied in one go, so that polls go on. */
const ROW_BATCH_SIZE = 2_000;

/** The tables besides the readings, each with the columns of its key. */
const SUMMARY_TABLES = {
  series: 'id',
  five_minutes: 'block, series',
  hours: 'block, series',
  states: 'series, at',
} as const;

/** Copies all but the single readings; the history counts as whole from now on for those alone. */
async function summarizeTo(source: string, target: string): Promise<void> {
  using from = new DatabaseSync(source, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  using to = openHistoryAt(target);
  // The copy is thrown away unless it is whole.
  to.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  from.exec('BEGIN');
  for (const [table, key] of Object.entries(SUMMARY_TABLES)) {
    const rows = from.prepare(`SELECT * FROM ${table} ORDER BY ${key}`);
    let insert: StatementSync | undefined;
    let count = 0;
    for (const row of rows.iterate()) {
      const names = Object.keys(row);
      insert ??= to.prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
      insert.run(...names.map((name) => row[name] ?? null));
      count += 1;
      if (count % ROW_BATCH_SIZE === 0) await setImmediate();
    }
  }
  const newest = Number(from.prepare('SELECT max(start) AS newest FROM batches').get()?.newest ?? 0);
  const keep = to.prepare('INSERT INTO kept (resolution, since) VALUES (?, ?)');
  for (const { resolution, since } of from.prepare('SELECT resolution, since FROM kept').all()) {
    if (resolution !== 'readings') keep.run(resolution ?? null, since ?? null);
  }
  keep.run('readings', newest + 1);
}
