import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyLimits } from '../config/limits.ts';
import type { Connection } from './connection.ts';
import { Http1Connection, protocolErrorOf } from './http1-connection.ts';

/** How often timeouts are looked at, in milliseconds; shorter ones are looked at more often. */
const CHECK_INTERVAL_MS = 5_000;

export interface Http1Handlers {
  request(connection: Connection, req: IncomingMessage, res: ServerResponse): void;
  /** Which `Upgrade` requests are one; the others are served as if they had not asked. */
  isUpgrade(req: IncomingMessage): boolean;
  upgrade(connection: Connection, req: IncomingMessage, socket: Socket, head: Buffer): void;
  /** The connection sent what is not HTTP, or sent it too slowly. */
  protocolError(connection: Connection, code: string): void;
}

/** HTTP/1.1 on connections that the listener accepted. */
export class Http1Server {
  readonly #server: Server;
  readonly #handlers: Http1Handlers;
  readonly #exchanges = new WeakMap<Socket, Http1Connection>();
  #draining = false;

  constructor(limits: ProxyLimits, handlers: Http1Handlers) {
    this.#handlers = handlers;
    this.#server = createServer({ ...serverOptions(limits), shouldUpgradeCallback: handlers.isUpgrade });
    this.#server.timeout = limits.idleMs;
    this.#server.maxHeadersCount = 0;
    this.#server.on('request', (req, res) => this.#request(req, res));
    this.#server.on('checkContinue', (req, res) => this.#request(req, res));
    this.#server.on('upgrade', (req, socket, head) => this.#upgrade(req, socket, head));
    this.#server.on('connect', (req, socket, head) => this.#upgrade(req, socket, head));
    this.#server.on('clientError', (error, socket) => this.#isBroken(error, socket));
    // Node looks at the timeouts of a server from when it listens, which another does for this one.
    this.#server.emit('listening');
  }

  accept(connection: Connection, socket: Socket): void {
    this.#exchanges.set(socket, new Http1Connection(connection, socket));
    this.#server.emit('connection', socket);
  }

  /** From now on every answer is the last on its connection. */
  drain(): void {
    this.#draining = true;
  }

  /** Closes connections that wait for a request. */
  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  /** Ends what looks after the timeouts. */
  close(): void {
    this.#server.close();
  }

  #request(req: IncomingMessage, res: ServerResponse): void {
    const exchange = this.#exchanges.get(req.socket);
    // A request behind one whose answer closes the connection is ignored.
    if (exchange === undefined || !exchange.begin(req, res)) return;
    if (this.#draining || exchange.connection.retryAfterS > 0) res.shouldKeepAlive = false;
    this.#handlers.request(exchange.connection, req, res);
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node hands an upgraded connection over without a listener for its errors.
    socket.on('error', () => socket.destroy());
    const exchange = socket instanceof Socket ? this.#exchanges.get(socket) : undefined;
    if (!(socket instanceof Socket) || exchange === undefined || answersAnother(req, socket)) {
      socket.destroy();
      return;
    }
    this.#exchanges.delete(socket);
    this.#handlers.upgrade(exchange.connection, req, socket, head);
  }

  #isBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
    const exchange = socket instanceof Socket ? this.#exchanges.get(socket) : undefined;
    const refusal = protocolErrorOf(error);
    if (exchange === undefined || refusal === undefined) {
      socket.destroy();
      return;
    }
    if (exchange.broken) return;
    this.#handlers.protocolError(exchange.connection, error.code ?? 'unknown');
    exchange.reject(refusal);
  }
}

function serverOptions(limits: ProxyLimits): ServerOptions {
  return {
    insecureHTTPParser: false,
    // Looked for where the other faults are, since Node would go on with what follows.
    requireHostHeader: false,
    maxHeaderSize: limits.headBytes,
    headersTimeout: Math.min(limits.headMs, limits.bodyMs),
    requestTimeout: limits.bodyMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, limits.headMs, limits.bodyMs),
  };
}

/**
 * Whether the connection still owes the answer to an earlier request. Node hands a pipelined upgrade over
 * without waiting for it, and that answer would fall into the bytes of the new protocol.
 */
function answersAnother(req: IncomingMessage, socket: Socket): boolean {
  const probe = new ServerResponse(req);
  try {
    probe.assignSocket(socket);
  } catch {
    return true;
  }
  probe.detachSocket(socket);
  return false;
}
