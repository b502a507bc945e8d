import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { instantOf, localIso, localTime } from './local-time.ts';

it.each([
  ['UTC', '2026-06-21T12:00:00+00:00'],
  ['Asia/Kathmandu', '2026-06-21T17:45:00+05:45'],
  ['America/St_Johns', '2026-06-21T09:30:00-02:30'],
  ['Pacific/Kiritimati', '2026-06-22T02:00:00+14:00'],
])('localTime in %s is %s', (zone, text) => {
  expect(localIso(Date.parse('2026-06-21T12:00:00.999Z'), zone)).toBe(text);
});

it('a moment formatted by localIso parses as that moment', () => {
  const zone = fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns');
  const second = fc.integer({ min: Date.UTC(1980, 0) / 1000, max: Date.UTC(2040, 0) / 1000 });
  fc.assert(
    fc.property(second, zone, (at, where) => {
      expect(Date.parse(localIso(at * 1000, where))).toBe(at * 1000);
    }),
  );
});

it('the time zone database is asked once an hour, however often the time of a home is wanted', () => {
  // Twice, since the first may be the one at which all that is known is forgotten.
  for (let time = 0; time < 2; time++) localTime(Date.parse('2031-03-03T12:00:00Z'), 'Europe/Berlin');
  const lookups = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  try {
    localTime(Date.parse('2031-03-03T12:59:59.999Z'), 'Europe/Berlin');
    expect(lookups).not.toHaveBeenCalled();
    localTime(Date.parse('2031-03-03T13:00:00Z'), 'Europe/Berlin');
    expect(lookups).toHaveBeenCalledOnce();
  } finally {
    lookups.mockRestore();
  }
});

it('the clock of every zone is that of Intl, also in the hours in which it is changed', () => {
  const clocks = new Map<string, Intl.DateTimeFormat>();
  const shown = (atMs: number, zone: string): string => {
    const fields = { timeStyle: 'medium', dateStyle: 'short', timeZone: zone } as const;
    const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv', fields);
    clocks.set(zone, clock);
    return clock.format(atMs);
  };
  const zones = Intl.supportedValuesOf('timeZone');
  // Berlin, Lord Howe by half an hour, St John's at a minute past midnight, and Troll by two hours change near these.
  const near = ['2026-03-29T01:00Z', '2026-10-03T15:30Z', '2006-10-29T02:31Z', '2026-10-25T01:00Z'].map(
    Date.parse,
  );
  const moment = fc.oneof(
    fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2040, 0) }),
    fc
      .tuple(fc.constantFrom(...near), fc.integer({ min: -7_200_000, max: 7_200_000 }))
      .map(([a, b]) => a + b),
  );
  const zone = fc.oneof(
    fc.constantFrom(
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Antarctica/Troll',
      'Africa/Monrovia',
    ),
    fc.constantFrom(...zones),
  );
  fc.assert(
    fc.property(moment, zone, (at, where) => {
      expect(shown(localTime(at, where), 'UTC')).toBe(shown(at, where));
    }),
    { numRuns: 3_000 },
  );
});

it.each([
  ['a time that the clock skips is when it skips it', '2026-03-29T02:30Z', '2026-03-29T01:00Z'],
  ['a time that the clock shows twice is the first', '2026-10-25T02:30Z', '2026-10-25T00:30Z'],
])('%s', (_what, shown, at) => {
  expect(instantOf(Date.parse(shown), 'Europe/Berlin')).toBe(Date.parse(at));
  expect(localTime(Date.parse(at), 'Europe/Berlin')).toBeGreaterThanOrEqual(Date.parse(shown));
});
