import { describe, expect, it } from 'vitest';
import { backOffMs, pause } from './back-off.ts';

describe('the wait before another attempt', () => {
  const timings = { minMs: 500, maxMs: 30_000 };

  it.each([
    [0, 250, 500],
    [1, 500, 1_000],
    [3, 2_000, 4_000],
    [6, 15_000, 30_000],
    [1_000_000, 15_000, 30_000],
  ])('the delay after %i failures lies between %i and %i ms', (failures, shortest, longest) => {
    expect(backOffMs(failures, timings, () => 0)).toBe(shortest);
    expect(backOffMs(failures, timings, () => 1)).toBe(longest);
  });

  it('the wait ends at once when its signal aborts', async () => {
    const closing = new AbortController();
    const paused = pause(600_000, closing.signal);
    closing.abort();
    await paused;
    await pause(600_000, closing.signal);
  });
});
