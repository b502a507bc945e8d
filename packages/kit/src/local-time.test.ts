import fc from 'fast-check';
import { expect, it } from 'vitest';
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

it.each([
  ['a time that the clock skips is when it skips it', '2026-03-29T02:30Z', '2026-03-29T01:00Z'],
  ['a time that the clock shows twice is the first', '2026-10-25T02:30Z', '2026-10-25T00:30Z'],
])('%s', (_what, shown, at) => {
  expect(instantOf(Date.parse(shown), 'Europe/Berlin')).toBe(Date.parse(at));
  expect(localTime(Date.parse(at), 'Europe/Berlin')).toBeGreaterThanOrEqual(Date.parse(shown));
});
