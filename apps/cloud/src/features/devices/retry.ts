const MINUTE_MS = 60_000;

/**
 * When a device that is not ready should ask again, in seconds: often while someone is likely setting it up,
 * seldom when it has been waiting for long.
 */
export function retryAfterS(waitingMs: number): number {
  if (waitingMs < MINUTE_MS) return 1;
  if (waitingMs < 15 * MINUTE_MS) return 2;
  if (waitingMs < 24 * 60 * MINUTE_MS) return 15;
  return 60;
}
