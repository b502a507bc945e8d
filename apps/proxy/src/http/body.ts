import { type ClientRequest, isHttp2 } from './client.ts';

/** Whether a body follows the request's head; Node's parsers have refused contradictory framing before. */
export function hasBody(req: ClientRequest): boolean {
  if (isHttp2(req)) return !req.stream.endAfterHeaders;
  const { headers } = req;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/** Whether the declared length of the body exceeds the limit. */
export function declaresTooLongBody(req: ClientRequest, maxBytes: number): boolean {
  return Number(req.headers['content-length'] ?? 0) > maxBytes;
}
