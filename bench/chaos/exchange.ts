import { type Agent, request as openRequest } from 'node:http';

/** One HTTP request of a client. */
export interface HttpRequest {
  readonly method?: 'GET' | 'POST';
  /** Name or address, with the port. */
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * How a request ended, as its client sees it.
 *
 * - `answered`: with a status and a whole body
 * - `refused`: the port was closed, so nothing was sent
 * - `broken`: the connection ended before the whole answer was there
 * - `silent`: no answer in time
 */
export type Ending =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      /** Whether `Retry-After` stood in the answer. */
      readonly later: boolean;
    }
  | { readonly kind: 'refused' | 'broken' | 'silent'; readonly reason: string };

/** Longer than any part takes to give up on another one, in milliseconds. */
const TIMEOUT_MS = 40_000;

/** Asks once, over the agent's connections. Nothing is repeated behind the caller's back, as `fetch` may do. */
export function exchange(agent: Agent, request: HttpRequest): Promise<Ending> {
  const { method = 'GET', host, path, headers, body } = request;
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const outgoing = openRequest(`http://${host}${path}`, {
    agent,
    method,
    headers: {
      ...headers,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  });
  const timer = setTimeout(() => {
    resolve({ kind: 'silent', reason: `no answer within ${TIMEOUT_MS / 1000} s` });
    outgoing.destroy();
  }, TIMEOUT_MS);
  const lost = (error: NodeJS.ErrnoException): void => {
    const kind = error.code === 'ECONNREFUSED' ? 'refused' : 'broken';
    const connection = outgoing.reusedSocket ? 'a used connection' : 'a new connection';
    resolve({ kind, reason: `${error.message} on ${connection}` });
  };
  outgoing.on('error', lost);
  outgoing.on('response', (answer) => {
    let received = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => (received += chunk));
    answer.on('error', lost);
    answer.on('end', () =>
      resolve({
        kind: 'answered',
        status: answer.statusCode ?? 0,
        body: received,
        later: answer.headers['retry-after'] !== undefined,
      }),
    );
  });
  outgoing.end(text);
  return promise.finally(() => clearTimeout(timer));
}
