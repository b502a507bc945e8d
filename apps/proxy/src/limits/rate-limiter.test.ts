import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

const make = (maxKeys = 10): RateLimiter => new RateLimiter({ perSecond: 10, burst: 5, maxKeys });

describe('RateLimiter', () => {
  test('a burst is admitted, the next event gets a delay, and persistent events get none', () => {
    const rate = make();
    const waits = Array.from({ length: 22 }, () => rate.count('a', 0));
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(waits[5]).toBe(1);
    expect(waits[19]).toBe(2);
    expect(waits.slice(20)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test.each([10, 1_000, 100_000])('a client has no more than a burst after %i quiet seconds', (quietS) => {
    const rate = make();
    for (const nowMs of [500, 500 + quietS * 1000]) {
      const waits = Array.from({ length: 6 }, () => rate.count('a', nowMs));
      expect(waits).toEqual([0, 0, 0, 0, 0, 1]);
    }
  });

  test('the burst and the average rate hold within every span', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(pauses, (pausesMs) => {
        const rate = make();
        let nowMs = 0;
        const admittedMs: number[] = [];
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          if (rate.count('a', nowMs) === 0) admittedMs.push(nowMs);
        }
        for (const [first, fromMs] of admittedMs.entries()) {
          for (const [last, toMs] of admittedMs.entries())
            expect(last - first + 1).toBeLessThanOrEqual(5 + (Math.abs(toMs - fromMs) / 1000) * 10 + 1e-6);
        }
      }),
    );
  });

  test('an event after the given delay is admitted', () => {
    const rate = make();
    for (let i = 0; i < 12; i++) rate.count('a', 0);
    const seconds = rate.count('a', 0);
    expect(rate.count('a', seconds * 1000 + 100)).toBe(0);
  });

  test('keys have separate rates', () => {
    const rate = make();
    for (let i = 0; i < 100; i++) rate.count('a', 0);
    expect(rate.count('b', 0)).toBe(0);
  });

  test('the least recently used key is evicted', () => {
    const rate = make(10);
    for (let i = 0; i < 1_000; i++) {
      rate.count('flood', 0);
      rate.count(`other ${i}`, 0);
    }
    expect(rate.size).toBe(10);
    expect(rate.count('flood', 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
