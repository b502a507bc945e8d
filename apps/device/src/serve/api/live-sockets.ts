import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
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
import { WebSocketServer } from 'ws';
import { type Caller, type Origin, TooManyAttempts } from '../../access/caller.ts';
import { credentialsOfSocket } from '../../access/credentials.ts';
import type { Guard } from '../../access/guard.ts';
import { type LiveStream, MAX_FRAME_BYTES, MAX_STREAMS } from '../stream/live-stream.ts';
import { answerTo } from './error-handler.ts';
import { originOf } from './pages/origin.ts';
import type { SessionCookie } from './pages/session-cookie.ts';

/** Clients dial the first, the documentation names the second; both are served everywhere. */
const PATHS = new Set(['/api/websocket', '/api/socket/websocket']);

/** Answers ordinary requests for the stream: it is there, by an upgrade alone (RFC 9110, 15.5.22). */
export function requireUpgrade(app: FastifyInstance): void {
  for (const path of PATHS) {
    app.get(path, (_request, reply) =>
      reply
        .headers({ upgrade: 'websocket', connection: 'upgrade' })
        .code(426)
        .send({ error: 'The live stream is a WebSocket' }),
    );
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

/** Lets WebSockets in. */
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
  #observe(request: IncomingMessage): (status: number) => void {
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

  #refusal(error: unknown, request: IncomingMessage): Refusal {
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
