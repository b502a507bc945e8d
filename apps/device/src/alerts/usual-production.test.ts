import { simulatedReadings } from '@heliograph/dev/plant';
import { beforeAll, describe, expect, it } from 'vitest';
import { HALF_WMS_PER_WH } from '../energy/energy-amount.ts';
import type { HourAmounts } from '../energy/hours/hour-ledger.ts';
import { type HoursBetween, productionOf } from './usual-production.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = HOUR_MS / 4;
const FROM = Date.parse('2025-06-01T00:00:00Z');
const DAYS = 365;

/** Of a built-in rule: hours, and percent of the usual energy. */
const COUNT = 3;
const PERCENT = 3;

/** The energy of a simulated year, with its weather. */
const year = new Map<number, HourAmounts>();
beforeAll(() => {
  const readings = simulatedReadings({
    fromMs: FROM,
    toMs: FROM + DAYS * DAY_MS,
    stepMs: STEP_MS,
    timeZone: 'Europe/Berlin',
  });
  for (const { nowMs, pvW } of readings) {
    const hour = Math.floor((nowMs - 1) / HOUR_MS) * HOUR_MS;
    const before = year.get(hour) ?? {};
    year.set(hour, {
      covered_ms: (before.covered_ms ?? 0) + STEP_MS,
      pv: (before.pv ?? 0) + Math.round(pvW[0] + pvW[1]) * 2 * STEP_MS,
    });
  }
});

const hoursOf =
  (
    change: (hour: number, amounts: HourAmounts) => HourAmounts | undefined = (_, amounts) => amounts,
  ): HoursBetween =>
  (fromMs, toMs) => {
    const found = new Map<number, HourAmounts>();
    for (let hour = fromMs; hour < toMs; hour += HOUR_MS) {
      const amounts = year.get(hour);
      const changed = amounts && change(hour, amounts);
      if (changed !== undefined) found.set(hour, changed);
    }
    return found;
  };

/** The hours of the year at which the rule finds too little sun. */
function found(hours: HoursBetween, fromMs = FROM, toMs = FROM + DAYS * DAY_MS): readonly number[] {
  const low: number[] = [];
  for (let nowMs = fromMs; nowMs < toMs; nowMs += HOUR_MS) {
    const production = productionOf(hours, nowMs, COUNT);
    if (production !== undefined && production.actualKwh < (PERCENT / 100) * production.usualKwh)
      low.push(nowMs);
  }
  return low;
}

const NOON = Date.parse('2025-08-01T11:00:00Z');

/** Alarms: what is found within a day is one. */
function alarmsIn(low: readonly number[]): number {
  return low.filter((nowMs, i) => nowMs - (low[i - 1] ?? -Infinity) > DAY_MS).length;
}

describe('a year of simulated weather', () => {
  it('the rule raises at most one false alarm a quarter', () => {
    expect(alarmsIn(found(hoursOf()))).toBeLessThanOrEqual(4);
  });

  it.each([30, 45])('hours that begin %i minutes after those of UTC are found as well', (minutes) => {
    const shiftMs = minutes * 60_000;
    const shifted: HoursBetween = (fromMs, toMs) =>
      new Map(
        [...year].flatMap(([hour, amounts]) => {
          const startMs = hour + shiftMs;
          return startMs >= fromMs && startMs < toMs ? [[startMs, amounts] as const] : [];
        }),
      );
    for (const noon of [NOON, NOON + 100 * DAY_MS]) {
      const production = productionOf(hoursOf(), noon, COUNT);
      expect(production).toBeDefined();
      for (const laterMs of [0, 20 * 60_000])
        expect(productionOf(shifted, noon + shiftMs + laterMs, COUNT)).toEqual(production);
    }
  });

  it.each(['2025-07-10', '2025-10-10', '2026-01-10', '2026-04-10'])(
    'a fuse that blows in the morning of %s is found on the same day or the next',
    (date) => {
      const blownMs = Date.parse(`${date}T08:00:00Z`);
      const hours = hoursOf((hour, amounts) => (hour < blownMs ? amounts : { ...amounts, pv: 0 }));
      const [first = Infinity] = found(hours, blownMs, blownMs + 3 * DAY_MS);
      expect(first - blownMs).toBeLessThanOrEqual(30 * HOUR_MS);
    },
  );
});

