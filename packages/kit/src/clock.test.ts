import { expect, it } from 'vitest';
import { ManualClock, systemClock, wallAt } from './clock.ts';

it('a manual clock moves on advance, and only its wall clock jumps', () => {
  const clock = new ManualClock(1_000);
  clock.advance(50);
  expect([clock.now(), clock.monotonic()]).toEqual([1_050, 50]);
  clock.jump(5);
  expect([clock.now(), clock.monotonic()]).toEqual([5, 50]);
});

it('the wall clock shows whole milliseconds for a fraction of a moment of the monotonic one', () => {
  const clock = new ManualClock(1_000_000);
  clock.advance(0.456789);
  const began = clock.monotonic();
  clock.advance(5_000.25);
  expect(wallAt(clock, began)).toBe(1_000_000);
  expect(Number.isInteger(wallAt(systemClock, systemClock.monotonic() - 1.5))).toBe(true);
});

it("the system's clock has the current time, and its monotonic reading never falls", () => {
  const before = Date.now();
  const now = systemClock.now();
  expect([before, now, Date.now()].toSorted((a, b) => a - b)[1]).toBe(now);
  const first = systemClock.monotonic();
  expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
});
