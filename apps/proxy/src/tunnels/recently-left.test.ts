import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecentlyLeft } from './recently-left.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a device that left is waited for until three seconds are over', () => {
  const left = new RecentlyLeft();
  expect(left.waitMs(1)).toBe(0);
  left.add(1);
  expect(left.waitMs(1)).toBe(3_000);
  expect(left.waitMs(2)).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(left.waitMs(1)).toBe(2_000);
  vi.advanceTimersByTime(2_001);
  expect(left.waitMs(1)).toBe(0);
});

test('a device that leaves again is waited for again', () => {
  const left = new RecentlyLeft(500);
  left.add(1);
  vi.advanceTimersByTime(400);
  left.add(1);
  expect(left.waitMs(1)).toBe(500);
});

test('a device that leaves makes the proxy forget no other that is still on its way', () => {
  const left = new RecentlyLeft(500);
  left.add(1);
  vi.advanceTimersByTime(200);
  left.add(2);
  vi.advanceTimersByTime(400);
  left.add(3);
  expect([1, 2, 3].map((site) => left.waitMs(site))).toEqual([0, 100, 500]);
});
