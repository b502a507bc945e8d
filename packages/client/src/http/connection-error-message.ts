/** Codes of the operating system and of Node's fetch, in words. */
const CODE_MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  UND_ERR_SOCKET: 'the connection was closed',
};

/**
 * Why a fetch failed. Node puts the reason in the error's cause; browsers hide it.
 *
 * @param timeoutMs how long the fetch was given
 */
export function connectionErrorMessage(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  if (error.name === 'AbortError') return 'given up';
  const { cause } = error;
  if (!(cause instanceof Error)) return 'network error';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return CODE_MESSAGES[code] ?? (cause.message === '' ? 'network error' : cause.message);
}
