import type { ReadBackTime } from '../../src/drivers/write-verified.ts';

/** A time of read-backs that only their pauses advance, without waiting. */
export function skippedPauses(): ReadBackTime & { readonly pausesMs: readonly number[] } {
  const pausesMs: number[] = [];
  let nowMs = 0;
  return {
    pausesMs,
    monotonic: () => nowMs,
    pause: async (ms, signal) => {
      if (signal.aborted) return;
      pausesMs.push(ms);
      nowMs += ms;
    },
  };
}
