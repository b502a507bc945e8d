import { type ClientHttp2Stream, constants } from 'node:http2';
import type { ClientAddress } from '../client-address/client-address.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import type { Upstream } from '../tunnels/upstream.ts';
import { cancelStream } from './cancel-stream.ts';
import { FrameBoundary, SERVICE_RESTART } from './frame-boundary.ts';
import {
  audienceOf,
  clientResponseHeaders,
  type ForwardContext,
  type ResponseAudience,
  requestHead,
} from './headers.ts';
import { CONNECTION_LOST, DEVICE_TIMEOUT, INVALID_RESPONSE, refusalOfOpenError } from './refusals.ts';

/** How long the other side of a WebSocket may take to end it too, in milliseconds. */
const HALF_CLOSED_MS = 5_000;
/** How much of a device's refusal is passed on, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface WebSocketOptions extends ForwardContext {
  readonly limits: Pick<ProxyLimits, 'answerMs' | 'idleMs'>;
  /** Finds who takes the WebSocket after it was refused unprocessed. @param refusals how often that happened */
  readonly nextUpstream: (refusals: number, refusedBy: Upstream) => Promise<Upstream | Refusal>;
}

/** A WebSocket on its way through the proxy. */
export interface ForwardedWebSocket {
  /** Ends it so that the client comes back, which then may find another way. */
  restart(): void;
}

/** Opens the client's WebSocket at the device (RFC 8441) and joins the two byte streams. */
export function forwardWebSocket(
  client: WebSocketClient,
  upstream: Upstream,
  options: WebSocketOptions,
): ForwardedWebSocket {
  const { request, stream: socket } = client;
  const { limits } = options;
  let headers: string[];
  let stream: ClientHttp2Stream;
  try {
    headers = connectHeaders(client, options);
    stream = upstream.open(headers, true);
  } catch (error) {
    refuse(request, client.answer(), refusalOfOpenError(error));
    return { restart: () => undefined };
  }

  const frames = new FrameBoundary();
  let settled = false;
  let refusals = 0;
  let currentUpstream = upstream;
  let part: (() => void) | undefined;
  const fail = (refusal: Refusal): void => {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    stream.close(constants.NGHTTP2_CANCEL);
    refuse(request, client.answer(), refusal);
  };
  const deadline = setTimeout(fail, limits.answerMs, DEVICE_TIMEOUT);

  const follow = (): void => {
    stream.on('response', (answer, _flags, raw) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      const status = answer[':status'] ?? 0;
      if (status === 200) {
        client.accept(answer['sec-websocket-protocol']?.toString());
        stream.on('data', (chunk: Buffer) => frames.follow(chunk));
        part = join(client, stream, limits.idleMs);
      } else
        relayRefusal(client, stream, raw, {
          status,
          answerMs: limits.answerMs,
          clientAddress: options.clientAddress,
        });
    });
    stream.on('error', ignore);
    stream.on('close', () => {
      if (settled) return;
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) repeat();
      else fail(CONNECTION_LOST);
    });
  };
  const repeat = (): void => {
    refusals++;
    options
      .nextUpstream(refusals, currentUpstream)
      .then((next) => {
        if (settled) return;
        if ('error' in next) fail(next);
        else {
          currentUpstream = next;
          stream = next.open(headers, true);
          follow();
        }
      })
      .catch(() => fail(CONNECTION_LOST));
  };

  follow();
  socket.on('close', () => {
    settled = true;
    clearTimeout(deadline);
    if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
  });
  return {
    restart() {
      if (!settled) fail(CONNECTION_LOST);
      else if (!frames.isBetween) socket.destroy();
      else {
        part?.();
        socket.end(SERVICE_RESTART);
      }
    },
  };
}

function connectHeaders({ request }: WebSocketClient, options: WebSocketOptions): string[] {
  const headers = requestHead(request, 'CONNECT', options);
  headers.push('sec-websocket-version', '13');
  const protocol = request.headers['sec-websocket-protocol'];
  if (protocol !== undefined) headers.push('sec-websocket-protocol', protocol);
  return headers;
}

/**
 * Copies bytes both ways, each at the pace of its reader; when one side is gone the other is closed.
 *
 * @returns disconnects them: the device gets no more bytes of a client that closes its side late
 */
function join({ stream: socket }: WebSocketClient, stream: ClientHttp2Stream, idleMs: number): () => void {
  socket.setTimeout(idleMs, () => socket.destroy());
  stream.pipe(socket);
  socket.pipe(stream);
  const halfClosed = (): unknown => socket.setTimeout(HALF_CLOSED_MS);
  const closed = (): void => {
    if ('destroySoon' in socket) socket.destroySoon();
    else socket.end();
  };
  socket.once('end', halfClosed);
  stream.once('end', halfClosed);
  stream.on('close', closed);
  return () => {
    stream.off('close', closed);
    stream.unpipe(socket);
    socket.unpipe(stream);
    cancelStream(stream);
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), HALF_CLOSED_MS);
    socket.once('close', () => clearTimeout(cut));
  };
}

interface RefusalContext {
  readonly status: number;
  readonly answerMs: number;
  readonly clientAddress: ClientAddress;
}

function relayRefusal(
  client: WebSocketClient,
  stream: ClientHttp2Stream,
  raw: readonly string[],
  { status, answerMs, clientAddress }: RefusalContext,
): void {
  const res = client.answer();
  if (status < 300 || status > 599) {
    stream.close(constants.NGHTTP2_CANCEL);
    refuse(client.request, res, CONNECTION_LOST);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const answer = (): void => {
    clearTimeout(deadline);
    if (res.headersSent) return;
    const body = Buffer.concat(chunks);
    try {
      const headers = headersWithoutLength(raw, status, audienceOf(client.request, res, clientAddress));
      res.writeHead(status, [...headers, 'content-length', String(body.length)]);
      res.end(body);
    } catch {
      // HTTP/2 sends no head that has twice what there can be only one of.
      refuse(client.request, res, INVALID_RESPONSE);
    }
    stream.close();
  };
  const deadline = setTimeout(answer, answerMs);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_REFUSAL_BYTES) answer();
    else chunks.push(chunk);
  });
  stream.once('end', answer);
  stream.once('close', answer);
}

/** The body is counted again, since it may be cut. */
function headersWithoutLength(raw: readonly string[], status: number, audience: ResponseAudience): string[] {
  const headers = clientResponseHeaders(raw, status, audience);
  return headers.filter((_text, i) => headers[i - (i % 2)] !== 'content-length');
}

function ignore(): void {
  // The close event, which always follows, reports the failure to the client.
}
