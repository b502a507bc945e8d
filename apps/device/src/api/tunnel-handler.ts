import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** Takes what comes through the tunnel. */
export interface TunnelHandler {
  request(request: Http2ServerRequest, response: Http2ServerResponse): void;
  /** An extended CONNECT, such as a WebSocket's. */
  connect(request: Http2ServerRequest, response: Http2ServerResponse): void;
}
