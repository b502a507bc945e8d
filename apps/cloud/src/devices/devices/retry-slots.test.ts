import { describe, expect, it } from 'vitest';
import { RetrySlots } from './retry-slots.ts';

const PER_S = 700;
const times = (count: number, slots: RetrySlots, nowMs = 0): number[] =>
  Array.from({ length: count }, () => slots.next(nowMs));

describe('RetrySlots', () => {
  it('refused calls are repeated from five seconds on, each at a moment of its own', () => {
    const seconds = times(10 * PER_S, new RetrySlots());
    expect([seconds[0], seconds.at(-1)]).toEqual([6, 15]);
    expect(Math.abs(seconds.filter((one) => one === 10).length - PER_S)).toBeLessThanOrEqual(1);
  });

  it('calls are repeated sooner again once the moments of those before them have passed', () => {
    const slots = new RetrySlots();
    times(10 * PER_S, slots);
    expect(slots.next(60_000)).toBe(6);
  });

  it('no call waits longer than ten minutes', () => {
    const seconds = times(1_000 * PER_S, new RetrySlots());
    expect(seconds.every((one) => one <= 600)).toBe(true);
  });
});
