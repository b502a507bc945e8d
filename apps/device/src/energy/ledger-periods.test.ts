import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountedHome, HOUR_MS, MINUTE_MS, SECOND_MS, wattsFor } from '../../test/energy/counted-home.ts';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import type { EnergyState } from './ledger.ts';
import type { EnergyPeriod } from './period.ts';

describe('a new period', () => {
  it('a new period begins with the energy since its first instant, whichever poll comes first', () => {
    const home = new CountedHome('2026-07-15T23:59:50Z').pv(3_600, 9_500);
    home.pass(2_000).read({ 'PV power': 3_600 });
    expect(home.energy('PV energy')).toBe(wattsFor(3_600, 1_500));
    home.period = 'monthly';
    expect(home.energy('PV energy')).toBe(wattsFor(3_600, 11_500));
  });

  it('a new period counts nothing of the time before it, also when its first snapshot comes before its first reading', () => {
    const home = new CountedHome('2026-07-15T23:59:50Z').pv(3_600, 9_500);
    const readAt = home.monotonicMs;
    home.pass(700).read({ 'PV power': 3_600 }, readAt);
    expect(home.energy('PV energy')).toBeUndefined();
    home.pass(1_300).read({ 'PV power': 3_600 });
    expect(home.energy('PV energy')).toBe(wattsFor(3_600, 1_500));
  });

  it('the energy of a new period is unknown, not zero, while the power is', () => {
    const home = new CountedHome('2026-07-15T23:59:50Z')
      .pv(3_600, 8_000)
      .pass(1_000)
      .read({ 'PV power': null });
    home.pass(5_000).read({ 'PV power': null });
    expect(home.energy('PV energy')).toBeUndefined();
  });

  it('energy across the beginning of a period is split: both parts are the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6_000 }),
        fc.integer({ min: 0, max: 6_000 }),
        fc.integer({ min: 0, max: 9_000 }),
        fc.integer({ min: 0, max: 9_000 }),
        (ms, sinceMs, fromW, toW) => {
          const after = Math.min(ms, sinceMs);
          const midnight = Date.parse('2026-07-16T00:00:00Z');
          const home = new CountedHome(new Date(midnight - (ms - after)).toISOString());
          home.read({ 'PV power': fromW }).pass(ms).read({ 'PV power': toW });
          const counted = home.energy('PV energy') ?? 0;
          const whole = (fromW + toW) * ms;
          expect(Math.abs(counted - whole * (after / ms))).toBeLessThanOrEqual(0.5);
        },
      ),
    );
  });

  it.each<[EnergyPeriod, string, string, number]>([
    ['daily', '2026-03-28T22:59:00Z', 'Europe/Berlin', 23],
    ['daily', '2026-10-24T21:59:00Z', 'Europe/Berlin', 25],
    ['daily', '2026-07-14T21:59:00Z', 'Europe/Berlin', 24],
    ['weekly', '2026-03-22T22:59:00Z', 'Europe/Berlin', 7 * 24 - 1],
    ['daily', '2026-04-04T12:59:00Z', 'Australia/Lord_Howe', 24.5],
  ])('%s from %s in %s holds %d hours of a constant power', (period, beforeStart, zone, hours) => {
    const stepMs = 5 * MINUTE_MS;
    const home = new CountedHome(beforeStart, { period, zone, longestGapMs: stepMs });
    home.pv(1_200, MINUTE_MS + hours * HOUR_MS - 1, stepMs);
    expect(home.energy('PV energy')).toBe(wattsFor(1_200, hours * HOUR_MS - 1));
    home.pass(1).read({ 'PV power': 1_200 });
    expect(home.energy('PV energy')).toBeUndefined();
  });
});

