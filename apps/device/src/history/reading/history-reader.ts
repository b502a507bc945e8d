import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Batch, MAX_BATCH_MS } from '../columns/batch.ts';
import { decodeBuckets } from '../columns/buckets-column.ts';
import { decodeTimes, decodeValues } from '../columns/readings-column.ts';
import { blockStart, HOURS, placeOf, type Resolution, ROLLUPS, type Rollup } from '../resolution.ts';
import type { CurveBuilder } from './curve.ts';

/** A topic that something is known of. */
export interface StoredSeries {
  /** Undefined while nothing of it is on the disk. */
  readonly id: number | undefined;
  readonly topic: string;
  readonly name: string;
  readonly unit: string;
}

/** A text value, from a time on. */
export interface State {
  readonly at: number;
  readonly value: string | null;
}

/** About as many rows as are read at once before others have their turn: a third of a day of readings. */
const ROW_BATCH_SIZE = 500;

/** Reads one topic's past from the disk. */
export class HistoryReader {
  readonly #series: StatementSync;
  readonly #readings: StatementSync;
  readonly #rollups: ReadonlyMap<Resolution, { readonly rollup: Rollup; readonly select: StatementSync }>;
  readonly #ends: ReadonlyMap<Resolution, StatementSync>;
  readonly #states: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#series = db.prepare('SELECT id, topic, name, unit FROM series ORDER BY id');
    // The batches of the time come first: a topic's rows are then looked up, not searched for.
    this.#readings = db.prepare(`
      SELECT batches.start, times, data FROM batches CROSS JOIN readings
      ON readings.start = batches.start AND series = ? WHERE batches.start > ? AND batches.start < ?
      ORDER BY batches.start`);
    this.#rollups = new Map(
      ROLLUPS.map((rollup) => [
        rollup.table,
        {
          rollup,
          select: db.prepare(`
            WITH RECURSIVE wanted (number) AS (
              SELECT ?2 UNION ALL SELECT number + 1 FROM wanted WHERE number < ?3
            )
            SELECT block, data FROM wanted CROSS JOIN ${rollup.table} ON block = number AND series = ?1`),
        },
      ]),
    );
    // Together in one query they would make SQLite read the whole table.
    const ends = (column: string, table: string) =>
      db.prepare(`
        SELECT (SELECT min(${column}) FROM ${table}) AS first, (SELECT max(${column}) FROM ${table}) AS last`);
    this.#ends = new Map<Resolution, StatementSync>([
      ['readings', ends('start', 'batches')],
      ...ROLLUPS.map(({ table }) => [table, ends('block', table)] as const),
    ]);
    this.#newest = db.prepare('SELECT max(start) AS start FROM batches WHERE start <= ?');
    this.#states = db.prepare(`
      SELECT at, value FROM states WHERE series = ?1 AND at < ?3
        AND at >= coalesce((SELECT max(at) FROM states WHERE series = ?1 AND at <= ?2), ?2)
      ORDER BY at LIMIT ?4`);
  }

  series(): readonly (StoredSeries & { readonly id: number })[] {
    return this.#series.all().map(({ id, topic, name, unit }) => ({
      id: Number(id),
      topic: String(topic),
      name: String(name),
      unit: String(unit),
    }));
  }

  /**
   * Since when anything is stored, in milliseconds since the epoch; half a day early where readings gave way to hours.
   *
   * @returns undefined while nothing is
   */
  since(): number | undefined {
    const readings = this.#endsOf('readings').first;
    const hours = blockStart(this.#endsOf('hours').first, HOURS);
    const first = readings < blockStart(1, HOURS) + hours ? readings : hours;
    return Number.isFinite(first) ? first : undefined;
  }

  /** The last batch that begins at a moment or before, in milliseconds since the epoch. */
  newest(untilMs: number): number | undefined {
    const start = this.#newest.get(Math.min(Math.floor(untilMs), Number.MAX_SAFE_INTEGER))?.start;
    return typeof start === 'number' ? start : undefined;
  }

  /**
   * Adds what is stored of a topic, some rows with each step of the iteration, which yields before it reads: after
   * the last rows nothing happens in between before the caller adds the batches that wait.
   *
   * @throws DamagedColumn, or SQLite's error, when the file is damaged
   */
  *addTo(curve: CurveBuilder, id: number, fromMs: number, toMs: number, source: Resolution): Generator<void> {
    const rollup = this.#rollups.get(source);
    if (rollup === undefined) yield* this.#addReadings(curve, id, fromMs, toMs);
    else yield* this.#addBuckets(curve, id, fromMs, toMs, rollup);
  }

  /** The states from a time on, the one that it began with included; at most `limit`. */
  states(id: number, fromMs: number, toMs: number, limit: number): readonly State[] {
    return this.#states.all(id, fromMs, toMs, limit).map(({ at, value }) => ({
      at: Number(at),
      value: value === null ? null : String(value),
    }));
  }

  *#addReadings(curve: CurveBuilder, id: number, fromMs: number, toMs: number): Generator<void> {
    const windowMs = ROW_BATCH_SIZE * MAX_BATCH_MS;
    for (let after = fromMs - MAX_BATCH_MS - 1, end = toMs; after < end; after += windowMs) {
      yield;
      // Asked again each time: more may have been written while others had their turn.
      const { first, last } = this.#endsOf('readings');
      after = Math.max(after, first - 1);
      end = Math.min(toMs, last + 1);
      if (after >= end) return;
      for (const row of this.#readings.all(id, after, Math.min(end, after + windowMs + 1))) {
        const times = decodeTimes(row.times as Uint8Array, Number(row.start));
        for (const [i, value] of decodeValues(row.data as Uint8Array).entries()) {
          if (!Number.isNaN(value)) curve.addReading(times[i] ?? Number.NaN, value);
        }
      }
    }
  }

  *#addBuckets(
    curve: CurveBuilder,
    id: number,
    fromMs: number,
    toMs: number,
    { rollup, select }: { readonly rollup: Rollup; readonly select: StatementSync },
  ): Generator<void> {
    const lastWanted = placeOf(toMs, rollup).block;
    let end = lastWanted;
    for (let block = placeOf(fromMs, rollup).block; block <= end; block += ROW_BATCH_SIZE) {
      yield;
      const { first, last } = this.#endsOf(rollup.table);
      block = Math.max(block, first);
      end = Math.min(lastWanted, last);
      if (block > end) return;
      for (const row of select.all(id, block, Math.min(end, block + ROW_BATCH_SIZE - 1))) {
        const start = blockStart(Number(row.block), rollup);
        for (const [i, bucket] of decodeBuckets(row.data as Uint8Array).entries()) {
          if (bucket !== undefined) curve.addBucket(start + i * rollup.bucketMs, bucket);
        }
      }
    }
  }

  #endsOf(source: Resolution): { readonly first: number; readonly last: number } {
    const { first, last } = this.#ends.get(source)?.get() ?? {};
    return {
      first: Number(first ?? Number.POSITIVE_INFINITY),
      last: Number(last ?? Number.NEGATIVE_INFINITY),
    };
  }
}

/** Adds what of a topic waits to be written. */
export function addWaiting(curve: CurveBuilder, topic: string, waiting: readonly Batch[]): void {
  for (const { times, columns } of waiting) {
    for (const [i, value] of columns.get(topic)?.values.entries() ?? []) {
      if (!Number.isNaN(value)) curve.addReading(times[i] ?? Number.NaN, value);
    }
  }
}
