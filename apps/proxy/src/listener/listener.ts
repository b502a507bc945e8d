import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AddressList, Logger } from '@heliograph/kit';
import type { ClientAddressResolver, Peer } from '../client-address/resolver.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { isWebSocketUpgrade, streamingClient } from '../http/websocket-handshake.ts';
import type { Counters } from '../metrics/counters.ts';
import type { RequestLog } from '../metrics/request-log.ts';
import { Admission } from './admission.ts';
import { BalancedConnections } from './balanced-connections.ts';
import type { Certificates } from './certificates.ts';
import type { Connection } from './connection.ts';
import { Http1Server } from './http1-server.ts';
import { Http2Server } from './http2-server.ts';
import { Ingress, type IngressHandlers } from './ingress.ts';
import { TlsServer } from './tls-server.ts';

const BACKLOG = 1_024;
/** The system hands over one waiting connection in a turn of the event loop: after so many turns without, none waits. */
const QUIET_TURNS = 2;
/** How short the last turn is, in milliseconds, so that hardly a connection can have come in it. */
const QUICK_TURN_MS = 0.3;
/** How long a quick turn is waited for on a busy proxy, and how long a flood of connections is taken, in milliseconds. */
const QUICK_WAIT_MS = 250;
const FLOOD_MS = 2_000;
/** How long the last answers may take to reach slow clients when the front closes, in milliseconds. */
const FLUSH_MS = 250;

export interface ListenerOptions {
  readonly handlers: IngressHandlers;
  readonly limits: ProxyLimits;
  readonly clientAddresses: ClientAddressResolver;
  /** Load balancers whose connections begin with a header of the PROXY protocol. */
  readonly balancers: AddressList;
  readonly counters: Counters;
  readonly requestLog: RequestLog;
  readonly logger: Logger;
  /** Time that never runs backwards, in milliseconds. */
  readonly monotonic: () => number;
  /** Undefined: plain TCP, on which clients speak HTTP/1.1, or HTTP/2 where a load balancer agreed on that with them. */
  readonly certificates: Certificates | undefined;
}

