import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { inTransaction, isCutOff, PAGE_SIZE } from './database.ts';
import { isDiskFull } from './failures.ts';
import { HOUR_MS, isHour, isHourStart } from './hour-row.ts';
import { damagedRanges, integerRows, type RowIdRange } from './leaf-pages.ts';
import { MIGRATIONS } from './migrations.ts';
import { storedJson } from './stored-json.ts';

/** Keys of the last row before the rows that could not be read, and of the first one after them. */
export interface KeyGap {
  /** Null: none before. */
  readonly after: number | null;
  /** Null: none after. */
  readonly before: number | null;
  /** Rows that never were between both. */
  readonly absent?: number;
}

export interface TableSalvage {
  readonly kept: number;
  /** Rows that could not be read; null where their number is unknown. */
  readonly lost: number | null;
  readonly gap: KeyGap | null;
}

export const SALVAGED_TABLES = [
  'settings',
  'identity',
  'energy',
  'energy_days',
  'energy_hours',
  'counter_sets',
  'write_log',
  'alerts',
  'audit_log',
] as const;
export type SalvagedTable = (typeof SALVAGED_TABLES)[number];

/** The rows that were read of each table of a damaged database. */
export type Salvage = Readonly<Record<SalvagedTable, TableSalvage>>;

type Row = Record<string, SQLInputValue>;

interface TablePlan {
  readonly order: readonly string[];
  /** The distance of neighbouring keys, where `order` is one number. */
  readonly step?: number;
}

const PLANS: Readonly<Record<SalvagedTable, TablePlan>> = {
  settings: { order: ['key'] },
  identity: { order: ['id'] },
  energy: { order: ['id'] },
  energy_days: { order: ['day'], step: 1 },
  energy_hours: { order: ['start'], step: HOUR_MS },
  counter_sets: { order: ['counter', 'at'] },
  write_log: { order: ['id'], step: 1 },
  alerts: { order: ['id'], step: 1 },
  audit_log: { order: ['id'], step: 1 },
};

/** In milliseconds since the epoch. */
const LAST_TIME = Date.UTC(2200, 0, 1);

/** Hours are compared with each other once there are so many. */
const MIN_COMPARED = 200;

/** So many times what the largest hundredth of the hours has is damaged. */
const MAX_TIMES_USUAL = 20;

/** Rows between both ends that are looked up one by one. */
const MAX_LOOKUPS = 100_000;

/**
 * Copies every row of a damaged database that can be read: of each table those before the damage, those after it, and
 * single ones between; hours of energy also from pages to which the way is damaged.
 *
 * @param path of the damaged file, which stays as it is
 * @param target a new database with all tables
 * @param scratch path of a file that may be written meanwhile
 * @throws the error of the target, such as for a full disk
 */
export function salvageInto(target: DatabaseSync, path: string, scratch: string): Salvage {
  const source = openDamaged(path, scratch);
  const read = existsSync(scratch) ? scratch : path;
  try {
    const entries = SALVAGED_TABLES.map((table) => [table, copyTable(source, target, table, read)] as const);
    return Object.fromEntries(entries) as Record<SalvagedTable, TableSalvage>;
  } finally {
    source?.close();
    removeDatabase(scratch);
  }
}

/** Removes a database file and those beside it. */
export function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
}

/**
 * Opens the file, or a copy of it with the pages of its write-ahead log, with a whole header, and without the page that
 * it was cut off in: SQLite reads the rest of that one as zeros.
 *
 * @returns undefined where not even the list of tables can be read
 */
function openDamaged(path: string, scratch: string): DatabaseSync | undefined {
  removeDatabase(scratch);
  if (!existsSync(path)) return undefined;
  const opened = openReadable(path);
  if (opened !== undefined && !hasLog(path) && !isCutOff(path)) return opened;
  opened?.close();
  copyFileSync(path, scratch);
  if (hasLog(path)) copyFileSync(`${path}-wal`, `${scratch}-wal`);
  if (opened === undefined) replaceHeader(scratch);
  moveLogInto(scratch);
  const { size } = statSync(scratch);
  truncateSync(scratch, size - (size % PAGE_SIZE));
  return openReadable(scratch);
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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

function openReadable(path: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, defensive: false });
    // SQLite then also opens a file that is shorter than its header has it.
    db.exec('PRAGMA writable_schema = ON');
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get() !== undefined) return db;
  } catch {
    // As for a file without tables.
  }
  db?.close();
  return undefined;
}

