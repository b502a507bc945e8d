import type { Socket } from 'node:net';
import type { ProxyLimits } from '../config/limits.ts';
import { Rate } from '../limits/rate.ts';
import { Tally } from '../limits/tally.ts';
import type { Counters } from '../metrics/counters.ts';
import type { Visitors } from '../visitor/visitors.ts';
import type { Connection } from './connection.ts';

/** How many networks are remembered by how often they connect: some 10 MB when they all come at once. */
const MAX_NETWORKS = 50_000;
/** How many times the limit of open connections are answered at all before they are closed unheard. */
const FAR_BEYOND = 4;
/** When to come again who has too many connections open, in seconds. */
const RETRY_AFTER_S = 5;

export interface AdmissionOptions {
  readonly visitors: Visitors;
  readonly limits: ProxyLimits;
  readonly counters: Counters;
  /** Time that never runs backwards, in milliseconds. */
  readonly monotonic: () => number;
}

/**
 * Takes connections: all of them are known here, and nobody may have too many. Who has is told so in answer to the
 * first request, and who has far too many is not even heard.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #open = new Set<Connection>();
  readonly #perNetwork: Tally<string>;
  readonly #rate: Rate;

  constructor(options: AdmissionOptions) {
    const { connectionRate, connectionBurst, connectionsPerClient } = options.limits;
    this.#options = options;
    this.#perNetwork = new Tally(connectionsPerClient * FAR_BEYOND);
    this.#rate = new Rate({ perSecond: connectionRate, burst: connectionBurst, maxKeys: MAX_NETWORKS });
  }

  /** Every open connection. */
  get open(): ReadonlySet<Connection> {
    return this.#open;
  }

  /** @returns undefined for a connection that is to be closed at once */
  admit(socket: Socket): Connection | undefined {
    const { visitors, limits, counters, monotonic } = this.#options;
    const peer = visitors.peer(socket.remoteAddress ?? '');
    const { network } = peer;
    let retryAfterS = 0;
    if (network !== undefined) {
      retryAfterS = this.#rate.count(network, monotonic());
      if (retryAfterS === Number.POSITIVE_INFINITY || !this.#perNetwork.take(network)) {
        counters.connectionsClosedUnheard++;
        return undefined;
      }
      if (this.#perNetwork.of(network) > limits.connectionsPerClient) retryAfterS ||= RETRY_AFTER_S;
    }
    const connection: Connection = { socket, peer, retryAfterS, kind: 'client' };
    this.#open.add(connection);
    socket.once('close', () => this.#closed(connection));
    return connection;
  }

  /** The connection is a tunnel from now on, of which a network may have any number. */
  becomesTunnel(connection: Connection): void {
    if (connection.kind === 'tunnel' || !this.#open.has(connection)) return;
    this.#giveBack(connection);
    connection.kind = 'tunnel';
  }

  #closed(connection: Connection): void {
    this.#open.delete(connection);
    this.#options.counters.connectionClosed(connection);
    this.#giveBack(connection);
  }

  #giveBack({ kind, peer: { network } }: Connection): void {
    if (kind === 'client' && network !== undefined) this.#perNetwork.give(network);
  }
}
