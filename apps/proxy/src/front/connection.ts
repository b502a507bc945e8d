import type { Socket } from 'node:net';
import type { Peer } from '../visitor/visitors.ts';

/** Who is at the other end: a client, until the connection becomes a tunnel. */
export type ConnectionKind = 'client' | 'tunnel';

/** One open connection. */
export interface Connection {
  /** The TCP connection, beneath TLS where there is some. */
  readonly socket: Socket;
  readonly peer: Peer;
  /** After how many seconds its client may come again, because there are too many connections of it; 0: it may stay. */
  readonly retryAfterS: number;
  kind: ConnectionKind;
}
