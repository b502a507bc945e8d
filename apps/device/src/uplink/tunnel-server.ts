import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { TUNNEL_PING_INTERVAL_MS, TUNNEL_PING_TIMEOUT_MS } from '@heliograph/wire';
import type { TunnelHandler } from '../api/tunnel-handler.ts';

export interface TunnelPings {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** One tunnel, from its handshake on. */
export interface Tunnel {
  /** Settles with the reason when the tunnel takes no more requests; requests under way may go on. */
  readonly ended: Promise<string>;
  /** Settles when the connection is gone. */
  readonly closed: Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

/** Requests under way at once; every client of the live stream is one. */
const MAX_CONCURRENT_STREAMS = 10_000;

/**
 * What the proxy may send ahead of our reading: on each stream, and on all together. Request bodies are at
 * most 1 MiB and frames of stream clients small, so one client cannot use up what all share.
 */
const STREAM_WINDOW_BYTES = 256 * 1024;
const TUNNEL_WINDOW_BYTES = 16 * 1024 * 1024;

/** What one tunnel may hold in memory, in megabytes; Node refuses new streams beyond it. */
const MAX_SESSION_MEMORY_MB = 128;

/**
 * How many cancelled requests are taken in a burst, and per second. Node's default of 33 per second protects
 * a public server from one client; here the peer is our proxy and speaks for all clients.
 */
const RESET_BURST = 20_000;
const RESET_RATE = 2_000;

/** How long requests under way may take to end when the proxy drains the tunnel, in milliseconds. */
const DRAIN_LIMIT_MS = 60_000;

const DEFAULT_PINGS: TunnelPings = { intervalMs: TUNNEL_PING_INTERVAL_MS, timeoutMs: TUNNEL_PING_TIMEOUT_MS };

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
      },
      handler.request,
    );
    this.#server.on('connect', handler.connect);
    this.#server.on('sessionError', () => undefined);
  }

  /** Serves HTTP/2 on a connection whose upgrade to the tunnel is complete. */
  serve(connection: Duplex): Tunnel {
    let session: ServerHttp2Session | undefined;
    this.#server.once('session', (made) => {
      session = made;
    });
    this.#server.emit('connection', connection);
    if (session === undefined) {
      connection.destroy();
      return {
        ended: Promise.resolve('the connection was lost at once'),
        closed: Promise.resolve(),
        destroy: () => undefined,
      };
    }
    return tunnelOf(session, this.#pings);
  }
}

function tunnelOf(session: ServerHttp2Session, pings: TunnelPings): Tunnel {
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  session.setLocalWindowSize(TUNNEL_WINDOW_BYTES);
  session.setTimeout(0);
  const stopPinging = pingRegularly(session, pings, () => {
    end('the proxy does not answer');
    session.destroy();
  });
  session.on('error', (error) => end(error.message));
  session.on('goaway', () => {
    end('the proxy ends this tunnel');
    setTimeout(() => session.destroy(), DRAIN_LIMIT_MS).unref();
  });
  session.on('close', () => {
    stopPinging();
    end('the connection was closed');
    close();
  });
  return { ended, closed, destroy: () => session.destroy() };
}

/** Pings, and reports when an answer does not come in time. @returns what stops it */
function pingRegularly(session: ServerHttp2Session, pings: TunnelPings, onSilence: () => void): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (session.destroyed || deadline !== undefined) return;
    deadline = setTimeout(onSilence, pings.timeoutMs);
    session.ping((error) => {
      if (error !== null) return;
      clearTimeout(deadline);
      deadline = undefined;
    });
  }, pings.intervalMs);
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}
