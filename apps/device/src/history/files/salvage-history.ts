import { closeSync, existsSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { hasFreeSpace } from '../../storage/database.ts';
import { type DatabaseFormat, openDamaged, removeDatabase } from '../../storage/salvage/damaged-file.ts';
import { type Row, RowCopier, type TablePlan } from '../../storage/salvage/row-copier.ts';
import { syncFile } from '../../storage/sync-file.ts';
import { MAX_BATCH_MS } from '../columns/batch.ts';
import { decodeBuckets } from '../columns/buckets-column.ts';
import { decodeTimes, decodeValues } from '../columns/readings-column.ts';
import { BUCKETS_PER_BLOCK, FIVE_MINUTES, HOURS } from '../resolution.ts';
import { HISTORY_FILE, HISTORY_PAGE, openHistoryAt, setHistoryAside } from './history-database.ts';

/** A new file while it is filled with the rows of a damaged one, and when it has them all. */
const SALVAGING_FILE = `${HISTORY_FILE}.salvaging`;
const SALVAGED_FILE = `${HISTORY_FILE}.salvaged`;
const SCRATCH_FILE = `${HISTORY_FILE}.scratch`;

/** A readable copy of the damaged file, and the new one. */
const SALVAGE_FACTOR = 2.2;

/** Keys that are tried in a table whose ends cannot be read. */
const MAX_NEAR = 400;

/** No reading is from before, or after, in milliseconds since the epoch. */
const [FIRST_TIME, LAST_TIME] = [Date.UTC(2020, 0, 1), Date.UTC(2200, 0, 1)];

/** Time between which the history is not whole any more, in milliseconds since the epoch; null: from its beginning, to its end. */
export interface HistoryLoss {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

interface HistoryTable extends TablePlan {
  /** Milliseconds of one in the first column of the key; null: it has no time. */
  readonly unitMs: number | null;
  readonly accept: (row: Row, series: ReadonlySet<number>) => boolean;
}

/** In the order in which they are copied. */
const TABLES: Readonly<Record<string, HistoryTable>> = {
  series: {
    order: ['id'],
    step: 1,
    unitMs: null,
    accept: ({ topic, name, unit }) => [topic, name, unit].every(isText),
  },
  kept: {
    order: ['resolution'],
    unitMs: null,
    accept: ({ resolution, since }) => isText(resolution) && isTime(since),
  },
  batches: {
    order: ['start'],
    step: MAX_BATCH_MS,
    unitMs: 1,
    accept: ({ start, times }) => isTime(start) && isWhole(times, (bytes) => areTimes(bytes, Number(start))),
  },
  readings: {
    order: ['start', 'series'],
    step: MAX_BATCH_MS,
    unitMs: 1,
    accept: ({ start, series, data }, known) =>
      isTime(start) && known.has(Number(series)) && isWhole(data, (bytes) => decodeValues(bytes).length > 0),
  },
  five_minutes: rollupTable(FIVE_MINUTES.bucketMs),
  hours: rollupTable(HOURS.bucketMs),
  states: {
    order: ['series', 'at'],
    step: 1,
    unitMs: null,
    accept: ({ series, at, value }, known) =>
      isTime(at) && known.has(Number(series)) && (value === null || isText(value)),
  },
};

function rollupTable(bucketMs: number): HistoryTable {
  const unitMs = bucketMs * BUCKETS_PER_BLOCK;
  return {
    order: ['block', 'series'],
    step: 1,
    unitMs,
    accept: ({ block, series, data }, known) =>
      isTime(Number(block) * unitMs) &&
      known.has(Number(series)) &&
      isWhole(data, (bytes) => decodeBuckets(bytes).length > 0),
  };
}

/**
 * Makes a whole history of a damaged one, beside it, while others have their turns; `placeSalvagedHistory` puts it in place.
 *
 * @param signal ends it, and removes what it has made immediately
 * @param onLoss called before the new file can take the place of the damaged one, which nothing shows afterwards
 * @throws the system's or SQLite's error; then nothing changed
 */
export async function salvageHistory(
  folder: string,
  signal: AbortSignal,
  onLoss: (loss: HistoryLoss) => void = () => undefined,
): Promise<HistoryLoss | null> {
  const at = (name: string): string => join(folder, name);
  for (const name of [SALVAGING_FILE, SALVAGED_FILE, SCRATCH_FILE]) removeDatabase(at(name));
  const { size } = statSync(at(HISTORY_FILE));
  if (!hasFreeSpace(folder, SALVAGE_FACTOR * size)) throw new Error('there is no room for another history');
  const target = openHistoryAt(at(SALVAGING_FILE));
  const discard = (): void => {
    if (target.isOpen) target.close();
    for (const name of [SALVAGING_FILE, SCRATCH_FILE]) removeDatabase(at(name));
  };
  signal.addEventListener('abort', discard);
  try {
    // The file is thrown away unless it is whole.
    target.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF');
    const loss = await inTurns(copyInto(target, at(HISTORY_FILE), at(SCRATCH_FILE)), signal);
    target.exec('PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)');
    target.close();
    syncFile(at(SALVAGING_FILE));
    if (loss !== null) onLoss(loss);
    renameSync(at(SALVAGING_FILE), at(SALVAGED_FILE));
    return loss;
  } catch (error) {
    // After the end of a device its files may be those of the next one.
    if (!signal.aborted) discard();
    throw error;
  } finally {
    signal.removeEventListener('abort', discard);
  }
}

/** @throws where the disk takes no new history either: another file in place of the present one would gain nothing */
export function requireNewHistory(folder: string): void {
  const path = join(folder, SALVAGING_FILE);
  removeDatabase(path);
  try {
    openHistoryAt(path).close();
  } finally {
    removeDatabase(path);
  }
}

/**
 * Puts a salvaged history in its place, and sets the damaged one aside; a process may have been killed before.
 *
 * @throws the system's error
 */
export function placeSalvagedHistory(folder: string): void {
  const salvaged = join(folder, SALVAGED_FILE);
  if (!existsSync(salvaged)) return;
  if (existsSync(join(folder, HISTORY_FILE))) setHistoryAside(folder);
  renameSync(salvaged, join(folder, HISTORY_FILE));
}

async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
  }
}

