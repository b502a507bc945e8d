import { expect, it } from 'vitest';
import { ManualClock, systemClock, wallAt } from './clock.ts';

it('a manual clock moves on advance, and only its wall clock jumps', () => {
  const clock = new ManualClock(1_000);
  const began = clock.monotonic();
  clock.advance(50);
  expect([clock.now(), wallAt(clock, began)]).toEqual([1_050, 1_000]);
  clock.jump(5);
  expect([clock.now(), wallAt(clock, began)]).toEqual([5, -45]);
});

it('a manual clock shows whole milliseconds and measures fractions, which no two readings share', () => {
  const clock = new ManualClock(1_000);
  clock.advance(0.75);
  clock.advance(0.75);
  const readings = [clock.monotonic(), clock.monotonic()];
  expect(clock.now()).toBe(1_001);
  expect(readings.filter(Number.isInteger)).toEqual([]);
  expect(readings[1]).toBeGreaterThan(readings[0] ?? Number.POSITIVE_INFINITY);
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
