import type { Socket } from 'node:net';
import type { Peer } from '../client-address/resolver.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import type { Counters } from '../metrics/counters.ts';
import type { Connection } from './connection.ts';

/** How many networks are remembered by how often they connect: some 10 MB when they all come at once. */
const MAX_NETWORKS = 50_000;
/** How many times the limit of open connections are answered at all before they are closed unheard. */
const HARD_LIMIT_FACTOR = 4;
/** When to come again who has too many connections open, in seconds. */
const RETRY_AFTER_S = 5;

export interface AdmissionOptions {
  readonly limits: ProxyLimits;
  readonly counters: Counters;
  /** Time that never runs backwards, in milliseconds. */
  readonly monotonic: () => number;
}

/**
 * Admits connections within the limits of each client. A client beyond its limit gets 429 for the
 * first request; far beyond it the connection is closed at once.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #open = new Set<Connection>();
  readonly #perNetwork: ConcurrencyLimiter<string>;
  readonly #rate: RateLimiter;

  constructor(options: AdmissionOptions) {
    const { connectionRate, connectionBurst, connectionsPerClient } = options.limits;
    this.#options = options;
    this.#perNetwork = new ConcurrencyLimiter(connectionsPerClient * HARD_LIMIT_FACTOR);
    this.#rate = new RateLimiter({
      perSecond: connectionRate,
      burst: connectionBurst,
      maxKeys: MAX_NETWORKS,
    });
  }

  /** Every open connection. */
  get open(): ReadonlySet<Connection> {
    return this.#open;
  }

  /** @returns undefined for a connection that is to be closed at once */
  admit(socket: Socket, peer: Peer): Connection | undefined {
    const { limits, counters, monotonic } = this.#options;
    const { network } = peer;
    let retryAfterS = 0;
    if (network !== undefined) {
      retryAfterS = this.#rate.count(network, monotonic());
      if (retryAfterS === Number.POSITIVE_INFINITY || !this.#perNetwork.tryAcquire(network)) {
        counters.connectionsRejected++;
        return undefined;
      }
      if (this.#perNetwork.countOf(network) > limits.connectionsPerClient) retryAfterS ||= RETRY_AFTER_S;
    }
    const connection: Connection = { socket, peer, retryAfterS, kind: 'client' };
    this.#open.add(connection);
    socket.once('close', () => this.#closed(connection));
    return connection;
  }

  /** The connection is a tunnel from now on, of which a network may have any number. */
  markTunnel(connection: Connection): void {
    if (connection.kind === 'tunnel' || !this.#open.has(connection)) return;
    this.#release(connection);
    connection.kind = 'tunnel';
  }

  #closed(connection: Connection): void {
    this.#open.delete(connection);
    this.#options.counters.connectionClosed(connection);
    this.#release(connection);
  }

  #release({ kind, peer: { network } }: Connection): void {
    if (kind === 'client' && network !== undefined) this.#perNetwork.release(network);
  }
}
