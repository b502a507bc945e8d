import {
  createServer,
  type Http2Server,
  Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { TUNNEL_PING_INTERVAL_MS, TUNNEL_PING_TIMEOUT_MS } from '@heliograph/wire';
import type { TunnelHandler } from '../api/tunnel-handler.ts';
import { type Tunnel, type TunnelPings, tunnelOf } from './tunnel.ts';

/** Requests under way at once; every client of the live stream is one. */
const MAX_CONCURRENT_STREAMS = 10_000;

/**
 * Bytes that the proxy may send ahead of our reading: on each stream, and on all together. Request bodies are at
 * most 1 MiB and frames of stream clients small, so one client cannot use up what all share.
 */
const STREAM_WINDOW_BYTES = 256 * 1024;
const TUNNEL_WINDOW_BYTES = 16 * 1024 * 1024;

/** Memory that one tunnel may hold, in megabytes; Node refuses new streams beyond it. */
const MAX_SESSION_MEMORY_MB = 128;

/**
 * How many cancelled requests are taken in a burst, and per second. Node's default of 33 per second protects
 * a public server from one client; here the peer is our proxy and speaks for all clients.
 */
const RESET_BURST = 20_000;
const RESET_RATE = 2_000;

const DEFAULT_PINGS: TunnelPings = { intervalMs: TUNNEL_PING_INTERVAL_MS, timeoutMs: TUNNEL_PING_TIMEOUT_MS };

/**
 * An answer whose last part ends its stream. Node's own waits for trailers, which no answer has, and ends the stream with
 * an empty frame, which costs both ends a system call of its own.
 */
class TunnelResponse extends Http2ServerResponse {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    const respond = stream.respond.bind(stream);
    stream.respond = (headers, options) => respond(headers, { ...options, waitForTrailers: false });
  }
}

/** The HTTP/2 server at the device's end of the tunnel. It never listens: it is given connections. */
export class TunnelServer {
  readonly #server: Http2Server;
  readonly #pings: TunnelPings;

  constructor(handler: TunnelHandler, pings: TunnelPings = DEFAULT_PINGS) {
    this.#pings = pings;
    this.#server = createServer(
      {
        settings: {
          enableConnectProtocol: true,
          enablePush: false,
          initialWindowSize: STREAM_WINDOW_BYTES,
          maxConcurrentStreams: MAX_CONCURRENT_STREAMS,
        },
        maxSessionMemory: MAX_SESSION_MEMORY_MB,
        streamResetBurst: RESET_BURST,
        streamResetRate: RESET_RATE,
        Http2ServerResponse: TunnelResponse,
      },
      handler.request,
    );
    this.#server.on('connect', handler.connect);
    this.#server.on('sessionError', () => undefined);
  }

  /**
   * Serves HTTP/2 on a connection whose upgrade to the tunnel is complete.
   *
   * @throws when the connection was lost at once
   */
  serve(connection: Duplex): Tunnel {
    let session: ServerHttp2Session | undefined;
    this.#server.once('session', (made) => {
      session = made;
    });
    this.#server.emit('connection', connection);
    if (session === undefined) {
      connection.destroy();
      throw new Error('the connection was lost at once');
    }
    session.setLocalWindowSize(TUNNEL_WINDOW_BYTES);
    session.setTimeout(0);
    return tunnelOf(session, this.#pings);
  }
}
