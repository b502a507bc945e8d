import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isDue,
  type KeyPurpose,
  type KeyTimes,
  PUBLISHED_AFTER_MS,
  PUBLISHED_AHEAD_MS,
  scheduleOf,
} from './schedule.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const keyOf = (kid: string, createdAtMs: number, signsFromMs: number | null): KeyTimes => ({
  kid,
  createdAt: new Date(createdAtMs),
  signsFrom: signsFromMs === null ? null : new Date(signsFromMs),
});
const statesOf = (keys: readonly KeyTimes[], nowMs: number) =>
  scheduleOf('sites', keys, nowMs).map(({ kid, state }) => `${kid} ${state}`);

it('scheduleOf returns the state of each key in the order of signing', () => {
  const keys = [
    keyOf('waiting', NOW, null),
    keyOf('c', NOW - DAY_MS, NOW - DAY_MS),
    keyOf('a', NOW - 90 * DAY_MS, NOW - 90 * DAY_MS),
    keyOf('b', NOW - 60 * DAY_MS, NOW - PUBLISHED_AFTER_MS.sites),
    keyOf('scheduled', NOW, NOW + DAY_MS),
  ];
  expect(statesOf(keys, NOW)).toEqual(['a expired', 'b old', 'c signing', 'scheduled next', 'waiting next']);
  expect(statesOf(keys, NOW - 1)[0]).toBe('a old');
  expect(statesOf(keys, NOW + DAY_MS)[3]).toBe('scheduled signing');
});

it('one key signs even by a clock that is behind', () => {
  const keys = [keyOf('waiting', NOW, null), keyOf('first', NOW, NOW)];
  expect(statesOf(keys, NOW - 5_000)).toEqual(['first signing', 'waiting next']);
  expect(statesOf([], NOW)).toEqual([]);
});

it.each<[KeyPurpose, number]>([
  ['sites', SITE_TOKEN_LIFETIME_MS],
  ['identity', DAY_MS],
])('a key is published until its last token has expired: %s', (purpose, lifetimeMs) => {
  const gaps = fc.array(fc.integer({ min: 0, max: 30 * DAY_MS }), { minLength: 1, maxLength: 6 });
  const signedAfter = fc.integer({ min: 0, max: 120 * DAY_MS });
  const usedAfter = fc.integer({ min: 0, max: lifetimeMs });
  fc.assert(
    fc.property(gaps, signedAfter, usedAfter, (rotations, signedMs, usedMs) => {
      let startMs = NOW;
      const keys = rotations.map((gapMs, index) => {
        startMs += index === 0 ? 0 : gapMs;
        return keyOf(`key ${index}`, startMs, startMs);
      });
      const atSigning = scheduleOf(purpose, [...keys, keyOf('waiting', NOW, null)], NOW + signedMs);
      const signing = atSigning.filter(({ state }) => state === 'signing');
      expect(signing).toHaveLength(1);
      const atUse = scheduleOf(purpose, keys, NOW + signedMs + usedMs);
      expect(atUse.find(({ kid }) => kid === signing[0]?.kid)?.state).toMatch(/^(signing|old)$/);
    }),
  );
});

it.each([
  ['the signing key is young', NOW - 90 * DAY_MS + 1, NOW - 90 * DAY_MS, null, false],
  [
    'the signing key is old and the next one published long enough',
    NOW - 90 * DAY_MS,
    NOW - PUBLISHED_AHEAD_MS,
    null,
    true,
  ],
  ['the next key is new', NOW - 90 * DAY_MS, NOW - PUBLISHED_AHEAD_MS + 1, null, false],
  ['the next key is scheduled already', NOW - 90 * DAY_MS, NOW - 90 * DAY_MS, NOW + 1, false],
])('isDue is right when %s', (_when, signsFrom, nextCreatedAt, nextSignsFrom, due) => {
  const keys = [keyOf('signing', signsFrom, signsFrom), keyOf('next', nextCreatedAt, nextSignsFrom)];
  expect(isDue(scheduleOf('sites', keys, NOW), 90 * DAY_MS, NOW)).toBe(due);
});
