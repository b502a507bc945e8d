import { ApiError } from '@heliograph/client';

/** How often a read is tried again that may work the next time. */
const RETRIES = 2;

/** Whether a failed read is worth repeating: a refusal stays one. */
export function mayRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status < 500;
  return !refused && failures < RETRIES;
}
