import type { IncomingMessage } from 'node:http';

/** The longest request body the proxy takes, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Whether a body follows the request's head; Node's parser has refused contradictory framing before. */
export function hasBody(req: IncomingMessage): boolean {
  const { headers } = req;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/** Whether the request says of itself that its body is too long. */
export function declaresTooMuch(req: IncomingMessage): boolean {
  return Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}
