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

/** The reason of a failed fetch, from the error that Node gives as its cause. */
export function causeMessage(cause: Error): string {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return CODE_MESSAGES[code] ?? (cause.message === '' ? 'network error' : cause.message);
}
