import { localIso } from '@heliograph/kit/local-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimeRange } from './parse-time-range.ts';

const BERLIN = 'Europe/Berlin';
/** A Wednesday. */
const NOW = Date.parse('2026-06-24T14:30:00+02:00');

const input = (from: string, to = 'now', zone = BERLIN, now = NOW): readonly string[] => {
  const { fromMs, toMs } = parseTimeRange(from, to, now, zone);
  return [localIso(fromMs, zone), localIso(toMs, zone)];
};

const NOW_TEXT = '2026-06-24T14:30:00+02:00';

describe('parseTimeRange', () => {
  it.each([
    ['-24h', 'now', '2026-06-23T14:30:00+02:00', NOW_TEXT],
    ['-90m', '-30m', '2026-06-24T13:00:00+02:00', '2026-06-24T14:00:00+02:00'],
    ['-2w', 'now', '2026-06-10T14:30:00+02:00', NOW_TEXT],
    ['today', 'now', '2026-06-24T00:00:00+02:00', NOW_TEXT],
    ['today', 'today', '2026-06-24T00:00:00+02:00', NOW_TEXT],
    ['yesterday', 'yesterday', '2026-06-23T00:00:00+02:00', '2026-06-24T00:00:00+02:00'],
    ['this_week', 'now', '2026-06-22T00:00:00+02:00', NOW_TEXT],
    ['Last week', 'last-week', '2026-06-15T00:00:00+02:00', '2026-06-22T00:00:00+02:00'],
    ['last_month', 'last_month', '2026-05-01T00:00:00+02:00', '2026-06-01T00:00:00+02:00'],
    ['this_month', 'this_month', '2026-06-01T00:00:00+02:00', NOW_TEXT],
    ['last_year', 'last_year', '2025-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
    ['this_year', 'now', '2026-01-01T00:00:00+01:00', NOW_TEXT],
    ['2026-06-21', '2026-06-21', '2026-06-21T00:00:00+02:00', '2026-06-22T00:00:00+02:00'],
    ['2026-02', '2026-03', '2026-02-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
    ['2026-06-21T08:00', '2026-06-21 09:30:15', '2026-06-21T08:00:00+02:00', '2026-06-21T09:30:15+02:00'],
    [
      '2026-06-21T08:00:00Z',
      '2026-06-21T08:00:00-0500',
      '2026-06-21T10:00:00+02:00',
      '2026-06-21T15:00:00+02:00',
    ],
    ['yesterday 22:00', 'Today 06:00', '2026-06-23T22:00:00+02:00', '2026-06-24T06:00:00+02:00'],
    // A range that is not over yet ends now.
    ['today', '2026-12-31', '2026-06-24T00:00:00+02:00', NOW_TEXT],
  ])('the range from %s to %s is resolved', (from, to, begins, ends) => {
    expect(input(from, to)).toEqual([begins, ends]);
  });

  it.each([
    ['a day of 23 hours', '2026-03-29', BERLIN, 23],
    ['a day of 25 hours', '2025-10-26', BERLIN, 25],
    ['a day that begins at 01:00', '2026-04-24', 'Africa/Cairo', 23],
    ['half an hour more', '2026-04-05', 'Australia/Lord_Howe', 24.5],
  ])('the text %s is understood', (_what, day, zone, hours) => {
    const { fromMs, toMs } = parseTimeRange(day, day, NOW, zone);
    expect((toMs - fromMs) / 3_600_000).toBe(hours);
  });

  it.each([
    [
      '2026-02-30',
      'now',
      /from "2026-02-30" is not understood\. It may be an ISO 8601 date-time .*yesterday/,
    ],
    ['-24h', 'someday', /to "someday" is not understood/],
    ['1780272000', 'now', /not understood/],
    ['2026-06-21T25:00', 'now', /not understood/],
    ['yesterday 24:30', 'now', /not understood/],
    ['-h', 'now', /not understood/],
    ['', 'now', /not understood/],
    [
      '2026-07-01',
      'now',
      /from \(2026-07-01T00:00:00\+02:00\) is in the future: it is 2026-06-24T14:30:00\+02:00 now/,
    ],
    ['today', 'yesterday', /must be before to/],
  ])('the range from %j to %j is refused with a message that helps', (from, to, message) => {
    expect(() => parseTimeRange(from, to, NOW, BERLIN)).toThrow(message);
  });

  it('any text is a range before now or a refusal', () => {
    const forms = fc.oneof(
      fc.constantFrom(
        'now',
        'today',
        'yesterday',
        'last_week',
        'this_month',
        'last_year',
        '-5d',
        '2026-06-24',
      ),
      fc.string({ maxLength: 12 }),
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
        .map((date) => date.toISOString()),
    );
    const zone = fc.constantFrom(BERLIN, 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/St_Johns');
    fc.assert(
      fc.property(forms, forms, zone, (from, to, where) => {
        try {
          const { fromMs, toMs } = parseTimeRange(from, to, NOW, where);
          expect(fromMs).toBeLessThan(toMs);
          expect(toMs).toBeLessThanOrEqual(NOW);
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      }),
      { numRuns: 300 },
    );
  });
});
