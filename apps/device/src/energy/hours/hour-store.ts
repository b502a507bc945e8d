import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { storedJson } from '../../storage/stored-json.ts';
import type { LocalHour } from './hour.ts';
import { HOUR_FIELDS, type HourAmounts, type HourField } from './hour-ledger.ts';

/** For so long the energy of hours is kept, in milliseconds: ten years, about 9 MB. */
const KEPT_MS = 3_653 * 24 * 60 * 60 * 1000;

/** The start of the hour, and its amounts; null is unknown. */
const HOUR = Compile(
  Type.Array(Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()])),
);

const COLUMNS = HOUR_FIELDS.join(', ');

/** Keeps the energy of each local hour, in a row each. */
export class HourStore {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeOld: StatementSync;
  readonly #range: StatementSync;
  readonly #sum: StatementSync;
  readonly #first: StatementSync;
  readonly #last: StatementSync;
  readonly #count: StatementSync;

  constructor(db: DatabaseSync) {
    this.#select = db.prepare(`SELECT ${COLUMNS} FROM energy_hours WHERE start = ?`);
    this.#upsert = db.prepare(
      `INSERT OR REPLACE INTO energy_hours (start, ${COLUMNS}) VALUES (?, ${HOUR_FIELDS.map(() => '?').join(', ')})`,
    );
    this.#remove = db.prepare('DELETE FROM energy_hours WHERE start = ?');
    this.#removeOld = db.prepare('DELETE FROM energy_hours WHERE start < ?');
    this.#range = db.prepare(
      `SELECT start, ${COLUMNS} FROM energy_hours WHERE start >= ? AND start < ? ORDER BY start`,
    );
    this.#sum = db.prepare(
      `SELECT ${HOUR_FIELDS.map((field) => `sum(${field}) AS ${field}`).join(', ')} FROM energy_hours WHERE start >= ? AND start < ?`,
    );
    this.#last = db.prepare('SELECT max(start) AS start FROM energy_hours');
    this.#count = db.prepare('SELECT count(*) AS count FROM energy_hours WHERE start > ? AND start < ?');
    this.#first = db.prepare('SELECT min(start) AS start FROM energy_hours');
  }

  hour(hour: LocalHour): HourAmounts | undefined {
    const row = this.#select.get(hour);
    return row && amountsIn(row);
  }

  /** In place of what is stored of the hour; those of more than ten years before go. */
  save(hour: LocalHour, amounts: HourAmounts): void {
    if (Object.keys(amounts).length === 0) {
      this.#remove.run(hour);
      return;
    }
    const values: SQLInputValue[] = HOUR_FIELDS.map((field) => amounts[field] ?? null);
    this.#upsert.run(hour, ...values);
    this.#removeOld.run(hour - KEPT_MS);
  }

  /** Those that begin within a time, in order. */
  between(fromMs: number, toMs: number): ReadonlyMap<LocalHour, HourAmounts> {
    return new Map(
      this.#range.all(Math.ceil(fromMs), Math.ceil(toMs)).map((row) => [Number(row.start), amountsIn(row)]),
    );
  }

  /** Of the hours that begin within a time. */
  sum(fromMs: number, toMs: number): HourAmounts {
    return amountsIn(this.#sum.get(Math.ceil(fromMs), Math.ceil(toMs)) ?? {});
  }

  /** The first hour that is known. */
  first(): LocalHour | undefined {
    const start = this.#first.get()?.start;
    return typeof start === 'number' ? start : undefined;
  }

  /** The last hour that is known. */
  last(): LocalHour | undefined {
    const start = this.#last.get()?.start;
    return typeof start === 'number' ? start : undefined;
  }

  /** How many hours are known between two others. */
  count(after: LocalHour, before: LocalHour): number {
    return Number(this.#count.get(after, before)?.count);
  }
}

function amountsIn(row: Record<string, unknown>): HourAmounts {
  const amounts: Partial<Record<HourField, number>> = {};
  for (const field of HOUR_FIELDS) if (typeof row[field] === 'number') amounts[field] = row[field];
  return amounts;
}

/** The current hour as text beside its day, so that a poll writes one row. */
export function hourText(hour: LocalHour, amounts: HourAmounts): string {
  return JSON.stringify([hour, ...HOUR_FIELDS.map((field) => amounts[field] ?? null)]);
}

/** @returns undefined for damaged text: an hour is lost */
export function hourFromText(text: string): readonly [LocalHour, HourAmounts] | undefined {
  const [hour, ...values] = storedJson(text, HOUR) ?? [];
  if (hour == null || values.length !== HOUR_FIELDS.length) return undefined;
  const known = values.flatMap((value, i) => (value === null ? [] : [[HOUR_FIELDS[i], value] as const]));
  return [hour, Object.fromEntries(known)];
}
