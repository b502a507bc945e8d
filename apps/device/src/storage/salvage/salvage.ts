import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { inTransaction, PAGE_SIZE } from '../database.ts';
import { HOUR_MS, isHour, isHourStart, MAX_NUMBER } from '../hour-row.ts';
import { MIGRATIONS } from '../migrations.ts';
import { storedJson } from '../stored-json.ts';
import { type DatabaseFormat, openDamaged, readableContent, removeDatabase } from './damaged-file.ts';
import { damagedRanges, integerRows, type RowIdRange } from './leaf-pages.ts';
import { type Row, RowCopier, type TablePlan } from './row-copier.ts';

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

/** Missing rows that are counted. */
const MAX_MISSING = 100_000;

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
  const source = drain(openDamaged(path, scratch, FORMAT));
  const read = existsSync(scratch) ? scratch : path;
  try {
    const copy = (table: SalvagedTable): TableSalvage =>
      inTransaction(target, () => new TableCopier(source, target, table).copy(read));
    const entries = SALVAGED_TABLES.map((table) => [table, copy(table)] as const);
    return Object.fromEntries(entries) as Record<SalvagedTable, TableSalvage>;
  } finally {
    source?.close();
    removeDatabase(scratch);
  }
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

const FORMAT: DatabaseFormat = { pageSize: PAGE_SIZE, table: 'settings', repair: replaceHeader };

const ENERGY_HEAD = Compile(Type.Object({ day: Type.Integer() }));
const RUNNING_HOUR = Compile(Type.Array(Type.Union([Type.Integer(), Type.Null()])));
function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Copies one table of the device's database. */
class TableCopier {
  readonly #table: SalvagedTable;
  readonly #plan: TablePlan;
  readonly #target: DatabaseSync;
  readonly #rows: RowCopier;
  readonly #refusedHours = new Set<number>();
  readonly #refusedKeys: number[] = [];

  constructor(source: DatabaseSync | undefined, target: DatabaseSync, table: SalvagedTable) {
    this.#target = target;
    this.#table = table;
    this.#plan = PLANS[table];
    this.#rows = new RowCopier(source, target, table, this.#plan, (row) => this.#accept(row));
  }

