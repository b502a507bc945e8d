import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isRefusedRow } from '../failures.ts';

export type Row = Record<string, SQLInputValue>;

/** How the rows of a table are read. */
export interface TablePlan {
  /** The columns of its key. */
  readonly order: readonly string[];
  /** The usual distance of neighbouring keys, where the first column is a number: rows between damaged places are found by it. */
  readonly step?: number;
  /** Keys that rows may be near, for a table whose first and last row cannot be read. */
  readonly near?: () => readonly number[];
}

/** Parts of a table that are read by themselves. */
const MAX_PARTS = 100_000;

/** Rows that are copied before the caller has its turn. */
const ROW_BATCH_SIZE = 500;

/** No key is beyond. */
const MAX_KEY = Number.MAX_SAFE_INTEGER;

type Direction = 'ASC' | 'DESC';

/** Keys of the first column, both included. */
interface KeyRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Copies every row of a damaged table that SQLite can read: from both ends until the damage, and then in ever smaller parts
 * between. Rows with a key that is there already are left alone.
 */
export class RowCopier {
  readonly #source: DatabaseSync | undefined;
  readonly #table: string;
  readonly #plan: TablePlan;
  readonly #columns: readonly string[];
  readonly #insert: StatementSync;
  readonly #accept: (row: Row) => boolean;
  #kept = 0;
  #refused = 0;
  #parts = 0;
  #after: number | null = null;
  #before: number | null = null;
  #lost: KeyRange | null = null;

  /** @param accept whether a row can be one that was written */
  constructor(
    source: DatabaseSync | undefined,
    target: DatabaseSync,
    table: string,
    plan: TablePlan,
    accept: (row: Row) => boolean,
  ) {
    this.#source = source;
    this.#table = table;
    this.#plan = plan;
    this.#accept = accept;
    this.#columns = target
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
    this.#insert = target.prepare(
      `INSERT OR IGNORE INTO ${table} (${this.#columns.join(', ')}) VALUES (${this.#columns.map(() => '?').join(', ')})`,
    );
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  get kept(): number {
    return this.#kept;
  }

  /** Rows that are not what the table holds. */
  get refused(): number {
    return this.#refused;
  }

  /** Key of the last row before the first damage; null where none was read. */
  get after(): number | null {
    return this.#after;
  }

  /** Key of the first row after the last damage; null where none was read. */
  get before(): number | null {
    return this.#before;
  }

  /** Between which keys rows were lost, as far as that is known; null: none were. */
  get lost(): KeyRange | null {
    return this.#lost;
  }

