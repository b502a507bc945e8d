import type { Socket } from 'node:net';
import { Multiplexer, TunnelServer } from '@heliograph/tunnel';
import {
  isRevocationSignal,
  TUNNEL_MOVE_SIGNAL,
  TUNNEL_PING_INTERVAL_MS,
  TUNNEL_PING_TIMEOUT_MS,
  TUNNEL_UP_SIGNAL,
} from '@heliograph/wire';
import type { TunnelHandler } from '../../serve/api/tunnel-handler.ts';

export interface TunnelPings {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

export interface TunnelEnd {
  /** In words for the homeowner. */
  readonly reason: string;
  /** Whether the proxy announced the end ; otherwise the tunnel broke. */
  readonly isByProxy: boolean;
}

/** One tunnel, from its handshake on. */
export interface Tunnel {
  /** Settles with whether the proxy took it as a tunnel: from then on requests can come. */
  readonly up: Promise<boolean>;
  /** Settles when the tunnel takes no more requests; requests under way may go on. */
  readonly ended: Promise<TunnelEnd>;
  /** Settles when the connection is gone. */
  readonly closed: Promise<void>;
  /** Whether the proxy asked the device to move to another one. */
  readonly isMoveRequested: boolean;
  /** @param listener called at every time that the proxy asks */
  onMoveRequested(listener: () => void): void;
  /** @param listener called with every ping about revocations, also with the last one of before */
  onRevocationSignal(listener: (ping: Buffer) => void): void;
  /**
   * Takes no more requests and closes when those under way have ended. What the proxy sends meanwhile is refused
   * unprocessed, so that it may send it elsewhere.
   */
  leave(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** How long requests under way may take to end when a tunnel takes no more, in milliseconds. */
const DRAIN_LIMIT_MS = 60_000;

/** The longest head of a request, in bytes: a browser's cookies and a site token are among it. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Heads of all requests under way, in bytes: four times what a proxy passes to one site at a time with its usual limits. */
const MAX_HEADS_BYTES = 16 * 1024 * 1024;

/**
 * Requests and WebSockets of a proxy at a time, a few more than its limits for a site: a proxy that was taken over could
 * fill the memory of a small machine with heads that do not end.
 */
const MAX_CONNECTIONS = 2_500;

const DEFAULT_PINGS: TunnelPings = { intervalMs: TUNNEL_PING_INTERVAL_MS, timeoutMs: TUNNEL_PING_TIMEOUT_MS };

/** The device's end of tunnels. */
export class TunnelServing {
  readonly #server: TunnelServer;
  readonly #pings: TunnelPings;

  constructor(handler: TunnelHandler, pings: TunnelPings = DEFAULT_PINGS) {
    this.#server = new TunnelServer(
      { maxHeadBytes: MAX_HEAD_BYTES, maxHeadsBytes: MAX_HEADS_BYTES },
      handler,
    );
    this.#pings = pings;
  }

  /** Serves what comes on a connection whose upgrade to the tunnel is complete. */
  serve(socket: Socket): Tunnel {
    return new ServedTunnel(socket, this.#server, this.#pings);
  }
}

class ServedTunnel implements Tunnel {
  readonly #multiplexer: Multiplexer;
  readonly #up = Promise.withResolvers<boolean>();
  readonly #ended = Promise.withResolvers<TunnelEnd>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #moveListeners: (() => void)[] = [];
  readonly #revocationListeners: ((signal: Buffer) => void)[] = [];
  readonly #liveness: NodeJS.Timeout;
  readonly #pings: TunnelPings;
  #revocationSignal: Buffer | undefined;
  #isMoveRequested = false;
  #drainLimit: NodeJS.Timeout | undefined;
  /** Bytes that had come when a ping was sent; undefined: none is to be answered. */
  #pingedAtBytes: number | undefined;

  constructor(socket: Socket, server: TunnelServer, pings: TunnelPings) {
    this.#pings = pings;
    this.#multiplexer = new Multiplexer(
      { socket, opens: false, maxConnections: MAX_CONNECTIONS },
      {
        onConnection: (connection) => server.serve(connection),
        onSignal: (payload) => this.#onSignal(payload),
        onLeave: () => {
          this.#end('the proxy ends this tunnel', true);
          this.#limitDrain();
        },
        onClose: (reason) => this.#onClose(reason),
      },
    );
    this.#liveness = setInterval(() => this.#ping(), pings.intervalMs);
  }

  get up(): Promise<boolean> {
    return this.#up.promise;
  }

  get ended(): Promise<TunnelEnd> {
    return this.#ended.promise;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get isMoveRequested(): boolean {
    return this.#isMoveRequested;
  }

  onMoveRequested(listener: () => void): void {
    this.#moveListeners.push(listener);
  }

  onRevocationSignal(listener: (signal: Buffer) => void): void {
    this.#revocationListeners.push(listener);
    if (this.#revocationSignal !== undefined) listener(this.#revocationSignal);
  }

  leave(): void {
    this.#multiplexer.leave();
    this.#limitDrain();
  }

  destroy(): void {
    this.#multiplexer.destroy();
  }

  #onSignal(payload: Buffer): void {
    if (TUNNEL_UP_SIGNAL.equals(payload)) this.#up.resolve(true);
    else if (isRevocationSignal(payload)) {
      this.#revocationSignal = payload;
      for (const listener of this.#revocationListeners) listener(payload);
    } else if (TUNNEL_MOVE_SIGNAL.equals(payload)) {
      this.#isMoveRequested = true;
      for (const listener of this.#moveListeners) listener();
    }
  }

  #end(reason: string, isByProxy = false): void {
    this.#up.resolve(false);
    this.#ended.resolve({ reason, isByProxy });
  }

  #onClose(reason: string | undefined): void {
    clearInterval(this.#liveness);
    clearTimeout(this.#drainLimit);
    this.#end(reason ?? 'the connection was closed');
    this.#closed.resolve();
  }

  #limitDrain(): void {
    this.#drainLimit ??= setTimeout(() => this.#multiplexer.destroy(), DRAIN_LIMIT_MS).unref();
  }

  /** Pings, and cuts the tunnel when nothing came in time. */
  #ping(): void {
    if (this.#pingedAtBytes !== undefined) return;
    this.#pingedAtBytes = this.#multiplexer.bytesRead;
    this.#multiplexer.ping();
    setTimeout(() => this.#checkPing(), this.#pings.timeoutMs).unref();
  }

  #checkPing(): void {
    const isSilent = this.#multiplexer.bytesRead === this.#pingedAtBytes;
    this.#pingedAtBytes = undefined;
    if (!isSilent || this.#multiplexer.isClosed) return;
    this.#end('the proxy does not answer');
    this.#multiplexer.destroy();
  }
}
