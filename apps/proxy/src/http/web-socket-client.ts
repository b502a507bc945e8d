import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { ClientRequest, ClientResponse } from './client.ts';

/** A client that asks for a WebSocket, by an upgrade of HTTP/1.1 or an extended CONNECT of HTTP/2 (RFC 8441). */
export interface WebSocketClient {
  readonly request: ClientRequest;
  /** Carries the WebSocket's bytes once it is accepted. */
  readonly stream: Socket | ServerHttp2Stream;
  /** Makes the connection a WebSocket. */
  accept(protocol: string | undefined): void;
  /** Answers with anything else instead; the connection or the stream ends with it. */
  answer(): ClientResponse;
}