describe('hours', () => {
  it('the energy of hours is compared with the same hours of the days before', () => {
    const production = productionOf(hoursOf(), NOON, 1);
    const amounts = year.get(NOON - HOUR_MS) as Required<HourAmounts>;
    expect(production?.actualKwh).toBeCloseTo(amounts.pv / HALF_WMS_PER_WH / 1000, 6);
    const before = Array.from(
      { length: 14 },
      (_, day) => (year.get(NOON - HOUR_MS - (day + 1) * DAY_MS) as Required<HourAmounts>).pv,
    );
    const fourthBest = before.toSorted((a, b) => b - a)[3] ?? 0;
    expect(production?.usualKwh).toBeCloseTo(fourthBest / HALF_WMS_PER_WH / 1000, 6);
  });

  it.each([
    ['at night', Date.parse('2025-08-01T01:00:00Z'), hoursOf()],
    [
      'with hours that were not measured',
      NOON,
      hoursOf((hour, amounts) => (hour === NOON - 2 * HOUR_MS ? undefined : amounts)),
    ],
    [
      'with hours of which less than half was measured',
      NOON,
      hoursOf((hour, amounts) =>
        hour === NOON - HOUR_MS ? { ...amounts, covered_ms: HOUR_MS / 4 } : amounts,
      ),
    ],
    ['within the first days of a home', FROM + 4.5 * DAY_MS, hoursOf()],
    ['of a home without sun', NOON, hoursOf((_, amounts) => ({ ...amounts, pv: 0 }))],
  ])('nothing is usual %s', (_when, nowMs, hours) => {
    expect(productionOf(hours, nowMs, COUNT)).toBeUndefined();
  });

  const BEST: HourAmounts = { covered_ms: HOUR_MS, pv: 5000 * HALF_WMS_PER_WH };

  /** Days, the newest first, of which the hour from 10:00 brought so much. */
  const daysOf =
    (kwh: readonly number[], coveredMs = HOUR_MS): HoursBetween =>
    (fromMs, toMs) =>
      new Map(
        kwh
          .map((each, day): [number, HourAmounts] => [
            NOON - HOUR_MS - day * DAY_MS,
            { covered_ms: coveredMs, pv: each * 1000 * HALF_WMS_PER_WH },
          ])
          .filter(([hour]) => hour >= fromMs && hour < toMs),
      );

  it.each<[string, number | undefined, HoursBetween]>([
    ['of five days before', 1, daysOf([0, 1, 1, 1, 1, 1])],
    ['of four days before', undefined, daysOf([0, 1, 1, 1, 1])],
    ['of more than fourteen days', 2, daysOf([0, ...Array(10).fill(1), 2, 3, 3, 3, 3])],
    ['that bring 0.3 kWh', 0.3, daysOf([0, ...Array(14).fill(0.3)])],
    ['that bring less than 0.3 kWh', undefined, daysOf([0, ...Array(14).fill(0.299)])],
    ['of which half was measured', 1, daysOf(Array(15).fill(1), HOUR_MS / 2)],
    ['of which less than half was measured', undefined, daysOf(Array(15).fill(1), HOUR_MS / 2 - 1)],
    [
      'that bring a fifth of the best',
      1,
      (from, to) => new Map([...daysOf(Array(15).fill(1))(from, to), [NOON - DAY_MS - 3 * HOUR_MS, BEST]]),
    ],
    [
      'that bring less than a fifth of the best',
      undefined,
      (from, to) => new Map([...daysOf(Array(15).fill(0.99))(from, to), [NOON - DAY_MS - 3 * HOUR_MS, BEST]]),
    ],
  ])('an hour %s is usually worth %s kWh', (_which, usualKwh, hours) => {
    expect(productionOf(hours, NOON, 1)?.usualKwh).toBe(usualKwh);
  });
});