/** A file header as this program makes it, with the size left to be that of the file. */
function replaceHeader(path: string): void {
  const header = Buffer.alloc(100);
  header.write('SQLite format 3\0', 'latin1');
  header.writeUInt16BE(PAGE_SIZE, 16);
  // Write-ahead logging; fractions of a page that SQLite prescribes.
  header.set([2, 2, 0, 64, 32, 32], 18);
  // A change counter other than the one that the size is valid for.
  header.writeUInt32BE(1, 24);
  header.writeUInt32BE(1, 40);
  header.writeUInt32BE(4, 44);
  // UTF-8.
  header.writeUInt32BE(1, 56);
  header.writeUInt32BE(MIGRATIONS.length, 60);
  const file = openSync(path, 'r+');
  try {
    writeSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
}

const ENERGY_HEAD = Compile(Type.Object({ day: Type.Integer() }));
const RUNNING_HOUR = Compile(Type.Array(Type.Union([Type.Integer(), Type.Null()])));

function copyTable(
  source: DatabaseSync | undefined,
  target: DatabaseSync,
  table: SalvagedTable,
  path: string,
): TableSalvage {
  return inTransaction(target, () => {
    const copier = new TableCopier(source, target, table);
    if (copier.isAbsent) return { kept: 0, lost: 0, gap: null };
    const isRead = copier.copyFrom('ASC');
    if (!isRead) {
      copier.copyFrom('DESC');
      copier.lookUp();
    }
    if (table === 'energy_hours') return copier.copyHours(path, isRead);
    return isRead ? { kept: copier.kept, lost: copier.lost, gap: copier.gapOfRefused } : copier.result;
  });
}

/** Copies one table. Rows with a key that is there already are left alone. */
class TableCopier {
  readonly #source: DatabaseSync | undefined;
  readonly #table: SalvagedTable;
  readonly #plan: TablePlan;
  readonly #target: DatabaseSync;
  readonly #columns: readonly string[];
  readonly #insert: StatementSync;
  #kept = 0;
  #refused = 0;
  readonly #refusedHours = new Set<number>();
  readonly #refusedKeys: number[] = [];
  #after: number | null = null;
  #before: number | null = null;

  constructor(source: DatabaseSync | undefined, target: DatabaseSync, table: SalvagedTable) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
    this.#plan = PLANS[table];
    this.#columns = target
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
    this.#insert = target.prepare(
      `INSERT OR IGNORE INTO ${table} (${this.#columns.join(', ')}) VALUES (${this.#columns.map(() => '?').join(', ')})`,
    );
  }

  get kept(): number {
    return this.#kept;
  }

  /** Rows that are not what the table holds, and those that SQLite read past: writes are numbered without gaps. */
  get lost(): number {
    const { first, last } = this.#keptEnds();
    if (this.#table !== 'write_log' || first === null || last === null) return this.#refused;
    return Math.max(this.#refused, this.#missingKeys(first, last, 1).length);
  }

  /** Around the rows that are not what the table holds; null where there are none. */
  get gapOfRefused(): KeyGap | null {
    const { step } = this.#plan;
    if (step === undefined || this.#refusedKeys.length === 0) return null;
    const [after, before] = [Math.min(...this.#refusedKeys) - step, Math.max(...this.#refusedKeys) + step];
    const absent = this.#missingKeys(after, before, step).length - this.#refusedKeys.length;
    return absent === 0 ? { after, before } : { after, before, absent };
  }

  /** Whether a former release, which did not have the table, wrote the file. */
  get isAbsent(): boolean {
    if (this.#source === undefined) return false;
    try {
      const { user_version: version } = this.#source.prepare('PRAGMA user_version').get() ?? {};
      const found = this.#source.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(this.#table);
      return Number(version) < MIGRATIONS.length && found === undefined;
    } catch {
      return false;
    }
  }

  /** The rows from one end until the damage. @returns whether it came to the other end */
  copyFrom(direction: 'ASC' | 'DESC'): boolean {
    const { order } = this.#plan;
    const by = order.map((column) => `${column} ${direction}`).join(', ');
    return this.#reading((source) => {
      const rows = source.prepare(`SELECT * FROM ${this.#table} ORDER BY ${by}`);
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) {
        const key = this.#keyOf(row);
        if (key !== undefined && !this.#isNext(key, direction)) return false;
        this.#add(row);
        if (key === undefined) continue;
        if (direction === 'ASC') this.#after = key;
        else this.#before = key;
      }
      return true;
    });
  }

  /** The rows between both ends, each by its key. */
  lookUp(): void {
    const { order, step } = this.#plan;
    if (step === undefined || this.#after === null || this.#before === null) return;
    if ((this.#before - this.#after) / step > MAX_LOOKUPS) return;
    const keys = this.#missingKeys(this.#after, this.#before, step);
    for (const key of keys) {
      this.#reading((source) => {
        const one = source.prepare(`SELECT * FROM ${this.#table} WHERE ${order[0]} = ?`);
        one.setReadBigInts(true);
        const row = one.get(key);
        if (row !== undefined) this.#add(row);
        return true;
      });
    }
  }

  /**
   * Hours of energy in whatever page of the file.
   *
   * @param isRead whether SQLite came to the last one without an error
   */
  copyHours(path: string, isRead: boolean): TableSalvage {
    if (!existsSync(path)) return this.result;
    const file = readFileSync(path);
    const damaged = [...this.#damagedRanges(file)];
    const isEndLost = this.#keptEnds().last !== null && this.#isRunningHourLost();
    if (isRead && damaged.length === 0 && this.#refused === 0 && !isEndLost)
      return { kept: this.#kept, lost: 0, gap: null };
    for (const row of integerRows(file, PAGE_SIZE, this.#columns.length)) {
      const named = Object.fromEntries(this.#columns.map((column, i) => [column, row[i] ?? null]));
      if (isHour(named)) this.#add(named);
    }
    this.#removeExtremes();
    return this.#lostHours(damaged, isEndLost);
  }

  /** Row ids of pages that are not whole; all of them where no page is known. */
  *#damagedRanges(file: Buffer): Generator<RowIdRange> {
    const all = { after: null, until: null };
    let root = 0;
    this.#reading((source) => {
      const found = source.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(this.#table);
      root = Number(found?.rootpage ?? 0);
      return true;
    });
    yield* damagedRanges(file, PAGE_SIZE, this.#columns.length, root, all);
  }

  /** Amounts that no hour of this home comes near are damaged, though the database is whole. */
  #removeExtremes(): void {
    const amounts = this.#columns.filter((column) => column !== 'start' && column !== 'covered_ms');
    const usual = Math.max(
      0,
      ...amounts.map((column) => {
        const high = this.#target
          .prepare(
            `SELECT ${column} AS amount FROM energy_hours WHERE ${column} IS NOT NULL ORDER BY ${column} DESC LIMIT 1
             OFFSET (SELECT count(${column}) / 100 FROM energy_hours)`,
          )
          .get();
        return Number(high?.amount ?? 0);
      }),
    );
    if (this.#kept < MIN_COMPARED || usual === 0) return;
    const isExtreme = amounts.map((column) => `${column} > ${usual * MAX_TIMES_USUAL}`).join(' OR ');
    const removed = this.#target.prepare(`DELETE FROM energy_hours WHERE ${isExtreme} RETURNING start`).all();
    for (const { start } of removed) this.#refusedHours.add(Number(start));
    this.#kept -= removed.length;
  }

  /** The hours of damaged pages, and those refused, that are not known. */
  #lostHours(damaged: readonly RowIdRange[], isEndLost: boolean): TableSalvage {
    const { first, last } = this.#keptEnds();
    if (first === null || last === null)
      return { kept: this.#kept, lost: null, gap: { after: null, before: null } };
    const running = this.#runningHour();
    const lost = new Set([...this.#refusedHours].filter((hour) => !this.#has(hour)));
    let isFromStart = false;
    let isUntilEnd = isEndLost;
    for (const { after, until } of damaged) {
      isFromStart ||= after === null;
      const end = until === null ? running : until + HOUR_MS;
      isUntilEnd ||= end === null;
      for (const hour of this.#missingKeys(after ?? first, end ?? last, HOUR_MS)) lost.add(hour);
    }
    if (lost.size === 0 && !isFromStart && !isUntilEnd) return { kept: this.#kept, lost: 0, gap: null };
    const after = lost.size === 0 ? last : Math.min(...lost) - HOUR_MS;
    const before = lost.size === 0 ? first : Math.max(...lost) + HOUR_MS;
    const gap = { after: isFromStart ? null : after, before: isUntilEnd ? null : before };
    if (isFromStart || isUntilEnd) return { kept: this.#kept, lost: null, gap };
    const absent = this.#missingKeys(after, before, HOUR_MS).length - lost.size;
    return { kept: this.#kept, lost: lost.size, gap: absent === 0 ? gap : { ...gap, absent } };
  }

  #has(key: number): boolean {
    const { order } = this.#plan;
    const one = this.#target.prepare(`SELECT 1 FROM ${this.#table} WHERE ${order[0]} = ?`);
    return one.get(key) !== undefined;
  }

  get result(): TableSalvage {
    const { step } = this.#plan;
    const { first, last } = this.#keptEnds();
    if (step === undefined || first === null || last === null)
      return { kept: this.#kept, lost: null, gap: { after: null, before: null } };
    const end = this.#before ?? this.#runningHour();
    const missing = this.#missingKeys(this.#after ?? first, end ?? last, step);
    const gap = {
      after: this.#after === null ? null : (missing[0] ?? last + step) - step,
      before: end === null ? null : (missing.at(-1) ?? first - step) + step,
    };
    if (this.#after !== null && end !== null)
      return { kept: this.#kept, lost: missing.length, gap: missing.length === 0 ? null : gap };
    return { kept: this.#kept, lost: null, gap };
  }

  #keptEnds(): { readonly first: number | null; readonly last: number | null } {
    const [key] = this.#plan.order;
    if (this.#plan.step === undefined) return { first: null, last: null };
    const ends = this.#target
      .prepare(`SELECT min(${key}) AS first, max(${key}) AS last FROM ${this.#table}`)
      .get();
    return { first: numberOrNull(ends?.first), last: numberOrNull(ends?.last) };
  }

  /** The hour after the last stored one, which stands beside its day; null where it is unknown. */
  #runningHour(): number | null {
    if (this.#table !== 'energy_hours') return null;
    return storedJson(this.#currentDay()?.hour, RUNNING_HOUR)?.[0] ?? null;
  }

  /** Whether the day that energy was counted for last is lost, and with it its last hour. */
  #isRunningHourLost(): boolean {
    if (this.#isNothingCounted()) return false;
    const day = this.#currentDay();
    return day === undefined || (day.hour !== null && storedJson(day.hour, RUNNING_HOUR) === undefined);
  }

  /** Whether the damaged file has a readable table of the energy, without a row. */
  #isNothingCounted(): boolean {
    return this.#reading((source) => source.prepare('SELECT count(*) AS n FROM energy').get()?.n === 0);
  }

  #currentDay(): Row | undefined {
    const head = storedJson(this.#target.prepare('SELECT state FROM energy').get()?.state, ENERGY_HEAD);
    if (head === undefined) return undefined;
    return this.#target.prepare('SELECT hour FROM energy_days WHERE day = ?').get(head.day);
  }

  #missingKeys(after: number, before: number, step: number): number[] {
    const has = this.#target.prepare(`SELECT 1 FROM ${this.#table} WHERE ${this.#plan.order[0]} = ?`);
    const missing: number[] = [];
    for (let key = after + step; key < before && missing.length <= MAX_LOOKUPS; key += step)
      if (has.get(key) === undefined) missing.push(key);
    return missing;
  }

  #isNext(key: number, direction: 'ASC' | 'DESC'): boolean {
    if (!Number.isSafeInteger(key)) return false;
    if (direction === 'ASC') return this.#after === null || key > this.#after;
    return (this.#before === null || key < this.#before) && (this.#after === null || key > this.#after);
  }

  #keyOf(row: Row): number | undefined {
    const { order } = this.#plan;
    return order.length === 1 && typeof row[order[0] ?? ''] === 'bigint'
      ? Number(row[order[0] ?? ''])
      : undefined;
  }

  #add(row: Row): void {
    if (this.#table === 'energy_hours' && !isHour(row)) {
      this.#refused++;
      if (isHourStart(Number(row.start))) this.#refusedHours.add(Number(row.start));
      return;
    }
    const values = this.#columns.map((column) => row[column] ?? null);
    if (values.some(isDamagedText) || !isTime(row.at ?? null)) {
      this.#refused++;
      const key = this.#keyOf(row);
      if (key !== undefined) this.#refusedKeys.push(key);
      return;
    }
    try {
      this.#kept += Number(this.#insert.run(...values).changes);
    } catch (error) {
      if (isDiskFull(error)) throw new TargetFailure(error);
      this.#refused++;
    }
  }

  /** Reads until the source fails. @throws the error of the target */
  #reading(read: (source: DatabaseSync) => boolean): boolean {
    if (this.#source === undefined) return false;
    try {
      return read(this.#source);
    } catch (error) {
      if (error instanceof TargetFailure) throw error.cause;
      return false;
    }
  }
}

class TargetFailure extends Error {
  constructor(cause: unknown) {
    super('the new database cannot be written', { cause });
  }
}

/** No text that is stored has control characters, or was read from bytes that are no text. */
function isDamagedText(value: SQLInputValue): boolean {
  return typeof value === 'string' && /[\p{Cc}\uFFFD]/u.test(value);
}

/** Of a row that has a time. */
function isTime(value: SQLInputValue): boolean {
  return value === null || (Number(value) >= 0 && Number(value) <= LAST_TIME);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
