import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnergyState } from './ledger.ts';
import type { EnergyPeriod } from './period.ts';
import { CountedHome, HOUR_MS, MINUTE_MS, SECOND_MS, wattsFor } from './testing/counted-home.ts';

describe('a new period', () => {
  it('a new period begins with the energy since its first instant, whichever poll comes first', () => {
    const home = new CountedHome('2026-07-15T23:59:50Z').pv(3_600, 9_500);
    home.pass(2_000).read({ 'PV power': 3_600 });
    expect(home.energy('PV energy')).toBe(wattsFor(3_600, 1_500));
    expect(home.ledger.state.startedAt).toBe(Date.parse('2026-07-16T00:00:00Z'));
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
  const counted = wattsFor(1_000, 20_000);

  it.each([
    ['forward within the day', '2026-07-15T12:00:00Z', '2026-07-15T18:00:00Z', counted],
    ['back within the day', '2026-07-15T12:00:00Z', '2026-07-15T09:00:00Z', counted],
    ['back to just after midnight', '2026-07-15T12:00:00Z', '2026-07-15T00:00:00.001Z', counted],
    ['back over midnight', '2026-07-15T00:30:00Z', '2026-07-14T23:30:00Z', counted],
    ['back by years', '2026-07-15T12:00:00Z', '2026-01-03T12:00:00Z', counted],
    ['back to before it was ever set', '2026-07-15T12:00:00Z', '1970-01-01T00:00:09Z', counted],
    ['forward over midnight', '2026-07-15T12:00:00Z', '2026-07-16T12:00:00Z', wattsFor(1_000, 10_000)],
  ])('a clock set %s neither loses nor doubles energy', (_name, from, to, expected) => {
    const home = new CountedHome(from)
      .pv(1_000, 10 * SECOND_MS)
      .clock(to)
      .pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(expected);
  });

  it('a clock set back over midnight does not restart the same day twice', () => {
    const home = new CountedHome('2026-07-16T00:00:00Z').pv(1_000, 10 * SECOND_MS);
    home.clock('2026-07-15T23:59:55Z').pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(counted);
  });

  it.each([
    ['30 minutes', '2026-07-15T23:30:00Z', wattsFor(1_000, 20_000)],
    ['24 hours', '2026-07-15T00:00:00Z', wattsFor(1_000, 20_000)],
    ['more than 24 hours', '2026-07-14T23:59:59.999Z', wattsFor(1_000, 10_000)],
  ])(
    'a clock set back to %s before midnight passes it again, and the day then has the right energy',
    (_far, to, expected) => {
      const home = new CountedHome('2026-07-16T00:00:00Z').pv(1_000, 10 * SECOND_MS);
      home.clock(to).read({ 'PV power': 1_000 });
      home.clock('2026-07-16T00:00:00Z').pv(1_000, 10 * SECOND_MS);
      expect(home.energy('PV energy')).toBe(expected);
    },
  );

  it('a clock set to a far future and back restarts with the days of the right clock', () => {
    const home = new CountedHome('2026-07-15T12:00:00Z').pv(1_000, 10 * SECOND_MS);
    home.clock('2050-01-01T00:00:00Z').pv(1_000, 10 * SECOND_MS);
    home.clock('2026-07-15T23:59:50Z').pv(1_000, 10 * SECOND_MS);
    home.pass(1_000).read({ 'PV power': 1_000 });
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 1_000));
  });
});

describe('stored energy', () => {
  const stored: EnergyState = {
    period: 'daily',
    startedAt: Date.parse('2026-07-15T00:00:00Z'),
    zone: 'UTC',
    amounts: { 'PV energy': { wattHours: 4_200, rest: 17 } },
  };
  const opened = (now: string, period: EnergyPeriod = 'daily') =>
    new CountedHome(now, { stored, period }).ledger.state.amounts['PV energy'];

  it.each([
    ['goes on within its period', '2026-07-15T18:00:00Z', stored.amounts['PV energy']],
    ['goes on before the clock is set', '1970-01-01T00:00:20Z', stored.amounts['PV energy']],
    ['goes on with a clock that is a little behind', '2026-07-14T23:59:00Z', stored.amounts['PV energy']],
    ['is over in the next period', '2026-07-16T00:00:00Z', undefined],
  ])('%s', (_name, now, expected) => {
    expect(opened(now)).toEqual(expected);
  });

  it.each([
    ['1970-01-01T00:00:20Z', 'goes on', stored.amounts['PV energy']],
    ['2025-12-31T23:59:59.999Z', 'goes on', stored.amounts['PV energy']],
    ['2026-01-01T00:00:00Z', 'is over', undefined],
  ])(
    'stored energy of a device that starts at %s, before its clock is set, %s',
    (startsAt, _what, expected) => {
      const home = new CountedHome(startsAt, { stored });
      home.clock('2026-07-15T18:00:00Z').read({ 'PV power': 1_000 });
      expect(home.ledger.state.amounts['PV energy']).toEqual(expected);
    },
  );

  it.each([
    ['goes on when its day began at the device’s midnight', '2026-07-15T04:00:00Z', stored.amounts],
    ['is over when its day began before the device’s midnight', '2026-07-15T00:00:00Z', {}],
  ])('stored energy without a time zone %s', (_what, startedAt, amounts) => {
    const { period, amounts: before } = stored;
    const home = new CountedHome('2026-07-15T18:00:00Z', {
      stored: { period, startedAt: Date.parse(startedAt), amounts: before },
      zone: 'America/New_York',
    });
    expect(home.ledger.state).toEqual({
      period,
      zone: 'America/New_York',
      startedAt: Date.parse('2026-07-15T04:00:00Z'),
      amounts,
    });
  });

  it.each([
    ['west', 'America/New_York', '2026-08-01T04:00:00Z'],
    ['east', 'Asia/Tokyo', '2026-07-31T15:00:00Z'],
  ])('stored energy goes on within its month when the time zone is set farther %s', (_way, zone, end) => {
    const month = { ...stored, period: 'monthly', startedAt: Date.parse('2026-07-01T00:00:00Z') } as const;
    const home = new CountedHome('2026-07-20T12:00:00Z', { stored: month, period: 'monthly', zone });
    home.pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBeGreaterThan(wattsFor(1_000, 10 * SECOND_MS));
    home.clock(new Date(Date.parse(end) - 5 * SECOND_MS).toISOString()).pv(1_000, 10 * SECOND_MS);
    expect(home.energy('PV energy')).toBe(wattsFor(1_000, 5 * SECOND_MS));
  });

  it('stored energy is dropped when its period has ended in the time zone before', () => {
    const home = new CountedHome('2026-07-16T12:00:00Z', { stored, zone: 'America/New_York' });
    expect(home.ledger.state.amounts).toEqual({});
  });

  it('stored energy is dropped when the device is set to another period', () => {
    expect(opened('2026-07-15T18:00:00Z', 'weekly')).toBeUndefined();
  });

  it('nothing is added for the time the device was off', () => {
    const home = new CountedHome('2026-07-15T18:00:00Z', { stored }).read({ 'PV power': 5_000 });
    expect(home.ledger.state).toBe(stored);
  });
});
