import { REQUEST_ID, requestTrace } from '@heliograph/kit';
import { type ClientRequest, type ClientResponse, isHttp2 } from './client.ts';
import { ANY_ORIGIN, isOpenToOrigins } from './cors.ts';
import { recordRefusal } from './outcome.ts';

/** How long the rest of an unwanted body is read and dropped before the connection is closed, in milliseconds. */
const LINGER_MS = 1_000;
/** An unwanted body of at most this declared length, in bytes, is read and dropped, and the connection continues. */
const DROPPED_BODY_BYTES = 1024 * 1024;

/** An answer that the proxy gives itself instead of the device. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const known = new Set<string>();

/** Texts of the refusals that do not depend on the request. */
export const KNOWN_REFUSALS: ReadonlySet<string> = known;

/** A refusal that is always the same: its metric begins at 0, so that the first one is an increase. */
export function knownRefusal(refusal: Refusal): Refusal {
  known.add(refusal.error);
  return refusal;
}

/** Answers `{ error }` as JSON, unless an answer is already under way; then it is cut. */
export function refuse(req: ClientRequest, res: ClientResponse, refusal: Refusal): void {
  recordRefusal(req, refusal);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (res.handleRefusal?.(refusal)) return;
  const body = JSON.stringify({ error: refusal.error });
  const linger = !isHttp2(req) && isUnbounded(req) && !req.complete;
  res.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID]: requestTrace(req).traceId,
    ...(isOpenToOrigins(req) ? ANY_ORIGIN : {}),
    ...refusal.headers,
    ...(linger ? { connection: 'close' } : {}),
  });
  if (linger) endAfterBody(req, res, body);
  else res.end(body);
}

function isUnbounded({ headers }: ClientRequest): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DROPPED_BODY_BYTES
  );
}

/**
 * Closing a connection while the client still sends makes the kernel answer with a reset, which can destroy
 * the answer before the client has read it. So the answer goes out whole, and the close waits a moment.
 */
function endAfterBody(req: ClientRequest, res: ClientResponse, body: string): void {
  res.write(body);
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.once('end', end);
  res.once('close', end);
  req.resume();
}
