import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENERGY_PERIODS, type EnergyPeriod, isTimeZone, machineTimeZone, periodStart } from './period.ts';

const HOUR_MS = 3_600_000;
const at = (iso: string): number => Date.parse(iso);
const start = (now: string, zone: string, period: EnergyPeriod): string =>
  new Date(periodStart(at(now), zone, period)).toISOString();

describe('periodStart', () => {
  it.each<[string, EnergyPeriod, string, string, string]>([
    // zone, period, now, start, what is special
    ['UTC', 'daily', '2026-07-15T13:45:00Z', '2026-07-15T00:00:00.000Z', 'an ordinary day'],
    ['UTC', 'weekly', '2026-07-15T13:45:00Z', '2026-07-13T00:00:00.000Z', 'a Wednesday'],
    ['UTC', 'weekly', '2026-07-13T00:00:00Z', '2026-07-13T00:00:00.000Z', 'the first instant of a Monday'],
    ['UTC', 'weekly', '2026-07-12T23:59:59.999Z', '2026-07-06T00:00:00.000Z', 'the last of a Sunday'],
    ['UTC', 'weekly', '2027-01-01T12:00:00Z', '2026-12-28T00:00:00.000Z', 'a week over New Year'],
    ['UTC', 'monthly', '2028-02-29T23:59:59Z', '2028-02-01T00:00:00.000Z', 'a leap day'],
    [
      'Europe/Berlin',
      'daily',
      '2026-03-28T23:00:00Z',
      '2026-03-28T23:00:00.000Z',
      'a day of 23 hours begins',
    ],
    ['Europe/Berlin', 'daily', '2026-03-29T21:59:59Z', '2026-03-28T23:00:00.000Z', 'a day of 23 hours ends'],
    ['Europe/Berlin', 'daily', '2026-03-29T22:00:00Z', '2026-03-29T22:00:00.000Z', 'the day after it'],
    ['Europe/Berlin', 'daily', '2026-10-25T22:59:59Z', '2026-10-24T22:00:00.000Z', 'a day of 25 hours ends'],
    [
      'Europe/Berlin',
      'weekly',
      '2026-03-30T10:00:00Z',
      '2026-03-29T22:00:00.000Z',
      'Monday after the change',
    ],
    ['Europe/Berlin', 'monthly', '2026-10-31T12:00:00Z', '2026-09-30T22:00:00.000Z', 'a month with a change'],
    ['America/New_York', 'daily', '2026-03-09T03:59:59Z', '2026-03-08T05:00:00.000Z', '23 hours'],
    ['America/New_York', 'daily', '2026-11-02T04:59:59Z', '2026-11-01T04:00:00.000Z', '25 hours'],
    ['Australia/Lord_Howe', 'daily', '2026-04-05T12:00:00Z', '2026-04-04T13:00:00.000Z', '24.5 hours'],
    ['Australia/Lord_Howe', 'daily', '2026-10-04T12:59:59Z', '2026-10-03T13:30:00.000Z', '23.5 hours'],
    ['Asia/Kathmandu', 'daily', '2026-07-15T18:14:59Z', '2026-07-14T18:15:00.000Z', 'an odd offset'],
    ['Pacific/Kiritimati', 'daily', '2026-07-15T11:00:00Z', '2026-07-15T10:00:00.000Z', '14 hours ahead'],
    ['Pacific/Apia', 'daily', '2011-12-31T09:00:00Z', '2011-12-30T10:00:00.000Z', 'after a date left out'],
    ['Pacific/Apia', 'weekly', '2011-12-31T09:00:00Z', '2011-12-26T10:00:00.000Z', 'a week of six days'],
    ['Africa/Cairo', 'daily', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00.000Z', 'midnight skipped'],
    ['Asia/Beirut', 'daily', '2026-03-29T12:00:00Z', '2026-03-28T22:00:00.000Z', 'midnight skipped'],
    [
      'America/Santiago',
      'daily',
      '2026-04-05T03:59:59Z',
      '2026-04-04T03:00:00.000Z',
      '23 to 24 o’clock twice',
    ],
    ['America/Santiago', 'daily', '2026-04-05T04:00:00Z', '2026-04-05T04:00:00.000Z', 'the day after it'],
    [
      'America/Havana',
      'daily',
      '2026-11-01T05:30:00Z',
      '2026-11-01T04:00:00.000Z',
      'midnight twice: the first',
    ],
    ['Africa/Monrovia', 'daily', '1971-07-15T00:44:15Z', '1971-07-14T00:44:30.000Z', 'a midnight within'],
    ['Africa/Monrovia', 'daily', '1971-07-15T00:44:45Z', '1971-07-15T00:44:30.000Z', 'a minute of UTC'],
    ['+05:30', 'daily', '2026-07-15T18:30:00Z', '2026-07-15T18:30:00.000Z', 'a bare offset'],
  ])('the start of the period %s, %s, %s is %s (%s)', (zone, period, now, expected) => {
    expect(start(now, zone, period)).toBe(expected);
  });

  it.each<[string, EnergyPeriod, string]>([
    ['UTC', 'daily', '2026-07-15T00:00:00.000Z'],
    ['Asia/Tokyo', 'daily', '2026-07-14T15:00:00.000Z'],
    ['Asia/Tokyo', 'monthly', '2026-06-30T15:00:00.000Z'],
    ['Asia/Tokyo', 'weekly', '2026-07-12T15:00:00.000Z'],
  ])('the start of the period %s, %s, is not the one asked for just before', (zone, period, expected) => {
    start('2026-07-15T12:00:00Z', zone === 'UTC' ? 'Asia/Tokyo' : 'UTC', period);
    expect(start('2026-07-15T12:00:00Z', zone, period)).toBe(expected);
    start('2026-07-15T12:00:00Z', zone, period === 'daily' ? 'weekly' : 'daily');
    expect(start('2026-07-15T12:00:00Z', zone, period)).toBe(expected);
  });

  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
    'Asia/Kolkata',
    'America/Santiago',
    'America/Havana',
    'Atlantic/Azores',
    'UTC',
  ];
  const moments = fc.integer({ min: at('2010-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });

  const weekday = (ms: number, zone: string): string =>
    new Date(ms).toLocaleString('en', { timeZone: zone, weekday: 'long' });
  const date = (ms: number, zone: string): string =>
    new Date(ms).toLocaleDateString('sv-SE', { timeZone: zone });

  it('a start is never later than now, is its own start, and begins a local date of the right kind', () => {
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...zones),
        fc.constantFrom(...ENERGY_PERIODS),
        (now, zone, period) => {
          const begin = periodStart(now, zone, period);
          expect(begin).toBeLessThanOrEqual(now);
          expect(periodStart(begin, zone, period)).toBe(begin);
          expect(date(begin - 1, zone) < date(begin, zone)).toBe(true);
          if (period === 'daily') expect(date(begin, zone)).toBe(date(now, zone));
          if (period === 'weekly') expect(weekday(begin, zone)).toBe('Monday');
          if (period === 'monthly') expect(date(begin, zone)).toBe(`${date(now, zone).slice(0, 8)}01`);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('the start rises once a day, and two days of a year are not 24 hours long', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
      const starts = new Set<number>();
      for (let t = at('2026-01-02T00:00:00Z'); t < at('2027-01-02T00:00:00Z'); t += 4 * HOUR_MS) {
        starts.add(periodStart(t, zone, 'daily'));
      }
      const lengths = [...starts]
        .map((begin, i, all) => ((all[i + 1] ?? Number.NaN) - begin) / HOUR_MS)
        .slice(0, -1);
      const odd = lengths.filter((hours) => hours !== 24).toSorted();
      expect([zone, odd]).toEqual([zone, zone === 'Australia/Lord_Howe' ? [23.5, 24.5] : [23, 25]]);
    }
  });
});

it.each([
  ['a town', 'Europe/Berlin', 'Europe/Berlin'],
  // Node's zone with an empty TZ, and with one that it cannot read.
  ['none that is known', 'Etc/Unknown', 'UTC'],
  ['one that is nonsense', '', 'UTC'],
])("a machine's time zone that is %s counts as one that there is", (_what, name, zone) => {
  expect(machineTimeZone(name)).toBe(zone);
  expect(() => start('2026-07-15T13:45:00Z', machineTimeZone(name), 'daily')).not.toThrow();
});

it.each([
  ['Europe/Berlin', true],
  ['Europe/Berlim', false],
  ['', false],
])('whether "%s" is the name of a time zone is %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

it("a machine's time zone is one that periods can begin in", () => {
  expect(() => start('2026-07-15T13:45:00Z', machineTimeZone(), 'weekly')).not.toThrow();
});
