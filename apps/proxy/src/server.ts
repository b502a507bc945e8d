import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Time a client has for the head of its request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Time a client has for its whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How long an idle connection waits for its next request, in milliseconds. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection on which nothing moves in either direction for so long is closed, in milliseconds. */
const IDLE_TIMEOUT_MS = 120_000;
/** How often the timeouts above are looked at, in milliseconds. */
const CHECK_INTERVAL_MS = 5_000;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 100_000;
const BACKLOG = 1_024;
/** How long the last answers may take to reach slow clients when the server closes, in milliseconds. */
const FLUSH_MS = 250;

const OPTIONS: ServerOptions = {
  insecureHTTPParser: false,
  requireHostHeader: true,
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_INTERVAL_MS,
  noDelay: true,
};

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ServerHandlers {
  readonly request: RequestListener;
  /** Which `Upgrade` requests are one; the others are served as if they had not asked. */
  readonly isUpgrade: (req: IncomingMessage) => boolean;
  readonly upgrade: (req: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** The one listening server: clients and devices come to the same port. */
export class ProxyServer {
  readonly #server: Server;
  /** Connections that became tunnels or WebSockets, which Node's server counts but does not close. */
  readonly #upgraded = new Set<Socket>();
  #closed: Promise<unknown> = Promise.resolve();

  constructor(handlers: ServerHandlers, tls: TlsFiles | undefined) {
    const options: ServerOptions = { ...OPTIONS, shouldUpgradeCallback: handlers.isUpgrade };
    this.#server =
      tls === undefined
        ? createServer(options)
        : createTlsServer({ ...options, ...tls, ALPNProtocols: ['http/1.1'], minVersion: 'TLSv1.2' });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.timeout = IDLE_TIMEOUT_MS;
    this.#server.on('request', handlers.request);
    this.#server.on('checkContinue', handlers.request);
    this.#server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node hands an upgraded connection over without a listener for its errors.
      socket.on('error', () => socket.destroy());
      if (!(socket instanceof Socket) || answersAnother(req, socket)) {
        socket.destroy();
        return;
      }
      this.#upgraded.add(socket);
      socket.once('close', () => this.#upgraded.delete(socket));
      handlers.upgrade(req, socket, head);
    });
  }

  /** Resolves to the port once the server listens; rejects with the system's error, such as a taken port. */
  async listen(bind: string, port: number): Promise<number> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: bind, port, backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Takes no more connections; those that are open go on. */
  stopListening(): void {
    this.#closed = new Promise((resolve) => this.#server.close(resolve));
  }

  /** Closes what is still open, after a moment for the last answers to reach their clients. */
  async close(): Promise<void> {
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      this.#server.closeAllConnections();
      for (const socket of this.#upgraded) socket.destroy();
    }, FLUSH_MS);
    await this.#closed;
    clearTimeout(cut);
  }
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
