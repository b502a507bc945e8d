import type { Tariff } from '@heliograph/contracts';
import { energyAnswer } from '@heliograph/contracts/energy-answer';
import { formatDate, nextDay } from '@heliograph/kit/calendar-days';
import { hourAfter, hoursOfDay } from '@heliograph/kit/local-hours';
import { offsetsOf, zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { parseTimeRange } from '@heliograph/mcp';
import { describe, expect, it } from 'vitest';
import { historyOfDay } from './cloud/history/history-days.ts';
import { DAY_MS, localDay, localIso, startOfDay } from './common/local-time.ts';
import { HALF_WMS_PER_WH } from './energy/energy-amount.ts';
import { EnergyCosts } from './energy/tariffs/energy-costs.ts';
import { stepsOf } from './serve/mcp/curve-steps.ts';
import { chooseResolution } from './serve/mcp/tools/history-tool.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const QUARTER_MS = 15 * MINUTE_MS;

/** Of curves; shorter ones follow the same rule as a quarter of an hour, in many more steps. */
const STEPS = ['15m', '1h', '3h', '6h', '1d', '1w', '1month', '1y'] as const;

/** A price for each hour of the clock, of weekdays and of Saturdays and Sundays: the price of a kWh shows when it was. */
const TARIFF: Tariff = {
  valid_from: '1980-01-01',
  currency: 'EUR',
  import: [
    ...Array.from({ length: 23 }, (_, hour) => ({
      price: 1 + hour,
      weekdays: [1, 2, 3, 4, 5],
      from_hour: hour,
      to_hour: hour + 1,
    })),
    { price: 100 },
  ],
  export: [{ price: 0.5, from_hour: 22, to_hour: 3 }, { price: 0.25 }],
  fixed_charges: [{ amount: 24, per: 'day' }],
};

const rounded = (value: number): number => Number(value.toFixed(5));

/** Cost and earnings of a kW from one moment to another, by short steps of the clock that `Intl` shows. */
function expectedCosts(zone: string, fromMs: number, toMs: number, stepMs: number) {
  const offsetAt = offsetsOf(zone);
  let [importCost, exportEarnings] = [0, 0];
  for (let at = fromMs; at < toMs; at += stepMs) {
    const wall = new Date(at + offsetAt(at));
    const hour = wall.getUTCHours();
    const isWeekday = wall.getUTCDay() % 6 !== 0;
    importCost += ((isWeekday && hour < 23 ? 1 + hour : 100) * stepMs) / HOUR_MS;
    exportEarnings += ((hour >= 22 || hour < 3 ? 0.5 : 0.25) * stepMs) / HOUR_MS;
  }
  return { importCost, exportEarnings };
}

describe.each(zonesWithChanges().filter(({ changes }) => changes.length > 0))(
  'clock changes in $zone',
  ({ zone, changes }) => {
    /** From the midnight before a change until the second one after it. */
    const around = changes.map((change) => {
      const day = localDay(change - 1_000, zone);
      return { change, day, fromMs: startOfDay(day, zone), toMs: startOfDay(day + 2, zone) };
    });

    it('every minute has one price, and the days cost what they cost together', () => {
      for (const { change, day, fromMs, toMs } of around) {
        const hours = [day, day + 1].flatMap((each) => hoursOfDay(each, zone));
        const amountOf = (hour: number) => {
          const halfWms = 2 * 1000 * (hourAfter(hour, zone) - hour);
          return { grid_in: halfWms, grid_out: halfWms };
        };
        const costs = new EnergyCosts({
          tariffs: [TARIFF],
          zone,
          nowMs: toMs,
          since: fromMs,
          hours: (from, to) =>
            new Map(hours.filter((hour) => hour >= from && hour < to).map((hour) => [hour, amountOf(hour)])),
        });
        const whole = costs.costs(fromMs, toMs);
        const expected = expectedCosts(
          zone,
          fromMs,
          toMs,
          change % QUARTER_MS === 0 ? QUARTER_MS : MINUTE_MS,
        );
        expect(whole?.importCost).toBeCloseTo(expected.importCost, 6);
        expect(whole?.exportEarnings).toBeCloseTo(expected.exportEarnings, 6);
        // A day is charged once, however long it is; a date that the zone left out is none.
        const days = [day, day + 1].filter((each) => startOfDay(each + 1, zone) > startOfDay(each, zone));
        expect(whole?.fixedCharges).toBeCloseTo(24 * days.length, 6);
        const sum = days.reduce(
          (total, each) =>
            total + (costs.costs(startOfDay(each, zone), startOfDay(each + 1, zone))?.importCost ?? 0),
          0,
        );
        expect(sum).toBeCloseTo(expected.importCost, 6);
      }
    });

    it('the steps of curves for agents follow on each other, and days begin with those of the site', () => {
      for (const { day, fromMs, toMs } of around) {
        for (const name of STEPS) {
          const { span, stepMs } = chooseResolution({ fromMs, toMs }, 0, toMs, name, zone);
          expect(span.fromMs).toBeLessThanOrEqual(fromMs);
          expect(span.toMs).toBeGreaterThanOrEqual(toMs);
          const { startsMs } = stepsOf({ fromMs, toMs }, name, 4_000, Math.min(stepMs, MINUTE_MS), zone);
          expect(startsMs[0]).toBe(fromMs);
          expect(startsMs.every((at, i) => at < toMs && at > (startsMs[i - 1] ?? 0))).toBe(true);
          const texts = startsMs.map((at) => localIso(at, zone));
          expect(new Set(texts).size).toBe(texts.length);
          expect(texts.map((text) => Date.parse(text))).toEqual(startsMs);
          if (name === '1d')
            expect(startsMs).toEqual(
              [startOfDay(day, zone), startOfDay(day + 1, zone)].filter((at) => at < toMs),
            );
        }
      }
    });

    it('times and dates of answers are understood as requests of agents', () => {
      for (const { change, day, fromMs } of around) {
        const nowMs = change + 40 * DAY_MS;
        for (const at of [change - 1_000, change, change + HOUR_MS])
          expect(parseTimeRange(localIso(at, zone), 'now', nowMs, zone).fromMs).toBe(at);
        const date = formatDate(day);
        expect(parseTimeRange(date, date, nowMs, zone)).toEqual({ fromMs, toMs: startOfDay(day + 1, zone) });
        const month = date.slice(0, 7);
        const first = Date.parse(`${month}-01`) / DAY_MS;
        const ofMonth = {
          fromMs: startOfDay(first, zone),
          toMs: Math.min(nowMs, startOfDay(nextDay(first, 'month'), zone)),
        };
        expect(parseTimeRange(month, month, nowMs, zone)).toEqual(ofMonth);
      }
    });

    it('the cloud receives the energy of each hour once, in parts that begin at any quarter', async () => {
      for (const { day, fromMs } of around) {
        const hours = hoursOfDay(day, zone);
        const endMs = startOfDay(day + 1, zone);
        const nowMs = endMs + HOUR_MS;
        const reads = {
          zone,
          since: () => fromMs,
          history: async () => ({ from: 0, to: 0, step: 900, series: [], states: [] }),
          energy: (request: { fromMs: number; toMs: number; step: 'hour' }) =>
            energyAnswer(
              {
                zone,
                nowMs,
                since: fromMs,
                unitsPerKwh: HOUR_MS,
                sum: (from, to) => ({ pv: to - from, covered_ms: to - from }),
                pause: async () => undefined,
              },
              request,
            ),
        };
        for (const quarters of [0, 11, 38]) {
          const part = await historyOfDay(reads, day, {
            fromMs: fromMs + quarters * QUARTER_MS,
            untilMs: endMs,
            nowMs,
            countedMs: 0,
          });
          const kept = hours.slice(part.first_hour);
          expect(kept[0] ?? endMs).toBeLessThanOrEqual(fromMs + quarters * QUARTER_MS);
          const lengths = kept.map((hour) => rounded((hourAfter(hour, zone) - hour) / HOUR_MS));
          expect(part.energy.pv ?? []).toEqual(lengths);
          expect(part.energy.covered_s ?? []).toEqual(lengths.map((length) => Math.round(length * 3600)));
        }
      }
    });
  },
);

it('an hour of a kW is a kWh', () => {
  expect(2 * 1000 * HOUR_MS).toBe(1000 * HALF_WMS_PER_WH);
});
