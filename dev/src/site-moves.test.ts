import { daysOf, energySource, mergeUpload, type StoredDay } from '@heliograph/cloud/site-history';
import type { DeviceHistoryDay } from '@heliograph/contracts';
import {
  daysBetween,
  endOfDividedHour,
  historyOfDay,
  partsAfterMove,
  type SentPart,
} from '@heliograph/device/cloud-history';
import { EnergyHistory, HALF_WMS_PER_WH, type HourAmounts } from '@heliograph/device/energy';
import type { Clock } from '@heliograph/kit';
import { formatDate } from '@heliograph/kit/calendar-days';
import { hourAt } from '@heliograph/kit/local-hours';
import { DAY_MS } from '@heliograph/kit/local-time';
import { offsetsOf, zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { expect, it } from 'vitest';

const HOUR_MS = 60 * 60_000;
const QUARTER_MS = HOUR_MS / 4;
const START_MS = Date.parse('2026-06-01T00:00:00Z');
const END_MS = START_MS + 4 * DAY_MS;

/** The days that the cloud stores. */
class Cloud {
  readonly #days = new Map<number, StoredDay>();

  receive(days: readonly DeviceHistoryDay[]): void {
    const sent = daysOf({ days: [...days], newest: null }, END_MS);
    for (const day of mergeUpload([...this.#days.values()], sent)) this.#days.set(day.day, day);
  }

  /** In order. */
  get days(): readonly StoredDay[] {
    return [...this.#days.values()].toSorted((a, b) => a.day - b.day);
  }

  get parts() {
    return this.days.flatMap((date) => [...date.rests.map((rest) => ({ day: date.day, ...rest })), date]);
  }
}

/** A home whose every hour has a watt-hour more than the one before, and whose device sends it to the cloud. */
class Home {
  readonly #hours = new Map<number, HourAmounts>();
  #sentUntilMs = START_MS;
  #parts: readonly SentPart[] = [];

  /** Runs in a zone, and sends it or is without the internet. */
  async run(zone: string, fromMs: number, untilMs: number, cloud: Cloud | undefined): Promise<void> {
    for (let atMs = fromMs; atMs < untilMs; atMs += QUARTER_MS) {
      const hour = hourAt(atMs, zone);
      const wattHours = Math.floor((atMs - START_MS) / HOUR_MS) + 1;
      const { pv = 0, covered_ms = 0 } = this.#hours.get(hour) ?? {};
      this.#hours.set(hour, { pv: pv + wattHours * HALF_WMS_PER_WH, covered_ms: covered_ms + QUARTER_MS });
    }
    if (cloud !== undefined) await this.#send(zone, untilMs, cloud);
  }

  get wattHours(): number {
    return [...this.#hours.values()].reduce((sum, { pv = 0 }) => sum + pv / HALF_WMS_PER_WH, 0);
  }

  async #send(zone: string, untilMs: number, cloud: Cloud): Promise<void> {
    const energy = new EnergyHistory({
      store: {
        first: () => START_MS,
        hour: (hour) => this.#hours.get(hour),
        sum: (from, to) => this.#sum(from, to),
        between: () => this.#hours,
      },
      recent: () => new Map(),
      zone,
      clock: { now: () => untilMs } as Clock,
    });
    const reads = {
      history: async () => ({ from: 0, to: 0, step: 900, series: [], states: [] }),
      energy: energy.read.bind(energy),
      since: () => START_MS,
      zone,
    };
    const parts =
      this.#parts.length === 0 ? [{ zone, from: 0 }] : partsAfterMove(this.#parts, this.#sentUntilMs, zone);
    const hasMoved = parts.length > 1 && parts !== this.#parts;
    const fromMs = hasMoved ? (parts.at(-1)?.from ?? 0) : this.#sentUntilMs;
    const countedMs = endOfDividedHour(parts);
    for (const day of daysBetween(fromMs, untilMs, zone))
      cloud.receive([await historyOfDay(reads, day, { fromMs, untilMs, nowMs: untilMs, countedMs })]);
    this.#sentUntilMs = untilMs;
    this.#parts = parts;
  }

  #sum(fromMs: number, toMs: number): HourAmounts {
    const sum = { pv: 0, covered_ms: 0 };
    for (const [at, { pv = 0, covered_ms = 0 }] of this.#hours) {
      if (at < fromMs || at >= toMs) continue;
      sum.pv += pv;
      sum.covered_ms += covered_ms;
    }
    return sum.covered_ms === 0 ? {} : sum;
  }
}

/** One zone for each offset from UTC in use. */
const ZONES = [...new Map(zonesWithChanges().map(({ zone }) => [offsetsOf(zone)(START_MS), zone])).values()];

/** Each watt-hour is once in the days, and in the answers about energy. */
function expectOnce(cloud: Cloud, home: Home, zones: readonly string[]): void {
  const { sum } = energySource(cloud.parts, zones.at(-1) ?? '', undefined, END_MS);
  const days = cloud.parts.map(({ day, zone, values }) => [
    formatDate(day),
    zone,
    (values.energy.pv ?? []).reduce<number>((total, kwh) => total + (kwh ?? 0), 0),
  ]);
  const ofDays = days.reduce((total, [, , kwh]) => total + Number(kwh), 0);
  expect({ zones, days, wattHours: Math.round(ofDays * 1000) }).toEqual({
    zones,
    days,
    wattHours: home.wattHours,
  });
  expect({ zones, wattHours: (sum(0, END_MS).pv ?? 0) / 10 }).toEqual({ zones, wattHours: home.wattHours });
}

/** Places of two sevenths of the other zones, others for each zone: clocks differ by the part of an hour and the side of midnight. */
const destinationsOf = (from: number): readonly number[] =>
  ZONES.flatMap((_, to) => (to !== from && (5 * from + 3 * to) % 7 < 2 ? [to] : []));

it.each(ZONES.map((from, i) => ({ from, to: destinationsOf(i) })))(
  'a home that moves from $from to zones near and far has each watt-hour once',
  async ({ from, to: destinations }) => {
    for (const to of destinations.map((j) => ZONES[j] ?? from)) {
      const [cloud, home] = [new Cloud(), new Home()];
      const movedMs = START_MS + DAY_MS + 10 * HOUR_MS + 3 * QUARTER_MS;
      await home.run(from, START_MS, movedMs - 5 * QUARTER_MS, cloud);
      // The hours between the last upload and the move reach the cloud by the clock of the new zone.
      await home.run(from, movedMs - 5 * QUARTER_MS, movedMs, undefined);
      for (let atMs = movedMs; atMs < END_MS; atMs += 7 * HOUR_MS)
        await home.run(to, atMs, Math.min(END_MS, atMs + 7 * HOUR_MS), cloud);
      expectOnce(cloud, home, [from, to]);
    }
  },
);

/** To another zone and on to a third one, and back from some. */
function journeysFrom(from: string, i: number): readonly (readonly [string, string])[] {
  return destinationsOf(i).flatMap((j) => {
    const to = ZONES[j] ?? from;
    const thirds = ZONES.filter((third) => third !== to);
    const third = thirds[(5 * j + i) % thirds.length] ?? from;
    const isBack = (i + j) % 4 === 0;
    return [[to, third], ...(isBack ? [[to, from] as const] : [])] as const;
  });
}

it.each(ZONES.map((from, i) => ({ from, onward: journeysFrom(from, i) })))(
  'a home that moves from $from to another zone and on within the day has each watt-hour once',
  async ({ from, onward }) => {
    for (const [i, [to, third]] of onward.entries()) {
      const [cloud, home] = [new Cloud(), new Home()];
      const movedMs = START_MS + DAY_MS + (i % 24) * HOUR_MS + (i % 3) * QUARTER_MS;
      const againMs = movedMs + (1 + (i % 5)) * HOUR_MS + QUARTER_MS;
      await home.run(from, START_MS, movedMs, cloud);
      await home.run(to, movedMs, againMs, cloud);
      for (let atMs = againMs; atMs < END_MS; atMs += 7 * HOUR_MS)
        await home.run(third, atMs, Math.min(END_MS, atMs + 7 * HOUR_MS), cloud);
      expectOnce(cloud, home, [from, to, third]);
    }
  },
);

it('a home in UTC that moves to New York and on to Los Angeles on one date has each watt-hour once', async () => {
  const [cloud, home] = [new Cloud(), new Home()];
  const zones = ['UTC', 'America/New_York', 'America/Los_Angeles'] as const;
  const midnightMs = START_MS + DAY_MS;
  await home.run(zones[0], START_MS, midnightMs + 9 * HOUR_MS, cloud);
  await home.run(zones[1], midnightMs + 9 * HOUR_MS, midnightMs + 12 * HOUR_MS, cloud);
  await home.run(zones[2], midnightMs + 12 * HOUR_MS, END_MS, cloud);
  expectOnce(cloud, home, zones);
});
