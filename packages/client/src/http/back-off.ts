/** Bounds of waits, in milliseconds. */
export interface BackOff {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * The wait before another attempt: half to the whole of `minMs * 2^failures`, capped at `maxMs`, so that clients do not
 * come back in step after an outage.
 *
 * @param failures failed attempts in a row
 */
export function backOffMs(failures: number, bounds: BackOff, random: () => number = Math.random): number {
  const ceiling = Math.min(bounds.maxMs, bounds.minMs * 2 ** Math.min(failures, 30));
  return ceiling * (0.5 + random() / 2);
}

/** Waits; returns early when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
