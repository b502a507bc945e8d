import type { IncomingMessage, ServerResponse } from 'node:http';
import { declaresTooMuch } from './body.ts';

/** How long the rest of an unwanted body is read and dropped before the connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

/** An answer that the proxy gives itself instead of the device. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers `{ error }` as JSON, unless an answer is already under way; then the connection is cut. */
export function refuse(req: IncomingMessage, res: ServerResponse, refusal: Refusal): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = JSON.stringify({ error: refusal.error });
  const unbounded = req.headers['transfer-encoding'] !== undefined || declaresTooMuch(req);
  const linger = unbounded && !req.complete;
  res.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...refusal.headers,
    ...(linger ? { connection: 'close' } : {}),
  });
  if (linger) endAfterBody(req, res, body);
  else res.end(body);
}

/**
 * Closing a connection while the client still sends makes the kernel answer with a reset, which can destroy
 * the answer before the client has read it. So the answer goes out whole, and the close waits a moment.
 */
function endAfterBody(req: IncomingMessage, res: ServerResponse, body: string): void {
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
