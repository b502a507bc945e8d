import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import {
  AppError,
  type Logger,
  NotFound,
  REQUEST_ID,
  requestTrace,
  requireOneHost,
  runWithTrace,
} from '@heliograph/kit';
import type { RequestObserver } from '@heliograph/telemetry';
import { type Framing, framingOf } from '@heliograph/wire';
import type { FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { type Caller, type Origin, TooManyAttempts } from '../auth/caller.ts';
import { credentialsOfSocket } from '../auth/credentials.ts';
import type { Guard } from '../auth/guard.ts';
import { type LiveStream, MAX_FRAME_BYTES, MAX_STREAMS } from '../stream/live-stream.ts';
import { answerTo } from './error-handler.ts';
import { markTunnelled, originOf } from './origin.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Clients dial the first, the documentation names the second; both are served everywhere. */
const PATHS = new Set(['/api/websocket', '/api/socket/websocket']);

/**
 * Answers ordinary requests for the stream: it is there, by an upgrade alone (RFC 9110, 15.5.22). A tunnel, which is
 * HTTP/2, ends with an answer that has headers of a connection (RFC 9113, 8.2.2).
 */
export function requireUpgrade(app: FastifyInstance): void {
  for (const path of PATHS) {
    app.get(path, ({ raw }, reply) => {
      if (raw.httpVersionMajor === 1) reply.headers({ upgrade: 'websocket', connection: 'upgrade' });
      return reply.code(426).send({ error: 'The live stream is a WebSocket' });
    });
  }
}

export interface LiveSocketsOptions {
  readonly guard: Guard;
  readonly cookie: SessionCookie;
  readonly stream: LiveStream;
  readonly observer: RequestObserver;
  readonly logger: Logger;
}

interface Admission {
  readonly caller: Caller;
  readonly framing: Framing | undefined;
}

/** Lets WebSockets in: by HTTP/1.1 upgrade on the LAN, by extended CONNECT through the tunnel. */
export class LiveSockets {
  readonly #options: LiveSocketsOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });

  constructor(options: LiveSocketsOptions) {
    this.#options = options;
  }

  /** Answers an `Upgrade` request; a refusal is a plain HTTP answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    return runWithTrace(requestTrace(request), () => this.#upgrade(request, socket, head));
  }

  /** Answers a CONNECT request of the tunnel. */
  connect(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    return runWithTrace(requestTrace(request), () => this.#connect(request, response));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ended = this.#observe(request);
    socket.on('error', () => socket.destroy());
    try {
      requireOneHost(request);
      const { caller, framing } = await this.#admit(request.url, request.headers, originOf(request));
      ended(101);
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#options.stream.accept(webSocket, caller, framing);
      });
    } catch (error) {
      const refusal = this.#refusal(error, request);
      ended(refusal.status);
      refuse(socket, refusal);
    }
  }

  async #connect(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    markTunnelled(request);
    const ended = this.#observe(request);
    request.stream.on('error', (error) => this.#options.logger.debug({ err: error }, 'tunnel stream failed'));
    try {
      if (request.headers[':protocol'] !== 'websocket') throw new NotFound();
      const { caller, framing } = await this.#admit(request.url, request.headers, originOf(request));
      if (request.stream.destroyed) return;
      ended(200);
      request.stream.respond({ ':status': 200 });
      this.#options.stream.accept(adoptStream(request.stream), caller, framing);
    } catch (error) {
      const { status, headers, body } = this.#refusal(error, request);
      ended(status);
      if (request.stream.destroyed) return;
      response.writeHead(status, headers);
      response.end(body);
    }
  }

  async #admit(url: string | undefined, headers: IncomingHttpHeaders, origin: Origin): Promise<Admission> {
    const [path = '', query = ''] = splitAt(url ?? '', '?');
    if (!PATHS.has(path)) throw new NotFound();
    const parameters = new URLSearchParams(query);
    const { guard, cookie, stream } = this.#options;
    const credentials =
      credentialsOfSocket(parameters, headers) ??
      cookie.sessionOf({ headers, method: 'Upgrade', via: origin.via });
    const caller = await guard.admit(credentials, origin);
    if (stream.size >= MAX_STREAMS) throw new TooManyStreams();
    return { caller, framing: framingOf(parameters.get('vsn')) };
  }

  /** @returns reports the status of the handshake; the stream itself may last for days */
  #observe(request: IncomingMessage | Http2ServerRequest): (status: number) => void {
    const startedMs = performance.now();
    const [path] = splitAt(request.url ?? '', '?');
    return (status) =>
      this.#options.observer.ended(requestTrace(request), {
        method: 'GET',
        route: PATHS.has(path) ? path : undefined,
        status,
        durationMs: performance.now() - startedMs,
      });
  }

  #refusal(error: unknown, request: IncomingMessage | Http2ServerRequest): Refusal {
    const { status, message } = answerTo(error);
    if (status === 500) this.#options.logger.error({ err: error }, 'upgrade failed');
    const retry = error instanceof TooManyAttempts ? { 'retry-after': String(error.retryAfterS) } : {};
    return {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        [REQUEST_ID]: requestTrace(request).traceId,
        ...retry,
      },
      body: JSON.stringify({ error: message }),
    };
  }
}

class TooManyStreams extends AppError {
  constructor() {
    super('Too many clients are connected', { code: 'too_many_streams', status: 503, expose: true });
  }
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function refuse(socket: Duplex, { status, headers, body }: Refusal): void {
  if (!socket.writable) return;
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`, ...lines, '', ''].join('\r\n');
  socket.end(head + body, () => socket.destroy());
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The part of a `ws` socket by which its own server hands it a connection after the handshake. */
interface Adoptive extends WebSocket {
  setSocket(stream: Duplex, head: Buffer, options: object): void;
}

/** The options that the server side of `ws` passes to the sockets it makes (`ws/lib/websocket-server.js`). */
const SOCKET_OPTIONS = { autoPong: true, maxPendingAutoPongs: 60, closeTimeout: 30_000 };
const RECEIVER_OPTIONS = {
  allowSynchronousEvents: true,
  maxBufferedChunks: 4_096,
  maxFragments: 256,
  maxPayload: MAX_FRAME_BYTES,
  skipUTF8Validation: false,
};

/**
 * Makes a WebSocket, in the server's role, of a stream whose handshake is done: an extended CONNECT stream
 * (RFC 8441) carries frames like any connection, but its handshake is HTTP/2's, which `ws` does not speak.
 *
 * `ws` completes its own handshakes with the same two calls; its published types leave them out, so they
 * are asked for here, at run time.
 */
function adoptStream(stream: Duplex): WebSocket {
  const socket: unknown = Reflect.construct(WebSocket, [null, undefined, SOCKET_OPTIONS]);
  if (!isAdoptive(socket)) throw new Error('this version of ws cannot serve a WebSocket over HTTP/2');
  socket.setSocket(stream, Buffer.alloc(0), RECEIVER_OPTIONS);
  return socket;
}

function isAdoptive(socket: unknown): socket is Adoptive {
  return socket instanceof WebSocket && 'setSocket' in socket && typeof socket.setSocket === 'function';
}
