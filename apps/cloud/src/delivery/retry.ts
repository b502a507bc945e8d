/** Deliveries are given up after this time without success, in milliseconds. */
export const GIVE_UP_MS = 3 * 24 * 60 * 60_000;

/** Waits after attempts without success. */
export interface RetrySteps {
  /** After the first one, the second one and so on, in milliseconds; the last one repeats. */
  readonly waitsMs: readonly number[];
  /** Up to this part of a wait is added at random, so that receivers that were away are not called by all at the same time. */
  readonly jitter: number;
}

/** @param attempts without success in a row, from 1 @returns milliseconds */
export function retryMs({ waitsMs, jitter }: RetrySteps, attempts: number): number {
  const waitMs = waitsMs[Math.min(Math.max(attempts, 1), waitsMs.length) - 1] ?? 0;
  return waitMs * (1 + Math.random() * jitter);
}
