import { formatDate, nextDay } from '@heliograph/kit/calendar-days';
import { hourAfter, hourAt, hoursOfDay } from '@heliograph/kit/local-hours';
import { DAY_MS, instantOf, localDay, localIso, localTime, startOfDay } from '@heliograph/kit/local-time';
import { CHANGES_PER_ZONE, offsetsOf, zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { describe, expect, it } from 'vitest';
import { parseLocalTime, parseTime } from '../common/times.ts';
import { csvLine } from '../text/csv.ts';
import type { EnergyStepName } from './energy.ts';
import { energyAnswer } from './energy-answer.ts';

const HOUR_MS = 60 * 60 * 1000;

const ZONES = zonesWithChanges();

interface Step {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One watt all the time: the energy of a step is its length. */
async function stepsOf(zone: string, step: EnergyStepName, fromMs: number, toMs: number) {
  const steps: Step[] = [];
  const answer = await energyAnswer(
    {
      zone,
      nowMs: toMs + 400 * DAY_MS,
      unitsPerKwh: HOUR_MS,
      since: fromMs,
      sum: (from, to) => {
        steps.push({ fromMs: from, toMs: to });
        return { load: to - from, covered_ms: to - from };
      },
      pause: async () => undefined,
    },
    { fromMs, toMs, step },
  );
  return { answer, steps };
}

function expectNoGap(steps: readonly Step[]): void {
  for (const [i, { fromMs, toMs }] of steps.entries()) {
    expect(toMs).toBeGreaterThan(fromMs);
    expect(steps[i + 1]?.fromMs ?? toMs).toBe(toMs);
  }
}

it('every zone of the system with another clock is there', () => {
  expect(ZONES.length).toBeGreaterThan(40);
  expect(ZONES.filter(({ changes }) => changes.length === CHANGES_PER_ZONE).length).toBeGreaterThan(10);
});

describe.each(ZONES)('clock changes in $zone', ({ zone, changes }) => {
  const offsetAt = offsetsOf(zone);

  it('the hours of the days around each change follow on each other, and none is longer than an hour', async () => {
    for (const change of changes) {
      const fromMs = startOfDay(localDay(change - DAY_MS, zone), zone);
      const toMs = startOfDay(localDay(change + DAY_MS, zone) + 1, zone);
      const { answer, steps } = await stepsOf(zone, 'hour', fromMs, toMs);
      expectNoGap(steps);
      expect(Math.max(...steps.map((step) => step.toMs - step.fromMs))).toBe(HOUR_MS);
      expect([steps[0]?.fromMs, steps.at(-1)?.toMs]).toEqual([fromMs, toMs]);
      expect(answer.total.load).toBe((toMs - fromMs) / HOUR_MS);
      expect(answer.steps.every(({ coverage }) => coverage === 1)).toBe(true);
      // Times of answers, and so of CSV, are unique, ascend, and are read as what they were.
      const times = answer.steps.map(({ from }) => parseTime(csvLine([from]), 'from'));
      expect(times).toEqual(steps.map((step) => step.fromMs));
      expect(new Set(answer.steps.map(({ from }) => from)).size).toBe(steps.length);
    }
  });

  it('days, weeks, months and years around each change have no gap, and the days sum to the months', async () => {
    for (const [i, change] of changes.entries()) {
      const month = localDay(change, zone) - new Date(localDay(change, zone) * DAY_MS).getUTCDate() + 1;
      const [fromMs, toMs] = [startOfDay(month, zone), startOfDay(nextDay(month, 'month'), zone)];
      for (const step of i < 2 ? (['week', 'year'] as const) : [])
        expectNoGap((await stepsOf(zone, step, fromMs - 40 * DAY_MS, toMs)).steps);
      const days = await stepsOf(zone, 'day', fromMs, toMs);
      const months = await stepsOf(zone, 'month', fromMs, toMs);
      // A date that a zone left out has no length.
      expectNoGap(days.steps.filter((step) => step.toMs > step.fromMs));
      expect(months.steps).toEqual([{ fromMs, toMs }]);
      expect(days.answer.total.load).toBe(months.answer.total.load);
      expect(days.answer.steps.reduce((sum, { load }) => sum + (load ?? 0), 0)).toBeCloseTo(
        months.answer.total.load ?? 0,
        3,
      );
    }
  });

  it('the hours of a day are those that its clock shows', () => {
    for (const change of changes) {
      for (let day = localDay(change, zone) - 1; day <= localDay(change, zone) + 1; day++) {
        const [fromMs, toMs] = [startOfDay(day, zone), startOfDay(day + 1, zone)];
        const hours = hoursOfDay(day, zone);
        expectNoGap(hours.map((hour, i) => ({ fromMs: hour, toMs: hours[i + 1] ?? toMs })));
        expect(hours[0]).toBe(toMs > fromMs ? fromMs : undefined);
        expect(hours.map((hour) => hourAt(hour, zone))).toEqual(hours);
      }
    }
  });

  it('each moment around a change lies in the hour that begins before it and ends after it', () => {
    for (const change of changes) {
      for (let at = change - 3 * HOUR_MS; at < change + 3 * HOUR_MS; at += 13 * 60_000) {
        const hour = hourAt(at, zone);
        expect(hour).toBeLessThanOrEqual(at);
        expect(hourAfter(hour, zone)).toBeGreaterThan(at);
        expect(hourAt(hour, zone)).toBe(hour);
        expect(hourAt(hourAfter(hour, zone), zone)).toBe(hourAfter(hour, zone));
      }
    }
  });

  it('the time of each moment around a change has its offset, and a date is read as its beginning', () => {
    for (const change of changes) {
      for (const at of [change - 1_000, change, change + HOUR_MS]) {
        expect(localTime(at, zone) - at).toBe(offsetAt(at));
        expect(Date.parse(localIso(at, zone))).toBe(at);
        // The first moment at which the clock shows it, where it repeats.
        expect(localTime(instantOf(localTime(at, zone), zone), zone)).toBe(localTime(at, zone));
        const day = localDay(at, zone);
        expect(parseLocalTime(formatDate(day), 'from', zone)).toBe(startOfDay(day, zone));
        expect(startOfDay(day, zone)).toBeLessThanOrEqual(at);
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
