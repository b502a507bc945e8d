import { expect, test } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

test('each key has its own share, and one that holds nothing is not remembered', () => {
  const limiter = new ConcurrencyLimiter<string>(2);
  const acquired = ['a', 'a', 'a', 'b'].map((key) => limiter.tryAcquire(key));
  expect([acquired, limiter.size]).toEqual([[true, true, false, true], 2]);
  for (const [key, ofKey, size] of [
    ['a', 1, 2],
    ['a', 0, 1],
    ['a', 0, 1],
    ['b', 0, 0],
  ] as const) {
    limiter.release(key);
    expect([limiter.countOf(key), limiter.size]).toEqual([ofKey, size]);
  }
  // One release too many adds nothing to the share.
  expect(['a', 'a', 'a'].map((key) => limiter.tryAcquire(key))).toEqual([true, true, false]);
});
