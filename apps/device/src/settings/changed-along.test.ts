import { ManualClock } from '@heliograph/kit';
import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../poll/snapshot.ts';
import type { AlsoChanged } from '../storage/write-log.ts';
import { ChangedAlong } from './changed-along.ts';

const PERCENT = { min: 0, max: 100, step: 1 };
const MODE = 'inverter_1/mode';
const RESERVE = 'inverter_1/reserve';
const DEFINITIONS: readonly MetricDefinition[] = [
  defineMetric('inverters', 0, quantities.numberSetting('Mode', '', PERCENT)),
  defineMetric('inverters', 0, quantities.numberSetting('Reserve', '%', PERCENT)),
  defineMetric('inverters', 0, quantities.power('PV power')),
  defineMetric('inverters', 1, quantities.numberSetting('Reserve', '%', PERCENT)),
];
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

let clock: ManualClock;
let along: ChangedAlong;
let values: Record<string, MetricValue>;
/** By topic, the time of its last reading where that is not now. */
let readAt: Record<string, number>;
let reported: [id: number, changes: readonly AlsoChanged[]][];
beforeEach(() => {
  clock = new ManualClock(Date.parse('2026-06-21T10:00:00Z'));
  values = { [MODE]: 1, [RESERVE]: 20, 'inverter_1/pv_power': 500, 'inverter_2/reserve': 30 };
  readAt = {};
  reported = [];
  along = new ChangedAlong(clock, (id, changes) => reported.push([id, changes]));
});

function snapshot(): Snapshot {
  const samples = DEFINITIONS.map((definition) => {
    const { topic } = definition;
    const sample = {
      definition,
      value: values[topic] ?? null,
      readAt: readAt[topic] ?? clock.now(),
      stale: false,
    };
    return [topic, sample] as const;
  });
  return { sequence: 1, takenAt: clock.now(), samples: new Map(samples) };
}

function write(id: number, { topic = MODE, wasTaken = true } = {}): void {
  along.begin(id, topic, snapshot());
  along.end(id, topic, wasTaken);
}

function poll(afterMs: number, changed: Record<string, MetricValue> = {}, isExplained = false): void {
  clock.advance(afterMs);
  values = { ...values, ...changed };
  along.compare(snapshot(), () => isExplained);
}

const RESET = [{ topic: RESERVE, oldValue: '20', newValue: '0' }];

describe('a change along with a write', () => {
  it.each<[string, Record<string, MetricValue>, readonly AlsoChanged[]]>([
    ['another setting of the unit', { [RESERVE]: 0 }, RESET],
    ['the setting itself', { [MODE]: 2 }, []],
    ['a setting of another unit', { 'inverter_2/reserve': 0 }, []],
    ['a value that is no setting', { 'inverter_1/pv_power': 0 }, []],
    ['a setting that is unknown afterwards', { [RESERVE]: null }, []],
    ['nothing', {}, []],
  ])('%s that changes is named or not', (_what, changed, expected) => {
    write(7);
    poll(SECOND_MS, changed);
    expect(reported).toEqual(expected.length === 0 ? [] : [[7, expected]]);
  });

  it.each([
    ['at the end of the half minute', 30 * SECOND_MS],
    ['later', 30 * SECOND_MS + 1],
  ])('the first reading %s counts, and none after it', (_when, afterMs) => {
    write(7);
    poll(afterMs, { [RESERVE]: 0 });
    expect(reported).toEqual([[7, RESET]]);
    poll(SECOND_MS, { [RESERVE]: 5 });
    expect(reported.at(-1)).toEqual([7, RESET]);
  });

  it('a reading before the end of the half minute is not the last that counts', () => {
    write(7);
    poll(30 * SECOND_MS - 1);
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([[7, RESET]]);
    reported = [];
    write(8);
    poll(30 * SECOND_MS);
    poll(SECOND_MS, { [RESERVE]: 5 });
    expect(reported).toEqual([]);
  });

  it.each([
    ['ten minutes before', 10 * MINUTE_MS, true],
    ['longer before', 10 * MINUTE_MS + 1, false],
  ])('a setting that was read %s a write counts as it should', (_when, ageMs, isCompared) => {
    readAt[RESERVE] = clock.now() - ageMs;
    write(7);
    readAt = {};
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toHaveLength(isCompared ? 1 : 0);
  });

  it('a setting that was unknown before a write is not compared', () => {
    values[RESERVE] = null;
    write(7);
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([]);
  });

  it('the same reading is compared once', () => {
    readAt[RESERVE] = clock.now();
    write(7);
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([]);
    readAt = {};
    poll(SECOND_MS);
    expect(reported).toEqual([[7, RESET]]);
  });

  it('further changes go on from the value before the write', () => {
    write(7);
    poll(SECOND_MS, { [RESERVE]: 0 });
    poll(SECOND_MS, { [RESERVE]: 9 });
    poll(SECOND_MS, { [RESERVE]: 20 });
    expect(
      reported.map(([, changes]) => changes.map(({ oldValue, newValue }) => [oldValue, newValue])),
    ).toEqual([[['20', '0']], [['20', '9']], []]);
  });

  it('a change that is taken back until ten minutes after the write was none, and one that is later stays', () => {
    write(7);
    poll(SECOND_MS, { [RESERVE]: 0 });
    poll(10 * MINUTE_MS - SECOND_MS, { [RESERVE]: 20 });
    expect(reported).toEqual([
      [7, RESET],
      [7, []],
    ]);
    values[RESERVE] = 20;
    reported = [];
    write(8);
    poll(SECOND_MS, { [RESERVE]: 0 });
    poll(10 * MINUTE_MS - SECOND_MS);
    poll(SECOND_MS, { [RESERVE]: 20 });
    expect(reported).toEqual([[8, RESET]]);
  });

  it('a change that another write explains is not named, and counts as the value of before', () => {
    write(7);
    poll(SECOND_MS, { [RESERVE]: 50 }, true);
    expect(reported).toEqual([]);
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([[7, [{ topic: RESERVE, oldValue: '50', newValue: '0' }]]]);
  });
});

describe('a write after another one', () => {
  it('a write under way is not compared, and the changes since its beginning are its own', () => {
    write(7);
    along.begin(8, MODE, snapshot());
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([]);
    along.end(8, MODE, true);
    poll(SECOND_MS);
    expect(reported).toEqual([[8, RESET]]);
  });

  it('the end of a write that is not the last one begun changes nothing', () => {
    along.begin(7, MODE, snapshot());
    along.begin(8, MODE, snapshot());
    along.end(7, MODE, true);
    poll(SECOND_MS, { [RESERVE]: 0 });
    expect(reported).toEqual([]);
    along.end(8, MODE, false);
    poll(SECOND_MS, { [RESERVE]: 5 });
    expect(reported).toEqual([]);
  });

  it('a write that changed nothing leaves what comes to the one before, and to none where it was the first', () => {
    write(7);
    write(8, { wasTaken: false });
    write(9, { topic: 'inverter_2/reserve', wasTaken: false });
    poll(SECOND_MS, { [RESERVE]: 0, 'inverter_2/reserve': 0 });
    expect(reported).toEqual([[7, RESET]]);
  });

  it('each of two units has the changes of its own write', () => {
    write(7);
    write(8, { topic: 'inverter_2/mode' });
    poll(SECOND_MS, { [RESERVE]: 0, 'inverter_2/reserve': 0 });
    expect(reported).toEqual([
      [7, RESET],
      [8, [{ topic: 'inverter_2/reserve', oldValue: '30', newValue: '0' }]],
    ]);
  });
});