  /** @returns whether SQLite came from one end to the other @throws the error of the target */
  *copyAll(): Generator<void, boolean> {
    const first = yield* this.#copy('ASC', null);
    this.#after = first.last;
    if (first.isEnd) return true;
    const rest = this.#after === null ? null : { from: this.#after, to: MAX_KEY };
    const { last: before } = yield* this.#copy('DESC', rest);
    this.#before = before;
    if (this.#plan.step === undefined) {
      this.#note(null, null);
      return false;
    }
    if (this.#after !== null && before !== null) yield* this.#copyBetween(this.#after + 1, before - 1);
    else if (this.#after !== null) yield* this.#copyOnwards(this.#after, 'ASC');
    else if (before !== null) yield* this.#copyOnwards(before, 'DESC');
    else yield* this.#copyFromWithin();
    return false;
  }

  /** @returns whether it was new and can be one that was written @throws the error of the target */
  add(row: Row): boolean {
    if (!this.#accept(row)) {
      this.#refused++;
      const key = this.#keyOf(row);
      if (key !== undefined && Number.isSafeInteger(key)) this.#note(key, key);
      return false;
    }
    try {
      const { changes } = this.#insert.run(...this.#columns.map((column) => row[column] ?? null));
      this.#kept += Number(changes);
      return changes !== 0;
    } catch (error) {
      if (!isRefusedRow(error)) throw error;
      this.#refused++;
      return false;
    }
  }

  /** @returns undefined where the source fails */
  reading<T>(read: (source: DatabaseSync) => T): T | undefined {
    if (this.#source === undefined) return undefined;
    try {
      return read(this.#source);
    } catch {
      return undefined;
    }
  }

  /** Parts that cannot be read from their ends are halved, down to a single row. */
  *#copyBetween(from: number, to: number): Generator<void> {
    if (to < from) return;
    const range = { from, to };
    const up = yield* this.#copy('ASC', range);
    if (up.isEnd) return;
    const down = yield* this.#copy('DESC', range);
    const [restFrom, restTo] = [
      up.last === null ? from : up.last + 1,
      down.last === null ? to : down.last - 1,
    ];
    if (restTo < restFrom) return;
    if (restTo - restFrom < (this.#plan.step ?? 1) || ++this.#parts > MAX_PARTS) {
      this.#note(restFrom, restTo);
      return;
    }
    const middle = restFrom + Math.floor((restTo - restFrom) / 2);
    yield* this.#copyBetween(restFrom, middle);
    yield* this.#copyBetween(middle + 1, restTo);
  }

  /** Both ends cannot be read: looks for any row, and goes on from there. */
  *#copyFromWithin(): Generator<void> {
    const found = this.#anyReadable();
    if (found === undefined) {
      this.#note(null, null);
      return;
    }
    const up = yield* this.#copy('ASC', { from: found, to: MAX_KEY });
    if (!up.isEnd) yield* this.#copyOnwards(up.last ?? found, 'ASC');
    const down = yield* this.#copy('DESC', { from: -MAX_KEY, to: found });
    if (!down.isEnd) yield* this.#copyOnwards(down.last ?? found, 'DESC');
  }

  #anyReadable(): number | undefined {
    const sizes = Array.from({ length: 42 }, (_, power) => 2 ** power);
    for (const near of [...(this.#plan.near?.() ?? []), ...sizes]) {
      const key = this.#keyNear(near, 'ASC');
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** From a key on towards an end that cannot be read: looks ever further for rows, and reads those between. */
  *#copyOnwards(key: number, direction: Direction): Generator<void> {
    const sign = direction === 'ASC' ? 1 : -1;
    let reached = key;
    for (;;) {
      const found = this.#nextReadable(reached, direction);
      if (found === undefined) break;
      yield* this.#copyBetween(Math.min(reached + sign, found), Math.max(reached + sign, found));
      const range = direction === 'ASC' ? { from: found, to: MAX_KEY } : { from: -MAX_KEY, to: found };
      const on = yield* this.#copy(direction, range);
      if (on.isEnd) return;
      if (on.last === null || on.last === reached) break;
      reached = on.last;
    }
    if (direction === 'ASC') this.#note(reached + 1, null);
    else this.#note(null, reached - 1);
  }

  #nextReadable(key: number, direction: Direction): number | undefined {
    const { step = 1 } = this.#plan;
    const sign = direction === 'ASC' ? 1 : -1;
    for (let distance = step; Math.abs(key) + distance < MAX_KEY; distance *= 2) {
      const found = this.#keyNear(key + sign * distance, direction);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first key from one on; undefined where it cannot be read, or there is none. */
  #keyNear(key: number, direction: Direction): number | undefined {
    const [column] = this.#plan.order;
    const comparison = direction === 'ASC' ? '>=' : '<=';
    const sql = `SELECT ${column} AS key FROM ${this.#table} WHERE ${column} ${comparison} ? ORDER BY ${column} ${direction} LIMIT 1`;
    const found = this.reading((source) => source.prepare(sql).get(key))?.key;
    return typeof found === 'number' && (direction === 'ASC' ? found >= key : found <= key)
      ? found
      : undefined;
  }

  /** Copies rows until one cannot be read. */
  *#copy(direction: Direction, range: KeyRange | null): Generator<void, Copied> {
    const { order } = this.#plan;
    const by = order.map((column) => `${column} ${direction}`).join(', ');
    // With a bound at its end SQLite takes a damaged key beyond it for the end of the range.
    const begin = direction === 'ASC' ? range?.from : range?.to;
    const where = begin === undefined ? '' : `WHERE ${order[0]} ${direction === 'ASC' ? '>=' : '<='} ?`;
    const rows = this.reading((source) => {
      const select = source.prepare(`SELECT * FROM ${this.#table} ${where} ORDER BY ${by}`);
      select.setReadBigInts(true);
      return select.iterate(...(begin === undefined ? [] : [begin]));
    });
    let last: number | null = null;
    let count = 0;
    for (;;) {
      const next = this.reading(() => rows?.next());
      if (next === undefined) return { isEnd: false, last };
      if (next.done === true) return { isEnd: true, last };
      const key = this.#keyOf(next.value);
      if (range !== null && key !== undefined && (direction === 'ASC' ? key > range.to : key < range.from))
        return { isEnd: this.#accept(next.value), last };
      if (key !== undefined && !this.#isNext(key, last, direction, range)) return { isEnd: false, last };
      this.add(next.value);
      last = key ?? last;
      if (++count % ROW_BATCH_SIZE === 0) yield;
    }
  }

  /** Whether rows come in their order; a damaged page has any. */
  #isNext(key: number, last: number | null, direction: Direction, range: KeyRange | null): boolean {
    if (!Number.isSafeInteger(key) || (range !== null && (key < range.from || key > range.to))) return false;
    if (last === null) return true;
    if (this.#plan.order.length === 1) return direction === 'ASC' ? key > last : key < last;
    return direction === 'ASC' ? key >= last : key <= last;
  }

  /** Undefined for a key that does not begin with a number. */
  #keyOf(row: Row): number | undefined {
    const value = row[this.#plan.order[0] ?? ''];
    return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
  }

  /** @param from null: from the first row @param to null: to the last one */
  #note(from: number | null, to: number | null): void {
    this.#lost = {
      from: Math.min(this.#lost?.from ?? MAX_KEY, from ?? -MAX_KEY),
      to: Math.max(this.#lost?.to ?? -MAX_KEY, to ?? MAX_KEY),
    };
  }
}

interface Copied {
  /** Whether there are no more rows. */
  readonly isEnd: boolean;
  /** Key of the last row; null where there was none. */
  readonly last: number | null;
}
