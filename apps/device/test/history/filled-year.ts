import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { defineMetric, type MetricDefinition, quantities } from '@heliograph/metrics';
import { Batch } from '../../src/history/columns/batch.ts';
import { addReading, type Bucket, bucketOf } from '../../src/history/columns/bucket.ts';
import { encodeBuckets } from '../../src/history/columns/buckets-column.ts';
import { HISTORY_FILE, openHistoryDatabase } from '../../src/history/files/history-database.ts';
import { HistoryWriter } from '../../src/history/history-writer.ts';
import {
  BUCKETS_PER_BLOCK,
  blockStart,
  placeOf,
  ROLLUPS,
  type Rollup,
} from '../../src/history/resolution.ts';
import type { Sample } from '../../src/poll/snapshot.ts';
import { inTransaction } from '../../src/storage/database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const POLL_MS = 2_000;

/** A topic and what it is at a time. */
interface Signal {
  readonly definition: MetricDefinition;
  readonly at: (timeMs: number) => number;
}

export interface FilledYear {
  readonly metrics: number;
  /** Megabytes (10^6 bytes) that a year of roll-ups takes on the disk, and a day of readings. */
  readonly yearMb: number;
  readonly dayMb: number;
}

/**
 * Fills a folder's history with a year of sixty metrics: roll-ups of all of it, and for the last days also the
 * readings of a poll every two seconds.
 */
export function fillYear(folder: string, endMs: number, daysOfReadings: number): FilledYear {
  const db = openHistoryDatabase(folder);
  try {
    // Only the filling need not survive anything.
    db.exec('PRAGMA synchronous = OFF');
    const writer = new HistoryWriter(db);
    const signals = home();
    const readingsFrom = endMs - daysOfReadings * DAY_MS;
    // Makes the series known, which the roll-ups then refer to by number.
    writer.write([minuteOf(signals, readingsFrom - MINUTE_MS)]);
    for (const rollup of ROLLUPS)
      inTransaction(db, () => fillRollup(db, rollup, signals, readingsFrom, endMs));
    const before = onDisk(db, folder);
    for (let at = readingsFrom; at < endMs; at += DAY_MS / 4) {
      const minutes = Array.from({ length: DAY_MS / 4 / MINUTE_MS }, (_, minute) => at + minute * MINUTE_MS);
      writer.write(minutes.map((minute) => minuteOf(signals, minute)));
    }
    const rollupsOfADay = before / 365;
    const dayMb = (onDisk(db, folder) - before) / daysOfReadings - rollupsOfADay;
    return { metrics: signals.length, yearMb: before, dayMb };
  } finally {
    db.close();
  }
}

/** Twenty powers that never rest, fifteen voltages and currents, ten slow ones, fifteen settings and counters. */
function home(): readonly Signal[] {
  const unit = (name: string, index: number) => `${name} ${index + 1}`;
  const many = (count: number, make: (index: number) => Signal): Signal[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const inverter = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('inverters', 0, quantity);
  return [
    ...many(20, (i) => ({
      definition: inverter(quantities.power(unit('Power', i))),
      at: (t) => Math.round(2_000 + 1_500 * wave(t, DAY_MS, i) + 60 * noise(t, i)),
    })),
    ...many(15, (i) => ({
      definition: inverter(quantities.voltage(unit('Voltage', i))),
      at: (t) => Math.round(2_300 + 20 * wave(t, DAY_MS / 8, i) + 8 * noise(t, i)) / 10,
    })),
    ...many(10, (i) => ({
      definition: inverter(quantities.temperature(unit('Temperature', i))),
      at: (t) => Math.round(300 + 150 * wave(t, DAY_MS, i)) / 10,
    })),
    ...many(15, (i) => ({
      definition: inverter(quantities.numberSetting(unit('Setting', i), 'A', { min: 0, max: 100, step: 1 })),
      at: () => 10 + i,
    })),
  ];
}

const wave = (timeMs: number, periodMs: number, shift: number): number =>
  Math.sin((2 * Math.PI * timeMs) / periodMs + shift);

/** From -1 to 1, another one for each poll and topic. */
function noise(timeMs: number, index: number): number {
  const mixed = Math.imul(Math.floor(timeMs / 1000) ^ (index * 0x9e3779b9), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 31 - 1;
}

function minuteOf(signals: readonly Signal[], startMs: number): Batch {
  const batch = new Batch();
  for (let i = 0; i < MINUTE_MS / POLL_MS; i++) {
    // Polls are never quite on time.
    const takenAt = startMs + i * POLL_MS + Math.round(3 + 3 * noise(startMs + i * POLL_MS, 99));
    const samples = new Map<string, Sample>();
    for (const { definition, at } of signals) {
      samples.set(definition.topic, { definition, value: at(takenAt), readAt: takenAt, stale: false });
    }
    batch.add({ sequence: 1, takenAt, samples });
  }
  return batch;
}

function fillRollup(
  db: DatabaseSync,
  rollup: Rollup,
  signals: readonly Signal[],
  endMs: number,
  yearEndMs: number,
): void {
  const insert = db.prepare(`INSERT OR REPLACE INTO ${rollup.table} (block, series, data) VALUES (?, ?, ?)`);
  const end = placeOf(endMs, rollup).block;
  for (let { block } = placeOf(yearEndMs - 365 * DAY_MS, rollup); block < end; block++) {
    for (const [index, { definition, at }] of signals.entries()) {
      const start = blockStart(block, rollup);
      const buckets = Array.from({ length: BUCKETS_PER_BLOCK }, (_, i) => {
        return bucketAround(at, start + i * rollup.bucketMs, rollup.bucketMs);
      });
      insert.run(block, index + 1, encodeBuckets(buckets, definition.decimals ?? 0));
    }
  }
}

/** As many readings as there would be, from a few of them. */
function bucketAround(at: Signal['at'], startMs: number, lengthMs: number): Bucket {
  const bucket = bucketOf(at(startMs));
  for (let part = 1; part < 4; part++) addReading(bucket, at(startMs + Math.round((part / 4) * lengthMs)));
  const count = Math.round(lengthMs / POLL_MS);
  return { ...bucket, count, sum: (bucket.sum / bucket.count) * count };
}

/** In megabytes, with everything in the file itself. */
function onDisk(db: DatabaseSync, folder: string): number {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return statSync(join(folder, HISTORY_FILE)).size / 1_000_000;
}