describe('a wall clock that is set', () => {
  const counted = (seconds: number) => wattsFor(1_000, seconds * SECOND_MS);

  it.each([
    ['forward within the day', '2026-07-15T12:00:00Z', '2026-07-15T18:00:00Z', 20],
    ['back within the day', '2026-07-15T12:00:00Z', '2026-07-15T09:00:00Z', 20],
    ['back to just after midnight', '2026-07-15T12:00:00Z', '2026-07-15T00:00:00.001Z', 20],
    ['back over midnight', '2026-07-15T00:30:00Z', '2026-07-14T23:30:00Z', 20],
    ['back to a day before midnight', '2026-07-15T00:30:00Z', '2026-07-14T00:00:00Z', 20],
    ['back by more than a day before midnight', '2026-07-15T00:30:00Z', '2026-07-13T23:59:40Z', 10],
    ['back by months', '2026-07-15T12:00:00Z', '2026-01-03T12:00:00Z', 10],
    ['back to before it was ever set', '2026-07-15T12:00:00Z', '1970-01-01T00:00:09Z', 20],
    ['forward over midnight', '2026-07-15T12:00:00Z', '2026-07-16T12:00:00Z', 10],
  ])('a clock set %s counts on for the day that it shows', (_name, from, to, seconds) => {
    const home = new CountedHome(from)
      .pv(1_000, 10 * SECOND_MS)
      .clock(to)
      .pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(counted(seconds));
  });

  it('a clock set back over midnight does not restart the same day twice', () => {
    const home = new CountedHome('2026-07-16T00:00:00Z').pv(1_000, 10 * SECOND_MS);
    home.clock('2026-07-15T23:59:55Z').pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(counted(20));
  });

  it.each<[string, EnergyPeriod, string]>([
    ['two days ahead', 'daily', '2026-07-17T12:00:00Z'],
    ['two days ahead, in the next week', 'weekly', '2026-07-20T12:00:00Z'],
    ['two days behind', 'daily', '2026-07-13T12:00:00Z'],
    ['ten years ahead', 'monthly', '2036-07-15T12:00:00Z'],
    ['months behind', 'monthly', '2026-01-15T12:00:00Z'],
  ])('the total is there again when a clock that was %s is right again, %s', (_far, period, wrong) => {
    const home = new CountedHome('2026-07-15T12:00:00Z', { period }).pv(1_000, 30 * SECOND_MS);
    home.clock(wrong).pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(counted(10));
    home.clock('2026-07-15T12:01:00Z').read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(counted(30));
    home.pass(2_000).read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(counted(32));
  });

  it('a wrong clock and restarts lose nothing: all that was counted is in the days', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z', { period: 'weekly' }).pv(1_000, 30 * SECOND_MS);
    for (const wrong of ['2026-07-17T12:00:00Z', '2036-07-15T12:00:00Z', '2026-07-13T12:00:00Z']) {
      home
        .clock(wrong)
        .restart()
        .pv(1_000, 10 * SECOND_MS);
    }
    home.clock('2026-07-15T12:05:00Z').restart().read({ 'PV power': 1_000 });
    // Of the wrong days two are in this week.
    expect(home.energy('PV energy')).toBe(counted(50));
    home.period = 'daily';
    expect(home.energy('PV energy')).toBe(counted(30));
  });

  it('energy that a new device counted before its clock was set belongs to the day on which it is set', () => {
    const home = new CountedHome('1970-01-01T00:00:09Z').pv(1_000, 10 * SECOND_MS);
    home.clock('2026-07-15T12:00:00Z').read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(counted(10));
    expect([...home.ledger.state.days.keys()]).toEqual([home.ledger.state.day]);
  });
});

describe('another energy period', () => {
  /** A kilowatt for ten seconds at noon of each of these days. */
  const over = (...days: readonly string[]) => {
    const [first = ''] = days;
    const home = new CountedHome(`${first}T12:00:00Z`);
    for (const day of days)
      home
        .clock(`${day}T12:00:00Z`)
        .restart()
        .pv(1_000, 10 * SECOND_MS);
    return home;
  };

  it.each<[EnergyPeriod, number]>([
    ['daily', 10],
    ['weekly', 30],
    ['monthly', 50],
  ])('the total of a device that is set to %s is that of all its days so far', (period, seconds) => {
    const home = over('2026-06-30', '2026-07-01', '2026-07-12', '2026-07-13', '2026-07-14', '2026-07-15');
    expect(home.restart(period).energy('PV energy')).toBe(wattsFor(1_000, seconds * SECOND_MS));
  });

  it('the total is unknown, not zero, of a counter that counted nothing in the period', () => {
    const home = over('2026-07-13');
    expect(home.clock('2026-07-15T12:00:00Z').restart('daily').energy('PV energy')).toBeUndefined();
    expect(home.restart('weekly').energy('PV energy')).toBe(wattsFor(1_000, 10 * SECOND_MS));
  });

  it('the days of a month add up to the month, whatever the zone does with its clocks', () => {
    const home = new CountedHome('2026-10-24T21:59:00Z', {
      period: 'monthly',
      zone: 'Europe/Berlin',
      longestGapMs: HOUR_MS,
    });
    home.pv(999, 49 * HOUR_MS, 7 * MINUTE_MS);
    expect(home.energy('PV energy')).toBe(wattsFor(999, 49 * HOUR_MS));
    expect(home.ledger.state.days.size).toBe(3);
  });
});

