import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';

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
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: 'The request took too long' },
};
const BAD_REQUEST: Refusal = { status: '400 Bad Request', error: 'The request is not HTTP' };

/** Answers what Node's HTTP parser cannot read, in the shape of every other error. */
export function answerClientError({ code }: ConnectionError, socket: Socket): void {
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
