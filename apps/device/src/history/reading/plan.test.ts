import { describe, expect, it } from 'vitest';
import type { Resolution } from '../resolution.ts';
import { type HistoryPlan, MAX_POINTS, planOf } from './plan.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const NOW = Date.parse('2026-06-15T12:00:00.400Z');
const DAY = Date.parse('2026-06-10T00:00:00Z');
/** Since when each resolution is whole. */
const SINCE: Readonly<Record<Resolution, number>> = {
  readings: DAY,
  five_minutes: DAY - 10 * DAY_MS,
  hours: DAY - 100 * DAY_MS,
};

const plan = (
  { fromMs, toMs, stepMs }: { fromMs?: number; toMs?: number; stepMs?: number },
  topics = 1,
): HistoryPlan => {
  const request = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
  return planOf(
    { matches: () => true, ...request, ...(stepMs !== undefined && { stepMs }) },
    topics,
    NOW,
    (source) => SINCE[source],
  );
};

describe('the source of a history', () => {
  it.each<[string, number, number, Resolution, number]>([
    ['a minute from where readings begin', DAY, MINUTE_MS, 'readings', MINUTE_MS],
    ['a minute from just before', DAY - 1, MINUTE_MS, 'five_minutes', 5 * MINUTE_MS],
    ['seven minutes from just before', DAY - 1, 7 * MINUTE_MS, 'five_minutes', 10 * MINUTE_MS],
    ['a minute from where buckets begin', SINCE.five_minutes, MINUTE_MS, 'five_minutes', 5 * MINUTE_MS],
    ['a minute from just before buckets', SINCE.five_minutes - 1, MINUTE_MS, 'hours', HOUR_MS],
    ['a minute from before everything', SINCE.hours - 1, MINUTE_MS, 'hours', HOUR_MS],
    ['seven minutes of readings', DAY, 7 * MINUTE_MS, 'readings', 7 * MINUTE_MS],
    ['ten minutes of readings', DAY, 10 * MINUTE_MS, 'five_minutes', 10 * MINUTE_MS],
    ['an hour', DAY, HOUR_MS, 'hours', HOUR_MS],
    ['an hour and a half', DAY, 1.5 * HOUR_MS, 'five_minutes', 1.5 * HOUR_MS],
    ['a day that begins at half past', DAY + HOUR_MS / 2, DAY_MS, 'five_minutes', DAY_MS],
    ['a day that begins within five minutes', DAY + MINUTE_MS, DAY_MS, 'hours', DAY_MS],
  ])('a step of %s', (_what, fromMs, wantedMs, source, stepMs) => {
    expect(plan({ fromMs, toMs: fromMs + DAY_MS, stepMs: wantedMs })).toMatchObject({ source, stepMs });
  });
});

describe('the time of a history', () => {
  it('a history without times is the day until the end of this second, in steps that stay in place', () => {
    const toMs = Date.parse('2026-06-15T12:00:01Z');
    expect(plan({ stepMs: 5 * HOUR_MS })).toEqual({
      fromMs: Date.parse('2026-06-14T08:00:00Z'),
      toMs,
      stepMs: 5 * HOUR_MS,
      source: 'hours',
    });
    expect(plan({ fromMs: DAY, stepMs: 5 * HOUR_MS })).toMatchObject({ fromMs: DAY, toMs });
    expect(plan({ fromMs: DAY + 400, stepMs: MINUTE_MS })).toMatchObject({ fromMs: DAY, toMs });
  });

  it('a history that ends where it begins, or before, is refused', () => {
    for (const toMs of [DAY, DAY - 1])
      expect(() => plan({ fromMs: DAY, toMs })).toThrow('from must be before to');
    expect(plan({ fromMs: DAY, toMs: DAY + 1 })).toMatchObject({ fromMs: DAY, toMs: DAY + 1 });
  });

  it.each([
    [1, 1_000 * SECOND_MS, SECOND_MS],
    [1, 1_001 * SECOND_MS, 2 * SECOND_MS],
    [1, DAY_MS, 5 * MINUTE_MS],
    [100, DAY_MS, 5 * MINUTE_MS],
    [1_000, DAY_MS, 30 * MINUTE_MS],
    [1, 1_000 * DAY_MS, DAY_MS],
    [1, 400_000 * DAY_MS, 400 * DAY_MS],
  ])('the usual step of %i topics over %i ms is %i ms', (topics, rangeMs, stepMs) => {
    expect(plan({ fromMs: DAY, toMs: DAY + rangeMs }, topics).stepMs).toBe(stepMs);
  });
});

describe('the limit of points', () => {
  it.each([
    [1, MAX_POINTS, true],
    [1, MAX_POINTS + 1, false],
    [5, MAX_POINTS / 5, true],
    [5, MAX_POINTS / 5 + 1, false],
  ])('%i topics of %i points each are answered: %s', (topics, points, isAnswered) => {
    const request = { fromMs: DAY, toMs: DAY + points * MINUTE_MS, stepMs: MINUTE_MS };
    if (isAnswered) expect(plan(request, topics).stepMs).toBe(MINUTE_MS);
    else expect(() => plan(request, topics)).toThrow(/^\d topics? in steps of 60 s would be 5000[15] points/);
  });
});
