import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReadScheduler } from './read-scheduler.ts';

it('one read has its turn at a time, with everything else in between', async () => {
  const turns = new ReadScheduler();
  const seen: string[] = [];
  let isDone = false;
  const elsewhere = (async () => {
    while (!isDone) {
      seen.push('-');
      await setImmediate();
    }
  })();
  const reader = async (name: string) => {
    for (let rows = 0; rows < 3; rows++) {
      await turns.next();
      seen.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(reader));
  isDone = true;
  await elsewhere;
  const order = seen.join('').replaceAll(/-+/g, '-');
  expect(order).toMatch(/^-?a-b-c-a-b-c-a-b-c-?$/);
});

it('eight reads run at a time, others wait, and those beyond two hundred are refused', async () => {
  const turns = new ReadScheduler();
  let working = 0;
  let most = 0;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    most = Math.max(most, ++working);
    await end;
    await setImmediate();
    working--;
    return 'done';
  };
  const all = Promise.allSettled(Array.from({ length: 300 }, () => turns.run(work)));
  resolve();
  const outcomes = await all;
  expect(most).toBe(8);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(208);
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  expect(await turns.run(async () => 'again')).toBe('again');
});

it('the scheduler goes on after a read that failed', async () => {
  const turns = new ReadScheduler();
  const failing = Array.from({ length: 20 }, () => turns.run(() => Promise.reject(new Error('no'))));
  await Promise.allSettled(failing);
  expect(await turns.run(async () => 'done')).toBe('done');
});