describe('stored energy', () => {
  const day = Date.parse('2026-07-15T00:00:00Z') / (24 * HOUR_MS);
  const energy = { 'PV energy': { wattHours: 4_200, rest: 17 } };
  const stored: EnergyState = { zone: 'UTC', day, days: new Map([[day, energy]]) };
  const storedHalfWms = 4_200 * HALF_WMS_PER_WH + 17;
  const opened = (now: string, period: EnergyPeriod = 'daily') =>
    new CountedHome(now, { stored, period }).energy('PV energy');

  it.each([
    ['goes on within its period', '2026-07-15T18:00:00Z', storedHalfWms],
    ['goes on before the clock is set', '1970-01-01T00:00:20Z', storedHalfWms],
    ['goes on with a clock that is a little behind', '2026-07-14T23:59:00Z', storedHalfWms],
    ['is over in the next period', '2026-07-16T00:00:00Z', undefined],
  ])('%s', (_name, now, expected) => {
    expect(opened(now)).toEqual(expected);
  });

  it.each([
    '1970-01-01T00:00:20Z',
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00Z',
    '2049-01-01T00:00:00Z',
  ])('stored energy of a device that starts at %s goes on once its clock is set', (startsAt) => {
    const home = new CountedHome(startsAt, { stored });
    home.clock('2026-07-15T18:00:00Z').read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toEqual(storedHalfWms);
  });

  it.each([
    ['west', 'America/New_York', '2026-08-01T04:00:00Z'],
    ['east', 'Asia/Tokyo', '2026-07-31T15:00:00Z'],
  ])('stored energy goes on within its month when the time zone is set farther %s', (_way, zone, end) => {
    const home = new CountedHome('2026-07-20T12:00:00Z', { stored, period: 'monthly', zone });
    home.pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(storedHalfWms + wattsFor(1_000, 10 * SECOND_MS));
    home.clock(new Date(Date.parse(end) - 5 * SECOND_MS).toISOString()).pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 5 * SECOND_MS));
  });

  it.each([
    ['tomorrow', 'Asia/Tokyo', '2026-07-15T18:00:00Z', 1],
    ['yesterday', 'America/New_York', '2026-07-15T02:00:00Z', -1],
    ['the same day', 'Europe/Berlin', '2026-07-15T12:00:00Z', 0],
  ])(
    'stored energy of today stays that of today in a zone where it is %s, and ends with that day',
    (_when, zone, now, shift) => {
      const home = new CountedHome(now, { stored, zone });
      expect([home.ledger.state.day, home.energy('PV energy')]).toEqual([day + shift, storedHalfWms]);
      home.pv(1_000, 10 * SECOND_MS);
      expect(home.energy('PV energy')).toBe(storedHalfWms + wattsFor(1_000, 10 * SECOND_MS));
      home.clock(new Date(Date.parse(now) + 24 * HOUR_MS).toISOString()).read({ 'PV power': 1_000 });
      expect([home.ledger.state.day, home.energy('PV energy')]).toEqual([day + shift + 1, undefined]);
    },
  );

  it('stored energy of yesterday is not that of today in another zone', () => {
    const home = new CountedHome('2026-07-16T12:00:00Z', { stored, zone: 'America/New_York' });
    expect(home.energy('PV energy')).toBeUndefined();
  });

  it('nothing is added for the time the device was off', () => {
    const home = new CountedHome('2026-07-15T18:00:00Z', { stored }).read({ 'PV power': 5_000 });
    expect(home.ledger.state).toBe(stored);
  });
});
