import { describe, expect, it } from 'vitest';
import { RequestPace } from './request-pace.ts';

describe('RequestPace', () => {
  it('requests are sent one after the other, each at least the gap after the last one', async () => {
    let nowMs = 0;
    const sentAtMs: number[] = [];
    let open = 0;
    const pace = new RequestPace({
      now: () => nowMs,
      wait: async (ms) => {
        nowMs += ms;
      },
    });
    const request = (answerMs: number) => async (): Promise<void> => {
      open += 1;
      expect(open).toBe(1);
      sentAtMs.push(nowMs);
      await Promise.resolve();
      nowMs += answerMs;
      open -= 1;
    };
    await Promise.all([10, 200, 10, 10].map((answerMs) => pace.run(100, request(answerMs))));
    expect(sentAtMs).toEqual([0, 100, 300, 400]);
  });

  it('a failed request does not hold up the next one', async () => {
    const pace = new RequestPace({ now: () => 0, wait: async () => {} });
    const failing = pace.run(0, () => Promise.reject(new Error('no answer')));
    const next = pace.run(0, async () => 'answer');
    await expect(failing).rejects.toThrow('no answer');
    expect(await next).toBe('answer');
  });
});
