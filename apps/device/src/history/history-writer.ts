import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MetricDefinition } from '@heliograph/metrics';
import { inTransaction } from '../storage/database.ts';
import type { Batch, BatchColumn } from './columns/batch.ts';
import { addBucket, addReading, type Bucket, bucketOf } from './columns/bucket.ts';
import { decodeBuckets, encodeBuckets } from './columns/buckets-column.ts';
import { decodeTimes, encodeTimes, encodeValues } from './columns/readings-column.ts';
import { BUCKETS_PER_BLOCK, placeOf, ROLLUPS, type Rollup } from './resolution.ts';

interface Series {
  readonly id: number;
  readonly name: string;
  readonly unit: string;
}

interface RollupStatements {
  readonly rollup: Rollup;
  readonly select: StatementSync;
  readonly upsert: StatementSync;
}

/** Writes batches of snapshots: the readings, what they change in the roll-ups, and the states. */
export class HistoryWriter {
  readonly #db: DatabaseSync;
  readonly #upsertSeries: StatementSync;
  readonly #upsertBatch: StatementSync;
  readonly #upsertReadings: StatementSync;
  readonly #upsertState: StatementSync;
  readonly #rollups: readonly RollupStatements[];
  readonly #series = new Map<string, Series>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#upsertSeries = db.prepare(`
      INSERT INTO series (topic, name, unit) VALUES (?, ?, ?)
      ON CONFLICT (topic) DO UPDATE SET name = excluded.name, unit = excluded.unit RETURNING id`);
    this.#upsertBatch = db.prepare('INSERT OR REPLACE INTO batches (start, times) VALUES (?, ?)');
    this.#upsertReadings = db.prepare(
      'INSERT OR REPLACE INTO readings (start, series, data) VALUES (?, ?, ?)',
    );
    this.#upsertState = db.prepare('INSERT OR REPLACE INTO states (series, at, value) VALUES (?, ?, ?)');
    this.#rollups = ROLLUPS.map((rollup) => ({
      rollup,
      select: db.prepare(`SELECT data FROM ${rollup.table} WHERE block = ? AND series = ?`),
      upsert: db.prepare(`INSERT OR REPLACE INTO ${rollup.table} (block, series, data) VALUES (?, ?, ?)`),
    }));
  }

  /** Stores all of it or nothing. A batch that begins in the same millisecond as a stored one replaces it. */
  write(batches: readonly Batch[]): void {
    try {
      inTransaction(this.#db, () => {
        for (const batch of batches) this.#writeBatch(batch);
      });
    } catch (error) {
      // Numbers that were given out in this transaction are not taken.
      this.#series.clear();
      throw error;
    }
  }

  /**
   * Ends every state where the recording ended: a text's value while nothing was recorded is unknown. Readings of a
   * clock that was ahead do not count, unless there are no others.
   */
  endStates(nowMs: number): void {
    const ended = this.#lastBatch(nowMs) ?? this.#lastBatch(Number.MAX_SAFE_INTEGER);
    if (ended === undefined) return;
    const endedAt = decodeTimes(ended.times as Uint8Array, Number(ended.start)).at(-1) ?? 0;
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO states (series, at, value)
        SELECT series, max(max(at), ?1) + 1, NULL FROM states AS latest
        WHERE value IS NOT NULL
          AND at = (SELECT max(at) FROM states WHERE series = latest.series AND at <= max(?1, ?2)) GROUP BY series`,
      )
      .run(endedAt, nowMs);
  }

  #lastBatch(untilMs: number) {
    return this.#db
      .prepare('SELECT start, times FROM batches WHERE start <= ? ORDER BY start DESC LIMIT 1')
      .get(untilMs);
  }

  #writeBatch(batch: Batch): void {
    if (batch.times.length === 0) return;
    const { start, times, columns, changes } = batch;
    this.#upsertBatch.run(start, encodeTimes(times));
    for (const { definition, values } of columns.values()) {
      const data = encodeValues(values, definition.decimals ?? 0);
      this.#upsertReadings.run(start, this.#idOf(definition), data);
    }
    for (const statements of this.#rollups) {
      for (const column of columns.values()) this.#addToRollup(statements, times, column);
    }
    for (const { definition, at, value } of changes) this.#upsertState.run(this.#idOf(definition), at, value);
  }

  #addToRollup(
    { rollup, select, upsert }: RollupStatements,
    times: readonly number[],
    { definition, values }: BatchColumn,
  ): void {
    const id = this.#idOf(definition);
    for (const [block, added] of bucketsOf(times, values, rollup)) {
      const stored = select.get(block, id)?.data;
      const buckets = stored instanceof Uint8Array ? decodeBuckets(stored) : [];
      for (const [index, bucket] of added.entries()) {
        if (bucket === undefined) continue;
        const before = buckets[index];
        if (before === undefined) buckets[index] = bucket;
        else addBucket(before, bucket);
      }
      const row = Array.from({ length: BUCKETS_PER_BLOCK }, (_, index) => buckets[index]);
      upsert.run(block, id, encodeBuckets(row, definition.decimals ?? 0));
    }
  }

  #idOf({ topic, name, unit }: MetricDefinition): number {
    const known = this.#series.get(topic);
    if (known?.name === name && known.unit === unit) return known.id;
    const id = Number(this.#upsertSeries.get(topic, name, unit)?.id);
    this.#series.set(topic, { id, name, unit });
    return id;
  }
}

/** The buckets that a batch's readings of one topic fall into, by row. */
function bucketsOf(
  times: readonly number[],
  values: readonly number[],
  rollup: Rollup,
): ReadonlyMap<number, readonly (Bucket | undefined)[]> {
  const blocks = new Map<number, (Bucket | undefined)[]>();
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const { block, index } = placeOf(times[i] ?? 0, rollup);
    let buckets = blocks.get(block);
    if (buckets === undefined) {
      buckets = new Array<Bucket | undefined>(BUCKETS_PER_BLOCK).fill(undefined);
      blocks.set(block, buckets);
    }
    const bucket = buckets[index];
    if (bucket === undefined) buckets[index] = bucketOf(value);
    else addReading(bucket, value);
  }
  return blocks;
}
