import type { IncomingMessage, ServerResponse } from 'node:http';

/** Takes what comes through the tunnel. */
export interface TunnelHandler {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** A request for a WebSocket. @param head bytes that came behind it */
  upgrade(request: IncomingMessage, head: Buffer): void;
}
