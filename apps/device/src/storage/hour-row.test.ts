import { expect, it } from 'vitest';
import { HOUR_MS, isHour, MAX_COVER_MS, MAX_HOUR_AMOUNT } from './hour-row.ts';

const HOUR = { start: Date.UTC(2026, 5, 21, 10), covered_ms: HOUR_MS, pv: 1, load: null };

type Changes = Partial<Record<keyof typeof HOUR, number | bigint | null>>;

it.each<[string, boolean, Changes]>([
  ['of a day in June', true, {}],
  ['at the first hour there can be', true, { start: Date.UTC(2020, 0, 1) }],
  ['before the first hour there can be', false, { start: Date.UTC(2020, 0, 1) - HOUR_MS }],
  ['at the last hour there can be', true, { start: Date.UTC(2200, 0, 1) }],
  ['after the last hour there can be', false, { start: Date.UTC(2200, 0, 1) + HOUR_MS }],
  ['of a zone with three quarters of an hour', true, { start: HOUR.start + (3 * HOUR_MS) / 4 }],
  ['that begins at no quarter of an hour', false, { start: HOUR.start + HOUR_MS / 8 }],
  ['that was not covered', true, { covered_ms: 0 }],
  ['without a cover', true, { covered_ms: null }],
  ['with a negative cover', false, { covered_ms: -1 }],
  ['covered as often as can be', true, { covered_ms: MAX_COVER_MS }],
  ['covered more often than can be', false, { covered_ms: MAX_COVER_MS + 1 }],
  ['with no energy', true, { pv: 0 }],
  ['with negative energy', false, { load: -1 }],
  ['with as much energy as can be', true, { load: MAX_HOUR_AMOUNT }],
  ['with more energy than can be', false, { load: MAX_HOUR_AMOUNT + 1 }],
  ['with one impossible amount of two', false, { pv: MAX_HOUR_AMOUNT + 1, load: 1 }],
  ['with a cover alone', true, { pv: null }],
  ['with an amount alone', true, { covered_ms: null }],
  ['with nothing', false, { covered_ms: null, pv: null }],
  ['in the integers of SQLite', true, { start: BigInt(HOUR.start), covered_ms: 1n, pv: 1n }],
  ['in the integers of SQLite with negative energy', false, { start: BigInt(HOUR.start), pv: -1n }],
])('an hour %s can be: %s', (_what, canBe, changes) => {
  expect(isHour({ ...HOUR, ...changes })).toBe(canBe);
});
