import { messageOf } from '@heliograph/kit';

/** Why something failed, in one line. `fetch` hides the system's error in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)}: ${messageOf(cause)}` : messageOf(error);
}
