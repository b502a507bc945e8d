import type { DatabaseSync } from 'node:sqlite';
import type { WriteOutcome } from '@heliograph/contracts';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { defineMetric, type MetricValue, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sample, SnapshotPublisher } from '../poll/snapshot.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { WriteLog, type WriteResult } from '../storage/write-log.ts';
import { WriteFollowUp } from './write-follow-up.ts';

const TOPIC = 'inverter_1/max_charge_current';
const DEFINITION = defineMetric(
  'inverters',
  0,
  quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 }),
);
const MINUTE_MS = 60_000;
const UNKNOWN: WriteResult = { outcome: 'unknown', reason: 'no_answer', isSent: true, isOpen: true };

let db: DatabaseSync;
let clock: ManualClock;
let snapshots: SnapshotPublisher;
let log: WriteLog;
let followUp: WriteFollowUp;
let reports: (readonly [string, WriteOutcome, string])[];
let reading: Pick<Sample, 'value' | 'readAt'> | undefined;

function begin(withReports = true): void {
  clock = new ManualClock(Date.parse('2026-06-21T10:00:00Z'));
  snapshots = new SnapshotPublisher();
  db = openTemporaryDatabase();
  log = new WriteLog(db);
  reports = [];
  followUp = new WriteFollowUp({
    ...{ snapshots, log, clock, logger: silentLogger },
    ...(withReports && { onOutcome: (...report) => reports.push(report) }),
  });
  followUp.start();
  poll(0, 10);
}
beforeEach(() => begin());
afterEach(() => {
  followUp.stop();
  db.close();
});

/** Publishes a poll. @param value that is read now; undefined for the reading of before */
function poll(afterMs: number, value?: MetricValue): void {
  clock.advance(afterMs);
  if (value !== undefined) reading = { value, readAt: clock.now() };
  publish();
}

function publish(): void {
  const samples = new Map<string, Sample>(
    reading === undefined ? [] : [[TOPIC, { definition: DEFINITION, stale: false, ...reading }]],
  );
  snapshots.publish({ sequence: snapshots.current.sequence + 1, takenAt: clock.now(), samples });
}

/** A write of 25. */
function write(result: WriteResult, oldValue: string | null = '10'): void {
  const attempt = {
    ...{ at: clock.now(), author: 'local', via: 'lan', topic: TOPIC },
    ...{ oldValue, newValue: '25', serialNumber: null },
  };
  const id = log.begin(attempt);
  followUp.begin({ ...attempt, id });
  log.finish(id, result);
  followUp.end({ ...attempt, id }, result);
}

const outcome = () => log.recent(1)[0]?.outcome;

describe('the readings after a write', () => {
  it('a reading from before the write is none of them, however often it is published', () => {
    write(UNKNOWN);
    for (let minute = 0; minute < 10; minute++) poll(MINUTE_MS);
    expect([outcome(), reports]).toEqual(['unknown', []]);
    poll(0, 10);
    expect(reports).toEqual([[TOPIC, 'unknown', '25']]);
  });

  it.each<[string, () => void]>([
    ['a value that is unknown', () => poll(MINUTE_MS, null)],
    [
      'a topic that is not there',
      () => {
        clock.advance(MINUTE_MS);
        reading = undefined;
        publish();
      },
    ],
  ])('a poll with %s has no reading, and the five minutes begin with the first one', (_what, pass) => {
    write(UNKNOWN);
    for (let minute = 0; minute < 10; minute++) pass();
    expect(reports).toEqual([]);
    poll(MINUTE_MS, 10);
    poll(5 * MINUTE_MS - 1, 10);
    expect(outcome()).toBe('unknown');
    poll(1, 10);
    expect(outcome()).toBe('rejected');
  });

  it.each([
    ['for a minute', MINUTE_MS, 'altered'],
    ['for less', MINUTE_MS - 1, 'unknown'],
  ])('another value that is read %s after five minutes ends a write as %s', (_long, steadyMs, expected) => {
    write(UNKNOWN);
    poll(1_000, 10);
    poll(5 * MINUTE_MS - steadyMs, 12);
    poll(steadyMs, 12);
    expect(outcome()).toBe(expected);
  });

  it('an unknown write is reported with the first reading alone, before its end', () => {
    write(UNKNOWN);
    for (let minute = 0; minute < 4; minute++) poll(MINUTE_MS, 10);
    expect(reports).toEqual([[TOPIC, 'unknown', '25']]);
    poll(2 * MINUTE_MS, 10);
    expect(reports.slice(1)).toEqual([[TOPIC, 'rejected', '25']]);
  });

  it('a rejected write is not reported again with its readings', () => {
    write({ ...UNKNOWN, outcome: 'rejected', reason: 'kept' });
    for (let minute = 0; minute < 7; minute++) poll(MINUTE_MS, 10);
    expect([outcome(), reports]).toEqual(['rejected', []]);
    expect(log.recent(1)[0]?.isOpen).toBe(false);
  });

  it.each([
    ['10', 10, 'rejected'],
    ['10', 12, 'altered'],
    [null, 12, 'rejected'],
  ])('an unknown write over %s after which %s is read ends as %s', (oldValue, value, expected) => {
    write(UNKNOWN, oldValue);
    for (let minute = 0; minute < 7; minute++) poll(MINUTE_MS, value);
    expect(outcome()).toBe(expected);
  });

  it('an outcome is corrected without a receiver of reports, too', () => {
    db.close();
    begin(false);
    write(UNKNOWN);
    poll(MINUTE_MS, 10);
    poll(MINUTE_MS, 25);
    expect(outcome()).toBe('ok');
  });
});
