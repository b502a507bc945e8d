import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { LocalHour } from './hour.ts';
import { HOUR_FIELDS, type HourAmounts, type HourField } from './hour-ledger.ts';

/** For so long the energy of hours is kept, in milliseconds: ten years, about 9 MB. */
const KEPT_MS = 3_653 * 24 * 60 * 60 * 1000;

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
  try {
    const [hour, ...values]: unknown[] = JSON.parse(text);
    if (!Number.isSafeInteger(hour) || values.length !== HOUR_FIELDS.length) return undefined;
    const known = values.flatMap((value, i) => (value === null ? [] : [[HOUR_FIELDS[i], value] as const]));
    if (!known.every(([, value]) => Number.isSafeInteger(value) && Number(value) >= 0)) return undefined;
    return [Number(hour), Object.fromEntries(known)];
  } catch {
    return undefined;
  }
}
