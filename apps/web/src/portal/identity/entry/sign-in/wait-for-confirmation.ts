import { ApiError } from '@heliograph/client';

/** The pause between two attempts to sign in, in milliseconds (as the API's guide requires). */
const PAUSE_MS = 3_000;

interface WaitOptions {
  /** Signs in, which works once the link was opened. */
  readonly attempt: () => Promise<unknown>;
  readonly pause: (ms: number) => Promise<void>;
  /** Ends the waiting between two attempts. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the email address is confirmed and the sign-in succeeds.
 *
 * @returns `expired` after too long a wait, which requires the password again
 */
export async function waitForConfirmation({
  attempt,
  pause,
  signal,
}: WaitOptions): Promise<'confirmed' | 'expired'> {
  let pauseMs = PAUSE_MS;
  for (;;) {
    await pause(pauseMs);
    if (signal.aborted) return 'expired';
    try {
      await attempt();
      return 'confirmed';
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return 'expired';
      // Not confirmed yet, no connection for a while, a server that is busy: all of these pass.
      pauseMs = pauseAfter(error);
    }
  }
}

function pauseAfter(error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfterS : null;
  return Math.max(PAUSE_MS, (seconds ?? 0) * 1000);
}
