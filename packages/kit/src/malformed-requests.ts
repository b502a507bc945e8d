import type { Socket } from 'node:net';
import { BadRequest } from './errors.ts';

/** How long a client may take to read why its connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

interface Refusal {
  readonly status: string;
  readonly error: string;
}

/** By the code of Node's HTTP parser, where it is not simply a bad request. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The head of the request is too long',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: 'The request did not come in time' },
};
const BAD_REQUEST: Refusal = { status: '400 Bad Request', error: 'Not a request of HTTP/1.1' };

/**
 * Answers what Node's HTTP parser cannot read, in the shape of every other error, and closes the connection.
 *
 * @param code of the parser's error, as a `clientError` event has it
 */
export function answerMalformedRequest({ code = '' }: { readonly code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = REFUSALS[code] ?? BAD_REQUEST;
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // A close while there is something to read would destroy the answer on its way.
  const close = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(close));
}

/**
 * Refuses a request of HTTP/1 that names two hosts, or in HTTP/1.1 none (RFC 9112, 3.2): Node takes the first of two,
 * and what stands in front may take the other.
 *
 * @param rawHeaders names and values in turn, as Node has them
 * @throws BadRequest
 */
export function requireOneHost(raw: {
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
}): void {
  if (!raw.httpVersion.startsWith('1.')) return;
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) throw new BadRequest('The request has more than one Host header');
  if (hosts === 0 && raw.httpVersion !== '1.0') throw new BadRequest('The request has no Host header');
}
