import type { Socket } from 'node:net';
import { BadRequest } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';

/** How long a client may take to read why its connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

const MALFORMED = { status: '400 Bad Request', error: 'Not a request of HTTP/1.1' };
const BY_CODE: Readonly<Record<string, typeof MALFORMED>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: 'The request did not come in time' },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The head of the request is too long',
  },
};

/** Answers what Node could not read as a request, in the form of every other refusal, and closes the connection. */
export function answerProtocolError({ code = '' }: { readonly code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = BY_CODE[code] ?? MALFORMED;
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A close while there is something to read would destroy the answer on its way.
  const close = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(close));
}

/**
 * Node keeps the first of two hosts and says nothing (RFC 9112 section 3.2 wants 400).
 *
 * @throws BadRequest
 */
export async function requireOneHost({
  raw: { httpVersionMajor, rawHeaders },
}: FastifyRequest): Promise<void> {
  if (httpVersionMajor !== 1) return;
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new BadRequest('The request names more than one host');
}
