import { describe, expect, it } from 'vitest';
import { type HistoryRange, spanOf, spanOfDate } from './ranges.ts';

/** As ISO 8601 in UTC. */
function stretch(range: HistoryRange, now: string, timeZone: string): string {
  const { from, to } = spanOf(range, Date.parse(now), timeZone);
  return [from, to].map((timeS) => new Date(timeS * 1000).toISOString().slice(0, 16)).join(' to ');
}

describe('spanOf', () => {
  it.each<[HistoryRange, string, string, string]>([
    ['today', '2026-06-21T22:30:00Z', 'UTC', '2026-06-21T00:00 to 2026-06-22T00:00'],
    ['today', '2026-06-21T22:30:00Z', 'Europe/Berlin', '2026-06-21T22:00 to 2026-06-22T22:00'],
    ['today', '2026-06-21T22:30:00Z', 'Asia/Kathmandu', '2026-06-21T18:15 to 2026-06-22T18:15'],
    ['yesterday', '2026-06-21T22:30:00Z', 'America/New_York', '2026-06-20T04:00 to 2026-06-21T04:00'],
    ['week', '2026-06-21T12:00:00Z', 'UTC', '2026-06-15T00:00 to 2026-06-22T00:00'],
    ['month', '2026-06-21T12:00:00Z', 'UTC', '2026-05-23T00:00 to 2026-06-22T00:00'],
    ['year', '2026-06-21T12:00:00Z', 'UTC', '2025-06-22T00:00 to 2026-06-22T00:00'],
  ])('the range %s at %s in %s is whole days of the place', (range, now, timeZone, expected) => {
    expect(stretch(range, now, timeZone)).toBe(expected);
  });

  it.each([
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00 to 2026-03-29T22:00'],
    ['2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-24T22:00 to 2026-10-25T23:00'],
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-28T23:00 to 2026-03-29T22:00'],
    // The offset at midnight UTC is that after the change, hours after the day began.
    ['2026-10-04T02:00:00Z', 'Australia/Sydney', '2026-10-03T14:00 to 2026-10-04T13:00'],
    ['2026-04-05T02:00:00Z', 'Australia/Sydney', '2026-04-04T13:00 to 2026-04-05T14:00'],
  ])('a day on which clocks change has 23 or 25 hours: %s in %s', (now, timeZone, expected) => {
    expect(stretch('today', now, timeZone)).toBe(expected);
  });

  it.each([
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00 to 2026-09-07T03:00'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00 to 2026-03-09T04:00'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00 to 2026-11-02T05:00'],
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00 to 2026-03-30T00:00'],
    ['2026-10-24', 'Asia/Beirut', '2026-10-23T21:00 to 2026-10-24T22:00'],
  ])(
    'the day %s in %s begins where a change of the clock skips or repeats its midnight',
    (date, zone, expected) => {
      const { from, to } = spanOfDate(date, zone);
      expect([from, to].map((timeS) => new Date(timeS * 1000).toISOString().slice(0, 16)).join(' to ')).toBe(
        expected,
      );
    },
  );

  it('every range has a few hundred steps', () => {
    for (const range of ['today', 'yesterday', 'week', 'month', 'year'] as const) {
      const { from, to, stepS } = spanOf(range, Date.parse('2026-06-21T12:00:00Z'), 'UTC');
      expect((to - from) / stepS).toBeGreaterThan(200);
      expect((to - from) / stepS).toBeLessThan(400);
    }
  });
});
