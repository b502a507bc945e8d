import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';

/** The two ends of an HTTP/2 connection over a socket. */
export class Http2Pair implements Disposable {
  readonly http2: ClientHttp2Session;
  /** The connection beneath the client's end. */
  readonly socket: Socket;
  /** The server's end. */
  readonly peer: ServerHttp2Session;
  /** Those that the server received. */
  readonly streams: readonly ServerHttp2Stream[];
  /** Payloads of the pings that the server received, in Latin-1. */
  readonly pings: readonly string[];
  readonly #server: Http2Server;

  private constructor(server: Http2Server, socket: Socket, http2: ClientHttp2Session, received: Received) {
    this.#server = server;
    this.socket = socket;
    this.http2 = http2;
    if (received.peer === undefined) throw new Error('The server has no session');
    this.peer = received.peer;
    this.streams = received.streams;
    this.pings = received.pings;
  }

  static async connect(): Promise<Http2Pair> {
    const received: Received = { peer: undefined, streams: [], pings: [] };
    const server = createServer();
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      received.streams.push(stream);
    });
    server.on('session', (session) => {
      received.peer = session;
      session.on('ping', (payload: Buffer) => received.pings.push(payload.toString('latin1')));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on a port has no other kind of address.
    const { port } = server.address() as AddressInfo;
    const socket = connectSocket({ port, host: '127.0.0.1' });
    const http2 = connect('http://peer', { createConnection: () => socket });
    http2.on('error', () => undefined);
    await once(http2, 'remoteSettings');
    return new Http2Pair(server, socket, http2, received);
  }

  /** Until everything that was written before was read on both sides. */
  roundTrip(): Promise<void> {
    return new Promise((resolve) => this.http2.ping(() => resolve()));
  }

  [Symbol.dispose](): void {
    this.http2.destroy();
    this.socket.destroy();
    this.#server.close();
  }
}

interface Received {
  peer: ServerHttp2Session | undefined;
  readonly streams: ServerHttp2Stream[];
  readonly pings: string[];
}
