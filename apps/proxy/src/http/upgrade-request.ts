import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request of HTTP/1.1 for another protocol on its connection. */
export interface UpgradeRequest {
  readonly req: IncomingMessage;
  readonly socket: Socket;
  /** Bytes of the new protocol that arrived with the request. */
  readonly head: Buffer;
  /** The client's address, also behind trusted proxies and load balancers. */
  readonly peer: string;
}
