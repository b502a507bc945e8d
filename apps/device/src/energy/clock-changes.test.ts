import { describe, expect, it } from 'vitest';
import {
  difference,
  type Energies,
  LivedWeeks,
  MAX_PAUSE_MS,
  sum,
} from '../../test/energy/simulated-weeks.ts';
import { HALF_WMS_PER_WH, halfWmsBetween, NO_ENERGY } from './energy-amount.ts';
import { FLOWS } from './flows.ts';
import { COUNTERS, sumOfAmounts } from './hours/hour-ledger.ts';
import { type EnergyPeriod, periodStart } from './period.ts';
import { TRANSFERS } from './transfers.ts';

const DAY_MS = 86_400_000;

/** How often a device polls. Where nothing happens the test leaves polls out, as long as none is missed. */
const POLL_MS = 2_000;
const MINUTE_MS = MAX_PAUSE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The UTC hours at whose end a day may end in the zones below. */
const LAST_HOURS = [3, 4, 21, 22];

const mayEndSoon = (now: number): boolean =>
  now % HOUR_MS >= HOUR_MS - MINUTE_MS && LAST_HOURS.includes(new Date(now).getUTCHours());

/** In one of so many minutes the power goes. */
const MINUTES_PER_CUT = 220;

/** Allowed difference between the device and the home's own books, as a share. */
const TOLERANCE = 0.001;

/** Numbers from 0 to 1 that are the same in each run (a linear congruential generator). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function expectReconciled(shown: Energies, books: Energies): void {
  for (const { quantity } of FLOWS) {
    const [device = 0, home = 0] = [shown[quantity.name], books[quantity.name]];
    expect(home, quantity.name).toBeGreaterThan(1);
    expect(Math.abs(device / home - 1), `${quantity.name}: ${device} of ${home} kWh`).toBeLessThan(TOLERANCE);
  }
}

/** The hours of each day have the same energy as the day, to the last half watt-millisecond. */
function expectWholeDays(weeks: LivedWeeks): void {
  const days = new Map(
    [...(weeks.stored?.days ?? [])].map(([day, energy]) => [
      day,
      Object.fromEntries(
        Object.entries(energy).map(([name, amount]) => [name, halfWmsBetween(NO_ENERGY, amount)]),
      ),
    ]),
  );
  const hours = new Map(
    [...weeks.hoursByDay].map(([day, amounts]) => [
      day,
      Object.fromEntries(FLOWS.map(({ quantity }, i) => [quantity.name, amounts[COUNTERS[i] ?? 'pv']])),
    ]),
  );
  expect(new Map([...hours].toSorted())).toEqual(new Map([...days].toSorted()));
}

/** All that the sun, the battery and the grid gave went somewhere. */
function expectDivided(weeks: LivedWeeks): void {
  const sum = [...weeks.hoursByDay.values()].reduce((all, amounts) => sumOfAmounts(all, amounts), {});
  const given = (sum.pv ?? 0) + (sum.battery_out ?? 0) + (sum.grid_in ?? 0);
  const divided = TRANSFERS.reduce((all, transfer) => all + (sum[transfer] ?? 0), 0);
  expect(given).toBeGreaterThan(0);
  expect(Math.abs(divided / given - 1)).toBeLessThan(TOLERANCE);
}

/** Polls until a moment. */
function live(weeks: LivedWeeks, endMs: number): void {
  weeks.poll();
  while (weeks.now < endMs) {
    weeks.pass(Math.min(MINUTE_MS, endMs - weeks.now));
    weeks.poll();
  }
}

