import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type Certificates, MIN_VERSION } from './certificates.ts';
import type { Connection } from './connection.ts';

export interface TlsHandlers {
  /** @param socket which speaks what was agreed on by ALPN, `h2` or `http/1.1` */
  secure(connection: Connection, socket: TLSSocket): void;
  /**
   * There was no agreement on TLS.
   *
   * @param connection undefined when it is gone already
   */
  failed(reason: string, connection: Connection | undefined): void;
}

/** TLS on connections that the listener accepted. */
export class TlsServer {
  readonly #server: Server;
  readonly #certificates: Certificates;
  /** Connections that have not agreed on TLS yet, by their two ends. */
  readonly #handshaking = new Map<string, Connection>();

  /** @param handshakeMs how long a client may take to agree on TLS, in milliseconds */
  constructor(certificates: Certificates, handshakeMs: number, handlers: TlsHandlers) {
    this.#certificates = certificates;
    this.#server = createServer({
      ...certificates.ownPem,
      minVersion: MIN_VERSION,
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (name, found) => found(null, certificates.contextFor(name)),
      handshakeTimeout: handshakeMs,
    });
    this.#server.on('secureConnection', (socket) => {
      const connection = this.#take(socket);
      if (connection === undefined) socket.destroy();
      else handlers.secure(connection, socket);
    });
    this.#server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      handlers.failed(error.code ?? 'unknown', this.#take(socket));
      socket.destroy();
    });
  }

  /** Shows new certificates to new connections from now on. */
  watch(): void {
    const certificates = this.#certificates;
    certificates.watch(() =>
      this.#server.setSecureContext({ ...certificates.ownPem, minVersion: MIN_VERSION }),
    );
  }

  accept(connection: Connection): void {
    const { socket } = connection;
    const key = endpointsKey(socket);
    this.#handshaking.set(key, connection);
    socket.once('close', () => {
      if (this.#handshaking.get(key) === connection) this.#handshaking.delete(key);
    });
    this.#server.emit('connection', socket);
  }

  /** The TCP connection beneath a TLS socket, which Node does not expose. */
  #take(socket: Socket): Connection | undefined {
    const key = endpointsKey(socket);
    const connection = this.#handshaking.get(key);
    this.#handshaking.delete(key);
    return connection;
  }
}

function endpointsKey({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
