import type { Socket } from 'node:net';
import type { Peer } from '../client-address/resolver.ts';
import type { ConnectionKind } from '../metrics/counters.ts';

export interface Connection {
  /** The TCP connection beneath any TLS. */
  readonly socket: Socket;
  readonly peer: Peer;
  /** Seconds after which a client with too many connections may retry; 0: the connection is within the limits. */
  readonly retryAfterS: number;
  kind: ConnectionKind;
}