describe('the energy of days in which the clocks change', () => {
  it.each<[string, string, EnergyPeriod, number]>([
    ['Europe/Berlin', '2026-03-25T23:00:00Z', 'daily', 7],
    ['Europe/Berlin', '2026-10-21T22:00:00Z', 'weekly', 2],
  ])(
    'the energy in %s from %s, %s, equals the home’s own count, over power cuts at any instant',
    { timeout: 60_000 },
    (zone, start, period, periods) => {
      using weeks = new LivedWeeks(start, { zone, period });
      const random = dice(Date.parse(start) / 1000);
      const end = weeks.now + 6 * DAY_MS;
      const beginning = weeks.books;
      const ended: Energies[] = [];
      let began = periodStart(weeks.now, zone, period);
      let shownLast: Energies = {};
      let cuts = 0;
      weeks.poll();
      while (weeks.now < end) {
        const mayEnd = mayEndSoon(weeks.now);
        if (!mayEnd && random() < 1 / MINUTES_PER_CUT) {
          cuts++;
          weeks.pass(POLL_MS);
          const { before, after } = weeks.pollInPowerCut(random());
          weeks.restart();
          expect([before, after]).toContainEqual(weeks.stored);
        }
        weeks.pass(mayEnd || weeks.justStarted ? POLL_MS : MINUTE_MS);
        weeks.poll();
        const begins = mayEnd ? periodStart(weeks.now, zone, period) : began;
        if (begins !== began) ended.push(shownLast);
        began = begins;
        shownLast = weeks.shown;
      }
      expect(cuts).toBeGreaterThan(30);
      expect(ended).toHaveLength(periods - 1);
      expectReconciled(sum([...ended, shownLast]), difference(beginning, weeks.books));
      expectWholeDays(weeks);
      expectDivided(weeks);
    },
  );

  it.each([
    ['2026-04-04T13:00:00Z', '2026-04-04T15:00:00Z', 22],
    ['2026-10-03T13:30:00Z', '2026-10-03T15:30:00Z', 21],
  ])(
    'the day on Lord Howe Island from %s has an hour of 30 minutes at %s, and %d whole hours after it',
    (start, change, after) => {
      using weeks = new LivedWeeks(start, { zone: 'Australia/Lord_Howe', period: 'daily' });
      const [from, changed] = [Date.parse(start), Date.parse(change)];
      const whole = changed + HOUR_MS / 2;
      const end = whole + after * HOUR_MS;
      const books = [changed, whole].map((endMs) => {
        live(weeks, endMs);
        return weeks.books;
      });
      live(weeks, end - POLL_MS);
      const before = Array.from({ length: (changed - from) / HOUR_MS }, (_, i) => from + i * HOUR_MS);
      const later = Array.from({ length: after }, (_, i) => whole + i * HOUR_MS);
      expect([...weeks.hours.keys()].toSorted((a, b) => a - b)).toEqual([...before, changed, ...later]);
      const halfHour = difference(books[0] ?? {}, books[1] ?? {});
      const counted = (weeks.hours.get(changed)?.load ?? 0) / HALF_WMS_PER_WH / 1000;
      // A poll lies across each of its ends.
      expect(halfHour['Load energy']).toBeGreaterThan(0);
      expect(Math.abs(counted / (halfHour['Load energy'] ?? 0) - 1)).toBeLessThan(0.01);
      expectWholeDays(weeks);
    },
  );

  it('the energy covers the device’s uptime, and nothing of outages, broken links and clocks that are set', {
    timeout: 60_000,
  }, () => {
    using weeks = new LivedWeeks('2026-06-05T00:00:00Z', { zone: 'Europe/Berlin', period: 'monthly' });
    const random = dice(5);
    const end = weeks.now + 8 * DAY_MS;
    const happens = (): boolean => random() < 1 / 850;
    const seen: Energies[] = [];
    const seenSince = (books: Energies) => void seen.push(difference(books, weeks.books));
    const events = { outages: 0, broken: 0, asleep: 0, clocks: 0 };
    const beginning = weeks.books;
    let from = beginning;
    weeks.poll();
    while (weeks.now < end) {
      if (happens()) {
        events.outages++;
        weeks.pass(POLL_MS);
        weeks.pollInPowerCut(1);
        seenSince(from);
        weeks.pass(random() * 5 * HOUR_MS);
        weeks.restart();
        weeks.poll();
        from = weeks.books;
      }
      if (happens()) {
        events.broken++;
        seenSince(from);
        for (let minute = random() * 60; minute > 0; minute--) {
          weeks.pass(MINUTE_MS);
          weeks.poll(false);
        }
        weeks.poll();
        from = weeks.books;
      }
      if (happens()) {
        events.asleep++;
        seenSince(from);
        weeks.pass(MINUTE_MS + random() * 3 * HOUR_MS);
        weeks.poll();
        from = weeks.books;
      }
      if (happens()) {
        events.clocks++;
        weeks.setClock((random() - 0.5) * 7 * 24 * HOUR_MS);
      }
      weeks.pass(MINUTE_MS);
      weeks.poll();
    }
    seenSince(from);
    expect(Math.min(...Object.values(events))).toBeGreaterThan(5);
    expectReconciled(weeks.shown, sum(seen));
    expectWholeDays(weeks);
    expectDivided(weeks);
    const lived = difference(beginning, weeks.books);
    expect(weeks.shown['PV energy']).toBeLessThan(0.97 * (lived['PV energy'] ?? 0));
  });
});
