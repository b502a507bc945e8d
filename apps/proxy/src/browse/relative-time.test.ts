import { expect, test } from 'vitest';
import { ago, utc } from './relative-time.ts';

const S = 1_000;
const MIN = 60 * S;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

test.each([
  [-5 * MIN, 'less than a minute ago'],
  [0, 'less than a minute ago'],
  [MIN - 1, 'less than a minute ago'],
  [MIN, '1 minute ago'],
  [2 * MIN - 1, '1 minute ago'],
  [2 * MIN, '2 minutes ago'],
  [2 * HOUR - 1, '119 minutes ago'],
  [2 * HOUR, '2 hours ago'],
  [2 * DAY - 1, '47 hours ago'],
  [2 * DAY, '2 days ago'],
  [1_000 * DAY, '1,000 days ago'],
])('an age of %i ms is written "%s"', (elapsedMs, text) => {
  expect(ago(elapsedMs)).toBe(text);
});

test('a moment is written with its zone', () => {
  expect(utc(Date.UTC(2025, 10, 21, 18, 3))).toBe('21 November 2025 at 18:03 UTC');
});