/** The one listening port, to which clients, devices and other proxies come. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #listener: Server;
  readonly #admission: Admission;
  readonly #balanced: BalancedConnections;
  readonly #http1: Http1Server;
  readonly #http2: Http2Server;
  readonly #tls: TlsServer | undefined;
  /** How many connections came so far. */
  #accepted = 0;
  #closed: Promise<unknown> = Promise.resolve();

  constructor(options: ListenerOptions) {
    const { limits, handlers, certificates } = options;
    const admission = new Admission(options);
    const ingress = new Ingress({ ...options, markTunnel: (one) => admission.markTunnel(one) });
    this.#options = options;
    this.#admission = admission;
    this.#balanced = new BalancedConnections({
      sources: options.balancers,
      headerMs: limits.headMs,
      logger: options.logger,
      refused: () => options.counters.protocolErrors.add('PROXY_HEADER'),
    });
    this.#http1 = new Http1Server(limits, {
      request: (connection, req, res) => ingress.request(connection, req, res),
      isUpgrade: (req) => handlers.tunnelAcceptor(req) !== undefined || isWebSocketUpgrade(req),
      upgrade: (connection, req, socket, head) => ingress.upgrade(connection, req, socket, head),
      protocolError: (connection, code) => this.#protocolError(connection, code),
    });
    this.#http2 = new Http2Server(limits, {
      request: (connection, req, res) => ingress.request(connection, req, res),
      connect: (connection, req, res) => ingress.connect(connection, streamingClient(req, res)),
      protocolError: (connection, code) => this.#protocolError(connection, code),
    });
    this.#tls = certificates && this.#createTls(certificates);
    // TLS has its own close message, so a half-closed TCP connection makes no sense.
    this.#listener = createServer({ allowHalfOpen: certificates === undefined, noDelay: true });
    this.#listener.maxConnections = limits.connections;
    this.#listener.on('connection', (socket) => this.#accept(socket));
    this.#listener.on('drop', () => {
      options.counters.connectionsRejected++;
    });
  }

  /** Every open connection. */
  get connections(): ReadonlySet<Connection> {
    return this.#admission.open;
  }

  /** Resolves to the port once the front listens; rejects with the system's error, such as a taken port. */
  async listen(bind: string, port: number): Promise<number> {
    const listener = this.#listener;
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ host: bind, port, backlog: BACKLOG }, () => {
        listener.off('error', reject);
        resolve();
      });
    });
    this.#tls?.watch();
    const address = listener.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Closes connections after their next answer, so that clients reconnect, maybe to another proxy. */
  drain(): void {
    this.#http1.drain();
    this.#http2.drain();
  }

  /** Takes no more connections; those that are open go on. */
  async stopListening(): Promise<void> {
    this.drain();
    // The system resets what is still in the queue.
    const { monotonic } = this.#options;
    const startedMs = monotonic();
    for (let quiet = 0, waitedMs = 0, turnMs = 0; waitedMs < FLOOD_MS; ) {
      if (quiet >= QUIET_TURNS && (turnMs <= QUICK_TURN_MS || waitedMs > QUICK_WAIT_MS)) break;
      const accepted = this.#accepted;
      await nextTurn();
      quiet = this.#accepted === accepted ? quiet + 1 : 0;
      turnMs = monotonic() - startedMs - waitedMs;
      waitedMs += turnMs;
    }
    this.#closed = new Promise((resolve) => this.#listener.close(resolve));
  }

  /** Closes what is still open, after a moment for the last answers to reach their clients. */
  async close(): Promise<void> {
    this.#http1.closeIdle();
    this.#balanced.close();
    const cut = setTimeout(() => {
      for (const { socket } of this.connections) socket.destroy();
    }, FLUSH_MS);
    await this.#closed;
    clearTimeout(cut);
    this.#http1.close();
    this.#options.certificates?.stop();
  }

  #accept(socket: Socket): void {
    this.#accepted++;
    const { clientAddresses } = this.#options;
    const peer = clientAddresses.peer(socket.remoteAddress ?? '');
    if (!this.#balanced.includes(socket)) this.#admit(socket, peer);
    else {
      this.#balanced.read(socket, ({ address, isTls, isHttp2 }) => {
        const scheme = isTls === true ? 'https' : peer.scheme;
        const client = address === undefined ? peer : clientAddresses.peer(address, scheme);
        this.#admit(socket, client, isHttp2);
      });
    }
  }

  /** @param isHttp2 whether a load balancer that ended TLS agreed on HTTP/2 with the client */
  #admit(socket: Socket, peer: Peer, isHttp2 = false): void {
    const connection = this.#admission.admit(socket, peer);
    if (connection === undefined) socket.resetAndDestroy();
    else if (this.#tls !== undefined) this.#tls.accept(connection);
    else if (isHttp2) this.#http2.accept(connection, socket);
    else this.#http1.accept(connection, socket);
  }

  #createTls(certificates: Certificates): TlsServer {
    const { limits, counters, logger } = this.#options;
    return new TlsServer(certificates, limits.headMs, {
      secure: (connection, socket) => {
        if (socket.alpnProtocol === 'h2') this.#http2.accept(connection, socket);
        else this.#http1.accept(connection, socket);
      },
      failed: (reason, connection) => {
        counters.tlsFailures.add(reason);
        logger.debug({ peer: connection?.peer.address, reason }, 'no agreement on TLS');
      },
    });
  }

  #protocolError({ peer }: Connection, code: string): void {
    const { counters, logger } = this.#options;
    counters.protocolErrors.add(code);
    logger.debug({ peer: peer.address, reason: code }, 'the client does not speak HTTP well');
  }
}
