import { describe, expect, it } from 'vitest';
import { Unavailable } from '../errors.ts';
import { HashQueue } from './hash-queue.ts';

/** Tasks that end on demand, and the list of started ones. */
function bench(queue: HashQueue) {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<number>>();
  const start = (id: number): Promise<number> => {
    const end = Promise.withResolvers<number>();
    ends.set(id, end);
    return queue.run(() => {
      begun.push(id);
      return end.promise;
    });
  };
  return {
    begun,
    start,
    end: (id: number) => ends.get(id)?.resolve(id),
    fail: (id: number) => ends.get(id)?.reject(new Error('failed')),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('HashQueue', () => {
  it('the queue runs at most its maximum at once, and the others in order', async () => {
    const { begun, start, end } = bench(new HashQueue(2, 10));
    const done = [1, 2, 3, 4].map(start);
    await settled();
    expect(begun).toEqual([1, 2]);
    end(2);
    await settled();
    expect(begun).toEqual([1, 2, 3]);
    for (const id of [1, 3, 4]) end(id);
    expect(await Promise.all(done)).toEqual([1, 2, 3, 4]);
  });

  it('the queue continues after a failed task', async () => {
    const { start, end, fail } = bench(new HashQueue(1, 10));
    const [first, second] = [start(1), start(2)];
    fail(1);
    await expect(first).rejects.toThrow('failed');
    end(2);
    expect(await second).toBe(2);
  });

  it('a full queue refuses tasks, and accepts tasks once there is room again', async () => {
    const { start, end } = bench(new HashQueue(1, 1));
    const [running, waiting] = [start(1), start(2)];
    const refusal = await start(3).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Unavailable);
    expect(refusal).toMatchObject({ status: 503, retryAfterS: expect.any(Number) });
    end(1);
    end(2);
    await Promise.all([running, waiting]);
    const later = start(4);
    end(4);
    expect(await later).toBe(4);
  });
});
