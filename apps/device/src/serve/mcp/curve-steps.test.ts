import { STEP_NAMES } from '@heliograph/mcp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localIso } from '../../common/local-time.ts';
import { stepsOf } from './curve-steps.ts';

const BERLIN = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const spanned = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

describe('stepsOf', () => {
  it.each([
    ['an hour', '2026-06-21T10:00Z', '2026-06-21T11:00Z', '1m', 60],
    ['a day', '2026-06-20T22:00Z', '2026-06-21T22:00Z', '15m', 96],
    ['a day of 25 hours', '2026-10-24T22:00Z', '2026-10-25T23:00Z', '15m', 100],
    ['a week', '2026-06-20T22:00Z', '2026-06-27T22:00Z', '1h', 168],
    ['a month', '2026-05-31T22:00Z', '2026-06-30T22:00Z', '6h', 120],
    ['a year', '2025-12-31T23:00Z', '2026-12-31T23:00Z', '1w', 53],
    ['a century', '1950-01-01T00:00Z', '2050-01-01T00:00Z', '1y', 101],
  ])('the steps of %s are as fine as they fit', (_what, from, to, name, count) => {
    const { step, startsMs } = stepsOf(spanned(from, to), undefined, 200, MINUTE_MS, BERLIN);
    expect([step.name, startsMs.length]).toEqual([name, count]);
  });

  it('steps begin with the calendar of the site, and the first with the requested time', () => {
    const span = spanned('2026-10-24T10:20Z', '2026-10-27T10:00Z');
    const starts = (name: (typeof STEP_NAMES)[number]) =>
      stepsOf(span, name, 200, MINUTE_MS, BERLIN).startsMs.map((at) => localIso(at, BERLIN));
    expect(starts('1d')).toEqual([
      '2026-10-24T12:20:00+02:00',
      '2026-10-25T00:00:00+02:00',
      '2026-10-26T00:00:00+01:00',
      '2026-10-27T00:00:00+01:00',
    ]);
    expect(starts('6h').slice(0, 4)).toEqual([
      '2026-10-24T12:20:00+02:00',
      '2026-10-24T18:00:00+02:00',
      '2026-10-25T00:00:00+02:00',
      '2026-10-25T05:00:00+01:00',
    ]);
  });

  it('steps are no finer than the stored readings', () => {
    const span = spanned('2026-06-21T10:00Z', '2026-06-21T12:00Z');
    expect(stepsOf(span, '5m', 200, 60 * MINUTE_MS, BERLIN).step.name).toBe('1h');
  });

  it('steps rise within the range, and are never too many, in any zone', () => {
    const day = fc.integer({ min: 0, max: 400 });
    const zone = fc.constantFrom(
      BERLIN,
      'Pacific/Apia',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Kathmandu',
    );
    const requested = fc.option(fc.constantFrom(...STEP_NAMES), { nil: undefined });
    const most = fc.integer({ min: 40, max: 200 });
    fc.assert(
      fc.property(day, day, zone, requested, most, (first, days, where, name, limit) => {
        // Samoa left out a day at the end of 2011.
        const fromMs = Date.UTC(2011, 0, 1 + first, 7, 35);
        const toMs = fromMs + days * 24 * 60 * MINUTE_MS + MINUTE_MS;
        try {
          const { startsMs } = stepsOf({ fromMs, toMs }, name, limit, MINUTE_MS, where);
          expect(startsMs.length).toBeLessThanOrEqual(limit);
          expect(startsMs[0]).toBe(fromMs);
          expect(startsMs.every((at, i) => at < toMs && at > (startsMs[i - 1] ?? 0))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ status: 400, message: expect.stringContaining('take step') });
        }
      }),
      { numRuns: 200 },
    );
  });
});
