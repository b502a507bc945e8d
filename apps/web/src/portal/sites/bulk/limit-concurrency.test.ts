import { expect, it } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

it('a call above the limit waits, and all run in their order', async () => {
  const run = limitConcurrency(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (number: number) =>
    run(async () => {
      begun.push(number);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return number * 2;
    });
  expect(await Promise.all([1, 2, 3, 4, 5].map(work))).toEqual([2, 4, 6, 8, 10]);
  expect({ most, begun }).toEqual({ most: 2, begun: [1, 2, 3, 4, 5] });
});

it('a failed call frees its slot', async () => {
  const run = limitConcurrency(1);
  const failing = run(() => Promise.reject(new Error('away')));
  const next = run(() => Promise.resolve('here'));
  await expect(failing).rejects.toThrow('away');
  expect(await next).toBe('here');
});
