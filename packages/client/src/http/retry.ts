import { type BackOff, backOffMs, pause } from './back-off.ts';
import { ApiError, ConnectionError } from './errors.ts';

export interface RetryOptions extends BackOff {
  /** Attempts after the first. */
  readonly attempts: number;
}

/** Other values than the default ones; false for a single attempt. */
export type RetryChoice = Partial<RetryOptions> | false;

/** A server that asks for a longer wait than `maxMs` is not asked again. */
const DEFAULT: RetryOptions = { attempts: 3, minMs: 500, maxMs: 10_000 };

/** Statuses of servers that are busy, or have lost those behind them, for a moment. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Repeats what failed for a reason that may have passed. @throws the last error, at once when the signal aborts */
export async function withRetries<Answer>(
  attempt: () => Promise<Answer>,
  choice: Partial<RetryOptions>,
  signal?: AbortSignal,
): Promise<Answer> {
  const options = { ...DEFAULT, ...choice };
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = Math.max(retryAfterMs(error), backOffMs(failures, options));
      if (failures >= options.attempts || waitMs > options.maxMs || signal?.aborted) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** A timeout is not repeated: the caller has waited as long as a request may take. */
const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError';

/** How long a failure lasts at least, in milliseconds; infinite for one that would be the same again. */
function retryAfterMs(error: unknown): number {
  if (error instanceof ConnectionError) return isTimeout(error.cause) ? Number.POSITIVE_INFINITY : 0;
  if (error instanceof ApiError && TEMPORARY.has(error.status)) return (error.retryAfterS ?? 0) * 1000;
  return Number.POSITIVE_INFINITY;
}
