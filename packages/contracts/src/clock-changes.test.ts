import { hourAfter, hourAt } from '@heliograph/kit/local-hours';
import { DAY_MS, localDay, localTime, startOfDay } from '@heliograph/kit/local-time';
import { describe, expect, it } from 'vitest';
import { energyAnswer } from './energy-answer.ts';
import type { EnergyStepName } from './schemas/energy.ts';

const HOUR_MS = 60 * 60 * 1000;
const FROM_MS = Date.UTC(2026, 0, 1);
const CHANGES = 20;
/** Most zones change their clock every half year. */
const TO_MS = Date.UTC(2036, 6, 1);

const offsetAt = (atMs: number, zone: string): number => localTime(atMs, zone) - atMs;

/** The first instants of the next offsets of a zone. */
function changesOf(zone: string): number[] {
  const changes: number[] = [];
  for (let at = FROM_MS; at < TO_MS && changes.length < CHANGES; at += 14 * DAY_MS) {
    let [before, after] = [at, at + 14 * DAY_MS];
    if (offsetAt(before, zone) === offsetAt(after, zone)) continue;
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000;
      if (offsetAt(middle, zone) === offsetAt(before, zone)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/** Zones of which one stands for all with the same changes, and some that changed in the past in odd ways. */
function differentZones(): { zone: string; changes: readonly number[] }[] {
  const seen = new Map<string, { zone: string; changes: readonly number[] }>();
  for (const zone of [
    'Australia/Lord_Howe',
    'Antarctica/Troll',
    'Africa/Casablanca',
    ...Intl.supportedValuesOf('timeZone'),
  ]) {
    const changes = changesOf(zone);
    const offsets = [FROM_MS, ...changes].map((at) => offsetAt(at, zone));
    const key = JSON.stringify([changes, offsets]);
    if (!seen.has(key)) seen.set(key, { zone, changes });
  }
  return [
    ...seen.values(),
    // At one minute past midnight; without a day; at midnight, which is skipped; by half an hour; by 20 minutes.
    {
      zone: 'America/St_Johns',
      changes: [Date.parse('2010-11-07T02:31:00Z'), Date.parse('2010-03-14T03:31:00Z')],
    },
    { zone: 'Pacific/Apia', changes: [Date.parse('2011-12-30T10:00:00Z')] },
    {
      zone: 'America/Sao_Paulo',
      changes: [Date.parse('2018-11-04T03:00:00Z'), Date.parse('2018-02-18T02:00:00Z')],
    },
    { zone: 'Asia/Pyongyang', changes: [Date.parse('2018-05-04T15:00:00Z')] },
    { zone: 'Asia/Kathmandu', changes: [Date.parse('1985-12-31T18:30:00Z')] },
  ];
}

const ZONES = differentZones();

/** One watt all the time: the energy of a step is its length. */
async function stepsOf(zone: string, step: EnergyStepName, fromMs: number, toMs: number) {
  const lengths: number[] = [];
  const answer = await energyAnswer(
    {
      zone,
      nowMs: toMs + 400 * DAY_MS,
      unitsPerKwh: HOUR_MS,
      since: fromMs,
      sum: (from, to) => {
        lengths.push(to - from);
        return { load: to - from, covered_ms: to - from };
      },
      pause: async () => undefined,
    },
    { fromMs, toMs, step },
  );
  return { answer, lengths };
}

it('every zone of the system with another clock is there', () => {
  expect(ZONES.length).toBeGreaterThan(40);
  expect(ZONES.filter(({ changes }) => changes.length === CHANGES).length).toBeGreaterThan(10);
});

describe.each(ZONES)('clock changes in $zone', ({ zone, changes }) => {
  it('the hours of the days around each change follow on each other, and none is longer than an hour', async () => {
    for (const change of changes) {
      const fromMs = startOfDay(localDay(change - DAY_MS, zone), zone);
      const toMs = startOfDay(localDay(change + DAY_MS, zone) + 1, zone);
      const { answer, lengths } = await stepsOf(zone, 'hour', fromMs, toMs);
      expect(Math.max(...lengths)).toBe(HOUR_MS);
      expect(Math.min(...lengths)).toBeGreaterThan(0);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(toMs - fromMs);
      expect(answer.total.load).toBe((toMs - fromMs) / HOUR_MS);
      expect(answer.steps.every(({ coverage }) => coverage === 1)).toBe(true);
    }
  });

  it.each(['day', 'week', 'month', 'year'] as const)(
    'steps of a %s around each change follow on each other without a gap',
    async (step) => {
      for (const change of changes) {
        const { lengths } = await stepsOf(zone, step, change - 40 * DAY_MS, change + 40 * DAY_MS);
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        const { lengths: again } = await stepsOf(zone, step, change - 40 * DAY_MS, change + 40 * DAY_MS);
        expect(again).toEqual(lengths);
      }
    },
  );

  it('each moment around a change lies in the hour that begins before it and ends after it', () => {
    for (const change of changes) {
      for (let at = change - 3 * HOUR_MS; at < change + 3 * HOUR_MS; at += 7 * 60_000) {
        const hour = hourAt(at, zone);
        expect(hour).toBeLessThanOrEqual(at);
        expect(hourAfter(hour, zone)).toBeGreaterThan(at);
        expect(hourAt(hour, zone)).toBe(hour);
        expect(hourAt(hourAfter(hour, zone), zone)).toBe(hourAfter(hour, zone));
      }
    }
  });
});

it.each([
  ['2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z', 25, 24.5],
  ['2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z', 24, 23.5],
])('the day from %s on Lord Howe Island has %3$i hours', async (from, to, rows, hours) => {
  const { answer } = await stepsOf('Australia/Lord_Howe', 'hour', Date.parse(from), Date.parse(to));
  expect(answer.steps).toHaveLength(rows);
  expect(answer.total.load).toBe(hours);
  expect(answer.steps.filter(({ load }) => load === 0.5)).toHaveLength(1);
});