function* copyInto(target: DatabaseSync, path: string, scratch: string): Generator<void, HistoryLoss | null> {
  try {
    const repair = (file: string): void => replaceFirstPage(file, target.location() ?? '');
    const format: DatabaseFormat = { pageSize: HISTORY_PAGE, table: 'series', repair };
    const source = yield* openDamaged(path, scratch, format);
    const series = new Set<number>();
    let loss: HistoryLoss | null = null;
    try {
      for (const [table, plan] of Object.entries(TABLES)) {
        const near = (): readonly number[] =>
          timesIn(target).map((timeMs) => Math.floor(timeMs / (plan.unitMs ?? 1)));
        const rows = new RowCopier(source, target, table, { ...plan, near }, (row) =>
          plan.accept(row, series),
        );
        target.exec('BEGIN');
        yield* rows.copyAll();
        target.exec('COMMIT');
        loss = sumOf(loss, lossOf(rows, plan));
        if (table !== 'series') continue;
        for (const { id } of target.prepare('SELECT id FROM series').all()) series.add(Number(id));
      }
    } finally {
      source?.close();
    }
    return loss;
  } finally {
    removeDatabase(scratch);
  }
}

/** The header and the list of tables are those of each history: they are made in one transaction, and never change. */
function replaceFirstPage(path: string, whole: string): void {
  const page = Buffer.alloc(HISTORY_PAGE);
  const [from, to] = [openSync(whole, 'r'), openSync(path, 'r+')];
  try {
    readSync(from, page, 0, page.length, 0);
    // With a log that may be beside it.
    page.set([2, 2], 18);
    // The size is then that of the file.
    page.writeUInt32BE(page.readUInt32BE(24) + 1, 24);
    writeSync(to, page, 0, page.length, 0);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

/** Moments of batches, evenly spread; without these a day in each fortnight. */
function timesIn(target: DatabaseSync): readonly number[] {
  const starts = target.prepare('SELECT start FROM batches').all();
  const every = Math.ceil(starts.length / MAX_NEAR);
  if (starts.length > 0) return starts.filter((_, i) => i % every === 0).map(({ start }) => Number(start));
  return Array.from({ length: MAX_NEAR }, (_, i) => FIRST_TIME + i * 14 * 24 * 60 * 60 * 1000);
}

function lossOf({ lost }: RowCopier, { unitMs }: HistoryTable): HistoryLoss | null {
  if (lost === null) return null;
  const timeOf = (key: number, isEnd: boolean): number | null => {
    const timeMs = (key + (isEnd ? 1 : 0)) * (unitMs ?? 0);
    return isTime(timeMs) ? timeMs : null;
  };
  return { fromMs: timeOf(lost.from, false), untilMs: timeOf(lost.to, true) };
}

function sumOf(one: HistoryLoss | null, other: HistoryLoss | null): HistoryLoss | null {
  if (one === null || other === null) return one ?? other;
  const isKnown = (a: number | null, b: number | null): boolean => a !== null && b !== null;
  return {
    fromMs: isKnown(one.fromMs, other.fromMs) ? Math.min(Number(one.fromMs), Number(other.fromMs)) : null,
    untilMs: isKnown(one.untilMs, other.untilMs)
      ? Math.max(Number(one.untilMs), Number(other.untilMs))
      : null,
  };
}

function isTime(value: unknown): boolean {
  return Number(value) >= FIRST_TIME && Number(value) <= LAST_TIME;
}

/** No text that is stored has control characters, or was read from bytes that are no text. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !/[\p{Cc}\uFFFD]/u.test(value);
}

function areTimes(bytes: Uint8Array, start: number): boolean {
  const times = decodeTimes(bytes, start);
  const length = Number(times.at(-1)) - start;
  return length >= 0 && length <= MAX_BATCH_MS;
}

/** Whether the bytes of a column can be decoded. */
function isWhole(bytes: unknown, check: (bytes: Uint8Array) => boolean): boolean {
  try {
    return bytes instanceof Uint8Array && check(bytes);
  } catch {
    return false;
  }
}