  /** @param path of the damaged file */
  copy(path: string): TableSalvage {
    if (this.#isAbsent) return { kept: 0, lost: 0, gap: null };
    const isRead = drain(this.#rows.copyAll());
    if (this.#table === 'energy_hours') return this.#copyHours(path, isRead);
    return isRead ? { kept: this.#rows.kept, lost: this.#lost, gap: this.#gapOfRefused } : this.#result;
  }

  /** Rows that are not what the table holds, and those that SQLite read past: writes are numbered without gaps. */
  get #lost(): number {
    const { refused } = this.#rows;
    const { first, last } = this.#keptEnds();
    if (this.#table !== 'write_log' || first === null || last === null) return refused;
    return Math.max(refused, this.#missingKeys(first, last, 1).length);
  }

  /** Around the rows that are not what the table holds; null where there are none. */
  get #gapOfRefused(): KeyGap | null {
    const { step } = this.#plan;
    if (step === undefined || this.#refusedKeys.length === 0) return null;
    const [after, before] = [Math.min(...this.#refusedKeys) - step, Math.max(...this.#refusedKeys) + step];
    const absent = this.#missingKeys(after, before, step).length - this.#refusedKeys.length;
    return absent === 0 ? { after, before } : { after, before, absent };
  }

  /** Whether a former release, which did not have the table, wrote the file. */
  get #isAbsent(): boolean {
    const isAbsent = this.#rows.reading((source) => {
      const { user_version: version } = source.prepare('PRAGMA user_version').get() ?? {};
      const found = source.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(this.#table);
      return Number(version) < MIGRATIONS.length && found === undefined;
    });
    return isAbsent === true;
  }

  /**
   * Hours of energy in whatever page of the file.
   *
   * @param isRead whether SQLite came to the last one without an error
   */
  #copyHours(path: string, isRead: boolean): TableSalvage {
    if (!existsSync(path)) return this.#result;
    const { columns } = this.#rows;
    const file = readableContent(path);
    const damaged = [...this.#damagedRanges(file)];
    const isEndLost = this.#keptEnds().last !== null && this.#isRunningHourLost();
    if (isRead && damaged.length === 0 && this.#rows.refused === 0 && !isEndLost)
      return { kept: this.#rows.kept, lost: 0, gap: null };
    for (const row of integerRows(file, PAGE_SIZE, columns.length)) {
      const named = Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));
      if (isHour(named)) this.#rows.add(named);
    }
    const kept = this.#rows.kept - this.#removeExtremes();
    return this.#lostHours(damaged, isEndLost, kept);
  }

  /** Row ids of pages that are not whole; all of them where no page is known. */
  *#damagedRanges(file: Buffer): Generator<RowIdRange> {
    const all = { after: null, until: null };
    const found = this.#rows.reading((source) =>
      source.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(this.#table),
    );
    yield* damagedRanges(file, PAGE_SIZE, this.#rows.columns.length, Number(found?.rootpage ?? 0), all);
  }

  /** Amounts that no hour of this home comes near are damaged, though the database is whole. @returns their number */
  #removeExtremes(): number {
    const amounts = this.#rows.columns.filter((column) => column !== 'start' && column !== 'covered_ms');
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
    if (this.#rows.kept < MIN_COMPARED || usual === 0) return 0;
    const isExtreme = amounts.map((column) => `${column} > ${usual * MAX_TIMES_USUAL}`).join(' OR ');
    const removed = this.#target.prepare(`DELETE FROM energy_hours WHERE ${isExtreme} RETURNING start`).all();
    for (const { start } of removed) this.#refusedHours.add(Number(start));
    return removed.length;
  }

  /** The hours of damaged pages, and those refused, that are not known. */
  #lostHours(damaged: readonly RowIdRange[], isEndLost: boolean, kept: number): TableSalvage {
    const { first, last } = this.#keptEnds();
    if (first === null || last === null) return { kept, lost: null, gap: { after: null, before: null } };
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
    if (lost.size === 0 && !isFromStart && !isUntilEnd) return { kept, lost: 0, gap: null };
    const after = lost.size === 0 ? last : Math.min(...lost) - HOUR_MS;
    const before = lost.size === 0 ? first : Math.max(...lost) + HOUR_MS;
    const gap = { after: isFromStart ? null : after, before: isUntilEnd ? null : before };
    if (isFromStart || isUntilEnd) return { kept, lost: null, gap };
    const absent = this.#missingKeys(after, before, HOUR_MS).length - lost.size;
    return { kept, lost: lost.size, gap: absent === 0 ? gap : { ...gap, absent } };
  }

  #has(key: number): boolean {
    const { order } = this.#plan;
    const one = this.#target.prepare(`SELECT 1 FROM ${this.#table} WHERE ${order[0]} = ?`);
    return one.get(key) !== undefined;
  }

  get #result(): TableSalvage {
    const { step } = this.#plan;
    const { kept, after, before } = this.#rows;
    const { first, last } = this.#keptEnds();
    if (step === undefined || first === null || last === null)
      return { kept, lost: null, gap: { after: null, before: null } };
    const end = before ?? this.#runningHour();
    const missing = this.#missingKeys(after ?? first, end ?? last, step);
    const gap = {
      after: after === null ? null : (missing[0] ?? last + step) - step,
      before: end === null ? null : (missing.at(-1) ?? first - step) + step,
    };
    if (after !== null && end !== null)
      return { kept, lost: missing.length, gap: missing.length === 0 ? null : gap };
    return { kept, lost: null, gap };
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
    return (
      this.#rows.reading((source) => source.prepare('SELECT count(*) AS n FROM energy').get()?.n === 0) ===
      true
    );
  }

  #currentDay(): Row | undefined {
    const head = storedJson(this.#target.prepare('SELECT state FROM energy').get()?.state, ENERGY_HEAD);
    if (head === undefined) return undefined;
    return this.#target.prepare('SELECT hour FROM energy_days WHERE day = ?').get(head.day);
  }

  #missingKeys(after: number, before: number, step: number): number[] {
    const has = this.#target.prepare(`SELECT 1 FROM ${this.#table} WHERE ${this.#plan.order[0]} = ?`);
    const missing: number[] = [];
    for (let key = after + step; key < before && missing.length <= MAX_MISSING; key += step)
      if (has.get(key) === undefined) missing.push(key);
    return missing;
  }

  #accept(row: Row): boolean {
    if (this.#table === 'energy_hours' && !isHour(row)) {
      if (isHourStart(Number(row.start))) this.#refusedHours.add(Number(row.start));
      return false;
    }
    if (isTime(row.at ?? null) && !Object.values(row).some(isDamagedValue)) return true;
    const key = row[this.#plan.order[0] ?? ''];
    if (this.#plan.order.length === 1 && typeof key === 'bigint') this.#refusedKeys.push(Number(key));
    return false;
  }
}

/** No text that is stored has control characters, or was read from bytes that are no text; no integer is beyond a moment. */
function isDamagedValue(value: SQLInputValue): boolean {
  if (typeof value === 'bigint') return value < -MAX_NUMBER || value > MAX_NUMBER;
  return typeof value === 'string' && /[\p{Cc}\uFFFD]/u.test(value);
}

/** Of a row that has a time. */
function isTime(value: SQLInputValue): boolean {
  return value === null || (Number(value) >= 0 && Number(value) <= LAST_TIME);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
