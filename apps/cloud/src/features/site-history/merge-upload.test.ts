import type { DeviceHistoryDay } from '@heliograph/contracts';
import { formatDate } from '@heliograph/kit/calendar-days';
import { hourAfter, hourAt, hoursOfDay } from '@heliograph/kit/local-hours';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';
import { offsetsOf, zonesWithChanges } from '@heliograph/kit/testing/clock-changes';
import { expect, it } from 'vitest';
import { energySource } from './energy.ts';
import { mergeUpload, type StoredDay } from './merge-upload.ts';
import { daysOf } from './upload.ts';

const HOUR_MS = 60 * 60_000;
const QUARTER_MS = HOUR_MS / 4;
const WH = 1 / 1000;
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

/** A home whose every hour has a watt-hour more than the one before, and whose device sends it every quarter of an hour. */
class Home {
  readonly #hours = new Map<number, number>();
  #sentUntilMs = START_MS;
  #sentZone: string | undefined;

  /** Runs in a zone, and sends it or is without the internet. */
  run(zone: string, fromMs: number, untilMs: number, cloud: Cloud | undefined): void {
    for (let atMs = fromMs; atMs < untilMs; atMs += QUARTER_MS) {
      const hour = hourAt(atMs, zone);
      this.#hours.set(hour, (this.#hours.get(hour) ?? 0) + Math.floor((atMs - START_MS) / HOUR_MS) + 1);
    }
    if (cloud !== undefined) this.#send(zone, untilMs, cloud);
  }

  get wattHours(): number {
    return [...this.#hours.values()].reduce((sum, each) => sum + each, 0);
  }

  #send(zone: string, untilMs: number, cloud: Cloud): void {
    const isMoved = this.#sentZone !== undefined && this.#sentZone !== zone;
    const fromMs = isMoved
      ? startOfDay(localDay(this.#sentUntilMs - HOUR_MS, zone), zone)
      : this.#sentUntilMs;
    for (let day = localDay(fromMs, zone); startOfDay(day, zone) < untilMs; day++) {
      const hours = hoursOfDay(day, zone);
      const first = Math.max(
        0,
        hours.findLastIndex((hour) => hour <= fromMs),
      );
      const sent = hours.slice(first).filter((hour) => hour < untilMs);
      if (sent.length > 0) cloud.receive([this.#day(day, zone, first, sent)]);
    }
    this.#sentUntilMs = untilMs;
    this.#sentZone = zone;
  }

  #day(day: number, zone: string, first: number, sent: readonly number[]): DeviceHistoryDay {
    const pv = sent.map((hour) => {
      const within = [...this.#hours].filter(([at]) => at >= hour && at < hourAfter(hour, zone));
      return within.length === 0 ? null : within.reduce((sum, [, amount]) => sum + amount * WH, 0);
    });
    return {
      date: formatDate(day),
      time_zone: zone,
      first_quarter: 0,
      means: {},
      first_hour: first,
      energy: { pv },
    };
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

it.each(ZONES)('a home that moves from %s to any zone has each watt-hour once', (from) => {
  for (const to of ZONES.filter((zone) => zone !== from)) {
    const [cloud, home] = [new Cloud(), new Home()];
    const movedMs = START_MS + DAY_MS + 10 * HOUR_MS + 3 * QUARTER_MS;
    home.run(from, START_MS, movedMs - 5 * QUARTER_MS, cloud);
    // The hours between the last upload and the move reach the cloud by the clock of the new zone.
    home.run(from, movedMs - 5 * QUARTER_MS, movedMs, undefined);
    for (let atMs = movedMs; atMs < END_MS; atMs += 7 * HOUR_MS)
      home.run(to, atMs, Math.min(END_MS, atMs + 7 * HOUR_MS), cloud);
    expectOnce(cloud, home, [from, to]);
  }
});

const areWholeHoursApart = (one: string, other: string): boolean =>
  (offsetsOf(one)(START_MS) - offsetsOf(other)(START_MS)) % HOUR_MS === 0;

/**
 * To each other zone and on to a third one, and back from some. Where no two clocks in a row are whole hours apart, the hour
 * that the last zone's midnight divides is known as a whole alone, and counts in both days.
 */
function journeysFrom(from: string, i: number): readonly (readonly [string, string])[] {
  return ZONES.flatMap((to, j) => {
    if (to === from) return [];
    const thirds = ZONES.filter(
      (third) => third !== to && (areWholeHoursApart(from, to) || areWholeHoursApart(to, third)),
    );
    const third = thirds[(5 * j + i) % thirds.length] ?? from;
    const isBack = thirds.includes(from) && (i + j) % 4 === 0;
    return [[to, third], ...(isBack ? [[to, from] as const] : [])] as const;
  });
}

it.each(ZONES.map((from, i) => ({ from, onward: journeysFrom(from, i) })))(
  'a home that moves from $from to any zone and on within the day has each watt-hour once',
  ({ from, onward }) => {
    for (const [i, [to, third]] of onward.entries()) {
      const [cloud, home] = [new Cloud(), new Home()];
      const movedMs = START_MS + DAY_MS + (i % 24) * HOUR_MS + (i % 3) * QUARTER_MS;
      const againMs = movedMs + (1 + (i % 5)) * HOUR_MS + QUARTER_MS;
      home.run(from, START_MS, movedMs, cloud);
      home.run(to, movedMs, againMs, cloud);
      for (let atMs = againMs; atMs < END_MS; atMs += 7 * HOUR_MS)
        home.run(third, atMs, Math.min(END_MS, atMs + 7 * HOUR_MS), cloud);
      expectOnce(cloud, home, [from, to, third]);
    }
  },
);

it('a home in UTC that moves to New York and on to Los Angeles on one date has each watt-hour once', () => {
  const [cloud, home] = [new Cloud(), new Home()];
  const zones = ['UTC', 'America/New_York', 'America/Los_Angeles'] as const;
  const midnightMs = START_MS + DAY_MS;
  home.run(zones[0], START_MS, midnightMs + 9 * HOUR_MS, cloud);
  home.run(zones[1], midnightMs + 9 * HOUR_MS, midnightMs + 12 * HOUR_MS, cloud);
  home.run(zones[2], midnightMs + 12 * HOUR_MS, END_MS, cloud);
  expectOnce(cloud, home, zones);
});
