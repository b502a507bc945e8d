import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineMetric, quantities } from '@heliograph/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test/history/recorded-home.ts';
import { Batch } from '../columns/batch.ts';
import { CurveBuilder } from '../reading/curve.ts';
import { planOf } from '../reading/plan.ts';
import type { Resolution } from '../resolution.ts';
import { HISTORY_FILE, openHistoryDatabase } from './history-database.ts';
import { HistoryStore } from './history-store.ts';

const START = Date.parse('2026-06-01T00:00:00Z');
const DAYS = 40;
const END = START + DAYS * DAY_MS;
const BESIDE_FILE = 6 * 1024 * 1024;

const POWER = defineMetric('totals', null, quantities.power('PV power'));
const MODE = defineMetric('inverters', 0, quantities.state('Device mode'));

let folder: string;
let filled: string;
beforeAll(() => {
  filled = mkdtempSync(join(tmpdir(), 'device-history-'));
  const db = openHistoryDatabase(filled);
  new HistoryStore(db, Number.POSITIVE_INFINITY).writer.write(forty());
  db.close();
});
afterAll(() => rmSync(filled, { recursive: true }));

let store: HistoryStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-history-'));
  return () => {
    store.close();
    rmSync(folder, { recursive: true });
  };
});

/** Forty days in which a power moved with every reading, every ten minutes, and a mode once a day, at six. */
function forty(): readonly Batch[] {
  const batches: Batch[] = [];
  for (let at = START; at < END; at += 10 * MINUTE_MS) {
    const batch = new Batch();
    for (let i = 0; i < 20; i++) {
      const takenAt = at + i * 2_000;
      const value = (i * 7919 + at / MINUTE_MS) % 5_000;
      const sample = { definition: POWER, value, readAt: takenAt, stale: false };
      batch.add({ sequence: 1, takenAt, samples: new Map([[POWER.topic, sample]]) });
    }
    if (at % DAY_MS === 6 * HOUR_MS)
      batch.changes.push({ definition: MODE, at, value: `Mode ${batches.length}` });
    batches.push(batch);
  }
  return batches;
}

/** The forty days with so much room for them, after enough rounds of making room. */
function keptIn(bytes: number, nowMs = END): void {
  const db = openHistoryDatabase(folder);
  // The results are the same without waiting for the disk.
  db.exec('PRAGMA synchronous = OFF');
  db.exec(`ATTACH '${join(filled, HISTORY_FILE)}' AS filled`);
  for (const table of ['series', 'batches', 'readings', 'five_minutes', 'hours', 'states']) {
    db.exec(`INSERT INTO ${table} SELECT * FROM filled.${table}`);
  }
  db.exec('DETACH filled');
  store = new HistoryStore(db, bytes + BESIDE_FILE);
  for (let round = 0; round < 80; round++) store.retention.enforce(nowMs);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

const since = (source: Resolution): number => (store.retention.completeSince(source) - START) / DAY_MS;

const dayOf = (stepMs: number, day: number) => {
  const fromMs = START + day * DAY_MS;
  const request = { matches: () => true, fromMs, toMs: fromMs + DAY_MS, stepMs };
  const plan = planOf(request, 1, END, (source) => store.retention.completeSince(source));
  const curve = new CurveBuilder(plan);
  for (const _rows of store.reader.addTo(curve, 1, plan.fromMs, plan.toMs, plan.source));
  return { source: plan.source, stepMs: plan.stepMs, points: curve.build(HOUR_MS)?.times.length };
};

const onDisk = (): number => statSync(join(folder, HISTORY_FILE)).size;

describe('Retention of a history that has become too large', () => {
  it('the oldest readings go first, until the size fits', () => {
    keptIn(650_000);
    expect(onDisk()).toBeLessThanOrEqual(650_000);
    expect(onDisk()).toBeGreaterThan(600_000);
    expect(since('readings')).toBeGreaterThan(3);
    expect(since('readings')).toBeLessThan(30);
    expect([since('five_minutes'), since('hours')]).toEqual([-START / DAY_MS, -START / DAY_MS]);
    expect(dayOf(MINUTE_MS, 39)).toEqual({ source: 'readings', stepMs: MINUTE_MS, points: 144 });
    expect(dayOf(MINUTE_MS, 1)).toEqual({ source: 'five_minutes', stepMs: 5 * MINUTE_MS, points: 144 });
    const edge = since('readings');
    expect(dayOf(MINUTE_MS, edge)).toEqual({ source: 'readings', stepMs: MINUTE_MS, points: 144 });
    expect(dayOf(MINUTE_MS, edge - 1 / 24)).toMatchObject({ source: 'five_minutes', points: 144 });
  });

  it('five-minute buckets go next, and the readings of a day stay', () => {
    keptIn(140_000);
    expect(onDisk()).toBeLessThanOrEqual(140_000);
    expect(since('readings')).toBeGreaterThan(38);
    expect(since('readings')).toBeLessThanOrEqual(39);
    expect(since('five_minutes')).toBeGreaterThan(0);
    expect(since('five_minutes')).toBeLessThanOrEqual(10);
    expect(dayOf(MINUTE_MS, 0)).toEqual({ source: 'hours', stepMs: HOUR_MS, points: 24 });
    expect(dayOf(DAY_MS, 0)).toEqual({ source: 'hours', stepMs: DAY_MS, points: 1 });
  });

  it('the size fits, and the newest readings stay, with a clock that is months behind all of them', () => {
    keptIn(650_000, START - 60 * DAY_MS);
    expect(onDisk()).toBeLessThanOrEqual(650_000);
    expect(onDisk()).toBeGreaterThan(600_000);
    expect(dayOf(MINUTE_MS, 39)).toEqual({ source: 'readings', stepMs: MINUTE_MS, points: 144 });
  });

  it('hours go last, and each topic keeps the state that it was in where they begin', () => {
    keptIn(50_000);
    const edge = since('hours');
    expect([edge, since('readings'), since('five_minutes')]).toEqual([20, 40, 40]);
    expect(dayOf(DAY_MS, edge).points).toBe(1);
    expect(dayOf(DAY_MS, edge - 1).points).toBeUndefined();
    const statesFrom = (day: number) =>
      store.reader.states(2, START + day * DAY_MS, END, 100).map(({ at }) => (at - START) / DAY_MS);
    const kept = Array.from({ length: 21 }, (_, i) => 19.25 + i);
    expect([statesFrom(edge), statesFrom(0)]).toEqual([kept, kept]);
  });

  it('everything goes at the end, and recording goes on', () => {
    keptIn(0);
    expect(since('readings')).toBeGreaterThanOrEqual(40);
    expect(since('hours')).toBeGreaterThanOrEqual(40);
    expect(dayOf(DAY_MS, 39).points).toBeUndefined();
    const states = store.reader.states(2, END, END + 1, 10);
    expect(states.map(({ value }) => value)).toEqual([`Mode ${39 * 144 + 36}`]);
    expect(store.reader.states(2, START, END, 100)).toHaveLength(1);
  });

  it('a clock that is set ten years ahead deletes nothing that has its place', () => {
    keptIn(650_000);
    const kept = () => [since('readings'), since('five_minutes'), since('hours'), dayOf(MINUTE_MS, 39)];
    const before = kept();
    for (let round = 0; round < 80; round++) store.retention.enforce(END + 3_653 * DAY_MS);
    expect(kept()).toEqual(before);
  });
});
