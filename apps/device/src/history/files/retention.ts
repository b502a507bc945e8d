import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction } from '../../storage/database.ts';
import {
  BUCKETS_PER_BLOCK,
  FIVE_MINUTES,
  HOURS,
  RETENTION_TIERS,
  type Resolution,
  type RetentionTier,
} from '../resolution.ts';

/** Slices removed at a time: a limit that was set lower is reached over some minutes, without holding up polls. */
const SLICE_BATCH_SIZE = 20;

/** Pages given back to the file system at a time. */
const PAGE_BATCH_SIZE = 2_000;

/** Size of the write-ahead log besides the file, in bytes. */
const BESIDE_FILE_BYTES = 6 * 1024 * 1024;

/** How a resolution's rows are removed; `unitMs` turns the times of its rows into milliseconds. */
interface TierStatements {
  readonly unitMs: number;
  readonly oldest: StatementSync;
  readonly removals: readonly StatementSync[];
}

/** Keeps the history within its size on the disk, from the oldest on. */
export class Retention {
  readonly #db: DatabaseSync;
  readonly #maxBytes: number;
  readonly #tiers: Readonly<Record<Resolution, TierStatements>>;
  readonly #setSince: StatementSync;
  readonly #since: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync, maxBytes: number) {
    this.#db = db;
    this.#maxBytes = Math.max(0, maxBytes - BESIDE_FILE_BYTES);
    const rollup = (table: string, bucketMs: number, ...removals: StatementSync[]): TierStatements => ({
      unitMs: BUCKETS_PER_BLOCK * bucketMs,
      oldest: db.prepare(`SELECT min(block) AS oldest FROM ${table}`),
      removals: [db.prepare(`DELETE FROM ${table} WHERE block < ?`), ...removals],
    });
    this.#tiers = {
      readings: {
        unitMs: 1,
        oldest: db.prepare('SELECT min(start) AS oldest FROM batches'),
        removals: [
          db.prepare('DELETE FROM readings WHERE start < ?'),
          db.prepare('DELETE FROM batches WHERE start < ?'),
        ],
      },
      five_minutes: rollup(FIVE_MINUTES.table, FIVE_MINUTES.bucketMs),
      hours: rollup(HOURS.table, HOURS.bucketMs, db.prepare(REMOVE_STATES)),
    };
    this.#setSince = db.prepare(`
      INSERT INTO kept (resolution, since) VALUES (?, ?)
      ON CONFLICT (resolution) DO UPDATE SET since = max(since, excluded.since)`);
    this.#newest = db.prepare('SELECT max(start) AS newest FROM batches');
    this.#since = db.prepare('SELECT since FROM kept WHERE resolution = ?');
  }

  /** Since when a resolution is whole, in milliseconds since the epoch. */
  completeSince(resolution: Resolution): number {
    return Number(this.#since.get(resolution)?.since ?? 0);
  }

  /** Removes what is oldest until the rest fits, or for this time enough was removed. */
  enforce(nowMs: number): void {
    if (this.#usedBytes() > this.#maxBytes) {
      inTransaction(this.#db, () => {
        for (let slices = 0; slices < SLICE_BATCH_SIZE && this.#usedBytes() > this.#maxBytes; slices++) {
          if (!this.#removeOnce(nowMs) && !this.#removeOnce(this.#newestMs())) break;
        }
      });
    }
    if (this.#fileBytes() > this.#maxBytes) this.#db.exec(`PRAGMA incremental_vacuum(${PAGE_BATCH_SIZE})`);
  }

  /** @returns whether there was anything to remove, by a clock that shows this */
  #removeOnce(nowMs: number): boolean {
    return RETENTION_TIERS.some((tier) => this.#removeOldest(tier, nowMs));
  }

  /** By a clock that is behind all readings, none is old: then the newest one counts as now. */
  #newestMs(): number {
    return Number(this.#newest.get()?.newest ?? 0);
  }

  /** @returns whether there was anything that old */
  #removeOldest({ resolution, protectedMs, sliceMs }: RetentionTier, nowMs: number): boolean {
    const { unitMs, oldest, removals } = this.#tiers[resolution];
    const first = oldest.get()?.oldest;
    if (typeof first !== 'number' || first * unitMs >= nowMs - protectedMs) return false;
    const end = first + Math.ceil(sliceMs / unitMs);
    for (const removal of removals) removal.run(end);
    this.#setSince.run(resolution, end * unitMs);
    return true;
  }

  #usedBytes(): number {
    return (this.#pragma('page_count') - this.#pragma('freelist_count')) * this.#pragma('page_size');
  }

  #fileBytes(): number {
    return this.#pragma('page_count') * this.#pragma('page_size');
  }

  #pragma(name: string): number {
    return Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name]);
  }
}

/** States go with the hours, except the one that each topic was in at that time. */
const REMOVE_STATES = `
  DELETE FROM states WHERE at < ?1 * ${BUCKETS_PER_BLOCK * HOURS.bucketMs} AND EXISTS (
    SELECT 1 FROM states AS later WHERE later.series = states.series AND later.at > states.at
      AND later.at <= ?1 * ${BUCKETS_PER_BLOCK * HOURS.bucketMs})`;
