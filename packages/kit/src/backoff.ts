import { setTimeout as delay } from 'node:timers/promises';

export interface BackoffOptions {
  /** First wait, in milliseconds. */
  readonly minMs: number;
  /** Longest wait, in milliseconds. */
  readonly maxMs: number;
  /** A source of numbers in [0, 1); tests pass their own. */
  readonly random?: () => number;
}

/**
 * Exponential backoff with full jitter in its upper half: attempt n waits between half and the whole of
 * `min * 2^n`, capped, so that thousands of devices do not come back in step after an outage.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #attempt = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The next wait in milliseconds; each call makes the following one longer. */
  nextMs(): number {
    const { minMs, maxMs, random = Math.random } = this.#options;
    const ceiling = Math.min(maxMs, minMs * 2 ** this.#attempt);
    this.#attempt = Math.min(this.#attempt + 1, 30);
    return ceiling / 2 + (random() * ceiling) / 2;
  }

  reset(): void {
    this.#attempt = 0;
  }
}

/** Waits, or returns at once when the signal aborts. Resolves to whether the whole time passed. */
export async function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: true });
    return true;
  } catch {
    return false;
  }
}
