import { describe, expect, it } from 'vitest';
import { Backoff, wait } from './backoff.ts';

describe('the wait between attempts', () => {
  const waits = (random: number, count: number): number[] => {
    const backoff = new Backoff({ minMs: 1_000, maxMs: 60_000, random: () => random });
    return Array.from({ length: count }, () => backoff.nextMs());
  };

  it('a wait doubles up to its limit, and lies between half and the whole of it', () => {
    expect(waits(0, 8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(waits(1, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('a wait stays at its limit for ever', () => {
    expect(waits(1, 5_000).at(-1)).toBe(60_000);
  });

  it('the waits of two clients differ', () => {
    const first = new Set(
      Array.from({ length: 50 }, () => new Backoff({ minMs: 1_000, maxMs: 2_000 }).nextMs()),
    );
    expect(first.size).toBeGreaterThan(40);
  });

  it('the first wait after a reset is the shortest again', () => {
    const backoff = new Backoff({ minMs: 1_000, maxMs: 60_000, random: () => 1 });
    backoff.nextMs();
    backoff.nextMs();
    backoff.reset();
    expect(backoff.nextMs()).toBe(1_000);
  });
});

describe('wait', () => {
  it('wait resolves after its time', async () => {
    const startedAt = performance.now();
    expect(await wait(30, new AbortController().signal)).toBe(true);
    // A timer may fire a fraction of a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
  });

  it('wait resolves to false when its signal aborts before or during the wait', async () => {
    const stopping = new AbortController();
    const waited = wait(60_000, stopping.signal);
    stopping.abort();
    expect([await waited, await wait(60_000, stopping.signal)]).toEqual([false, false]);
  });
});
