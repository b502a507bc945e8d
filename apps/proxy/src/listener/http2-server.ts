import {
  Http2ServerRequest,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { ProxyLimits } from '../config/limits.ts';
import { Http2Response } from '../http/http2-response.ts';
import { refuse } from '../http/refuse.ts';
import type { Connection } from './connection.ts';
import { TOO_SLOW } from './http1-connection.ts';

/** Memory of one connection, in megabytes; beyond it streams are refused. */
const SESSION_MEMORY_MB = 8;
/** Header fields that Node takes in before it resets a stream; a few more than are served, so that those get an answer. */
const MAX_FIELDS = 128;
/** How much longer a head may be than it is served, before Node resets the stream instead. */
const HEAD_SLACK = 2;
/** Frames that make no sense before the connection is closed. */
const MAX_INVALID_FRAMES = 32;
/** How long a client may take to close a connection that was ended in good order, in milliseconds. */
const LINGER_MS = 1_000;
/** Streams that a client may take back at once, as a browser does that leaves a page, and per second. */
const RESET_BURST = 500;
const RESETS_PER_SECOND = 50;

export interface Http2Handlers {
  request(connection: Connection, req: Http2ServerRequest, res: Http2Response): void;
  /** A CONNECT, extended or not. */
  connect(connection: Connection, req: Http2ServerRequest, res: Http2Response): void;
  /** The connection sent what is not HTTP/2. */
  protocolError(connection: Connection, code: string): void;
}

/** HTTP/2 on connections that the listener accepted. */
export class Http2Server {
  readonly #handlers: Http2Handlers;
  readonly #limits: ProxyLimits;
  readonly #options: ServerOptions;
  readonly #open = new Set<Http2Connection>();
  #draining = false;

  constructor(limits: ProxyLimits, handlers: Http2Handlers) {
    this.#limits = limits;
    this.#handlers = handlers;
    this.#options = sessionOptions(limits);
  }

  accept(connection: Connection, socket: Socket): void {
    const session = performServerHandshake(socket, this.#options);
    const open = new Http2Connection(session, connection, this.#limits);
    this.#open.add(open);
    session.on('close', () => this.#open.delete(open));
    session.on('error', (error: NodeJS.ErrnoException) =>
      this.#handlers.protocolError(connection, error.code ?? 'unknown'),
    );
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      open.track(stream);
      this.#serve(connection, stream, headers, rawHeaders);
      // A client that comes while the proxy empties itself, or too often, is served once.
      if (this.#draining || connection.retryAfterS > 0) open.end();
    });
  }

  /** Sends GOAWAY to clients; open requests continue. */
  drain(): void {
    this.#draining = true;
    for (const open of this.#open) open.end();
  }

  #serve(
    connection: Connection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ): void {
    const req = new Http2ServerRequest(stream, headers, {}, rawHeaders);
    const res = new Http2Response(stream);
    if (headers[':method'] === 'CONNECT') this.#handlers.connect(connection, req, res);
    else {
      if (!stream.endAfterHeaders) this.#awaitBody(req, res);
      this.#handlers.request(connection, req, res);
    }
  }

  /** HTTP/1.1 has Node's own watch over slow senders. */
  #awaitBody(req: Http2ServerRequest, res: Http2Response): void {
    const timer = setTimeout(() => refuse(req, res, TOO_SLOW), this.#limits.bodyMs);
    req.once('end', () => clearTimeout(timer));
    req.once('close', () => clearTimeout(timer));
  }
}

/** A connection of HTTP/2, which ends when nothing is under way on it for a while; its streams have deadlines. */
class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #connection: Connection;
  readonly #keepAliveMs: number;
  #streams = 0;
  #cut: NodeJS.Timeout | undefined;

  constructor(session: ServerHttp2Session, connection: Connection, { headMs, keepAliveMs }: ProxyLimits) {
    this.#session = session;
    this.#connection = connection;
    this.#keepAliveMs = keepAliveMs;
    session.setTimeout(headMs);
    session.on('timeout', () => {
      if (this.#streams === 0) this.end();
    });
    session.on('close', () => clearTimeout(this.#cut));
  }

  track(stream: ServerHttp2Stream): void {
    this.#streams++;
    stream.on('close', () => {
      this.#streams--;
      if (this.#streams > 0) return;
      if (this.#session.closed) this.end();
      else this.#session.setTimeout(this.#keepAliveMs);
    });
  }

  /** Ends it in good order, and cuts it when the client does not do its part once nothing is under way. */
  end(): void {
    const { socket } = this.#connection;
    this.#session.close();
    if (this.#streams > 0 || socket.destroyed) return;
    this.#cut ??= setTimeout(() => socket.destroy(), LINGER_MS);
  }
}

function sessionOptions({ headBytes, streamsPerConnection }: ProxyLimits): ServerOptions {
  return {
    maxSessionMemory: SESSION_MEMORY_MB,
    maxHeaderListPairs: MAX_FIELDS,
    maxSessionInvalidFrames: MAX_INVALID_FRAMES,
    streamResetBurst: RESET_BURST,
    streamResetRate: RESETS_PER_SECOND,
    settings: {
      // Browsers open WebSockets on the connection that they have (RFC 8441).
      enableConnectProtocol: true,
      enablePush: false,
      maxConcurrentStreams: streamsPerConnection,
      maxHeaderListSize: headBytes * HEAD_SLACK,
    },
  };
}
