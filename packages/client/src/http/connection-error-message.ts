/**
 * Why a fetch failed. Node puts the reason in the error's cause; browsers hide it.
 *
 * @param timeoutMs how long the fetch was given
 */
export async function connectionErrorMessage(error: unknown, timeoutMs: number): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  if (error.name === 'AbortError') return 'given up';
  const { cause } = error;
  if (!(cause instanceof Error)) return 'network error';
  // Pages need none of its texts, and do not load them.
  const { causeMessage } = await import('./cause-message.ts');
  return causeMessage(cause);
}
