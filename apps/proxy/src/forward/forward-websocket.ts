import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { FORWARDED_FOR_HEADER } from '@heliograph/wire';
import type { Credentials } from '../auth/credentials.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import type { DeviceSession } from '../sessions/device-session.ts';
import { LOST, NOT_IN_TIME, UNSENDABLE } from './forward-request.ts';
import { clientAnswerHeaders, pseudoHeaders, type Scheme } from './headers.ts';
import { switchingProtocols } from './websocket-handshake.ts';

/** A WebSocket on which nothing moves in either direction for so long is closed; clients beat every 30 s. */
const IDLE_MS = 120_000;
/** How long the other side of a WebSocket may take to end it too, in milliseconds. */
const HALF_CLOSED_MS = 5_000;
/** How much of a device's refusal is passed on, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface WebSocketUpgrade {
  readonly req: IncomingMessage;
  readonly socket: Socket;
  /** What the client sent after its handshake without waiting for the answer. */
  readonly head: Buffer;
  readonly credentials: Credentials;
}

/** Opens the client's WebSocket at the device (RFC 8441) and joins the two byte streams. */
export function forwardWebSocket(
  upgrade: WebSocketUpgrade,
  session: DeviceSession,
  scheme: Scheme,
  answerDeadlineMs: number,
): void {
  const { req, socket, head } = upgrade;
  let stream: ClientHttp2Stream;
  try {
    stream = session.open(connectHeaders(upgrade, scheme), true);
  } catch {
    refuse(req, upgradeResponse(req, socket), UNSENDABLE);
    return;
  }

  let settled = false;
  const fail = (refusal: Refusal): void => {
    if (settled) return;
    settled = true;
    stream.close(constants.NGHTTP2_CANCEL);
    refuse(req, upgradeResponse(req, socket), refusal);
  };
  const deadline = setTimeout(fail, answerDeadlineMs, NOT_IN_TIME);

  stream.on('response', (answer, _flags, raw) => {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    const status = answer[':status'] ?? 0;
    if (status === 200) {
      socket.write(switchingProtocols(req, answer['sec-websocket-protocol']?.toString()));
      if (head.length > 0) socket.unshift(head);
      join(socket, stream);
    } else relayRefusal(upgrade, stream, status, raw);
  });
  stream.on('error', () => fail(LOST));
  stream.on('close', () => {
    clearTimeout(deadline);
    fail(LOST);
  });
  socket.on('close', () => {
    settled = true;
    clearTimeout(deadline);
    if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
  });
}

/** The credentials go as headers even where they came in the query, so the device finds them in one place. */
function connectHeaders({ req, credentials }: WebSocketUpgrade, scheme: Scheme): string[] {
  const headers = [
    ...pseudoHeaders(req, 'CONNECT', scheme),
    ':protocol',
    'websocket',
    'authorization',
    `Bearer ${credentials.token}`,
    'site-id',
    credentials.siteId,
    'site-key',
    credentials.siteKey,
    'sec-websocket-version',
    '13',
    FORWARDED_FOR_HEADER,
    req.socket.remoteAddress ?? '',
  ];
  const protocol = req.headers['sec-websocket-protocol'];
  if (protocol !== undefined) headers.push('sec-websocket-protocol', protocol);
  return headers;
}

/** Copies bytes both ways, each at the pace of its reader; when one side is gone the other is closed. */
function join(socket: Socket, stream: ClientHttp2Stream): void {
  socket.setNoDelay(true);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  stream.pipe(socket);
  socket.pipe(stream);
  const halfClosed = (): unknown => socket.setTimeout(HALF_CLOSED_MS);
  socket.once('end', halfClosed);
  stream.once('end', halfClosed);
  stream.on('close', () => socket.destroySoon());
}

function relayRefusal(
  { req, socket }: WebSocketUpgrade,
  stream: ClientHttp2Stream,
  status: number,
  raw: readonly string[],
): void {
  const res = upgradeResponse(req, socket);
  if (status < 300 || status > 599) {
    stream.close(constants.NGHTTP2_CANCEL);
    refuse(req, res, LOST);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const answer = (): void => {
    if (res.headersSent) return;
    const body = Buffer.concat(chunks);
    const headers = clientAnswerHeaders(raw, status);
    const length = headers.indexOf('content-length');
    if (length >= 0) headers.splice(length, 2);
    res.writeHead(status, [...headers, 'content-length', String(body.length)]);
    res.end(body);
    stream.close();
  };
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_REFUSAL_BYTES) answer();
    else chunks.push(chunk);
  });
  stream.once('end', answer);
  stream.once('close', answer);
}
