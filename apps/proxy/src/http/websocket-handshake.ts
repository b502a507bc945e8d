import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { REQUEST_ID, requestTrace } from '@heliograph/kit';
import { type ClientRequest, type ClientResponse, isHttp2 } from './client.ts';
import type { Refusal } from './refuse.ts';
import { upgradeResponse } from './upgrade-response.ts';
import type { WebSocketClient } from './web-socket-client.ts';

/** Appended to the client's key before it is hashed (RFC 6455 section 1.3). */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const VERSION = '13';

/** Whether a request asks for a WebSocket; at which paths there are some is for the device to say. */
export function isWebSocketUpgrade(req: IncomingMessage): boolean {
  return req.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The fault of a WebSocket handshake (RFC 6455 section 4.2.1); undefined for a valid one. */
export function handshakeFault(req: ClientRequest): Refusal | undefined {
  const { method, headers } = req;
  // An extended CONNECT has neither a key nor another version to offer (RFC 8441 section 5).
  if (isHttp2(req)) return undefined;
  if (headers['sec-websocket-version'] !== VERSION) {
    return {
      status: 426,
      error: 'WebSocket version is not supported',
      headers: { 'sec-websocket-version': VERSION },
    };
  }
  const key = headers['sec-websocket-key'] ?? '';
  if (method !== 'GET' || !/^[A-Za-z0-9+/]{22}==$/.test(key)) {
    return { status: 400, error: 'Not a WebSocket handshake' };
  }
  return undefined;
}

/** A client that asks by the upgrade of a connection, which then is the WebSocket's alone. */
export function upgradingClient(req: IncomingMessage, socket: Socket, head: Buffer): WebSocketClient {
  return {
    request: req,
    stream: socket,
    accept(protocol) {
      socket.setNoDelay(true);
      socket.write(switchingProtocols(req, protocol));
      if (head.length > 0) socket.unshift(head);
    },
    answer: () => upgradeResponse(req, socket),
  };
}

/** A client that asks by an extended CONNECT: one stream of its connection becomes the WebSocket. */
export function streamingClient(req: Http2ServerRequest, res: ClientResponse): WebSocketClient {
  return {
    request: req,
    stream: req.stream,
    accept(protocol) {
      const headers = protocol === undefined ? {} : { 'sec-websocket-protocol': protocol };
      req.stream.respond({ ':status': 200, [REQUEST_ID]: requestTrace(req).traceId, ...headers });
    },
    answer: () => res,
  };
}

function switchingProtocols(req: IncomingMessage, protocol: string | undefined): string {
  const key = req.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1')
    .update(key + ACCEPT_SUFFIX)
    .digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    `X-Request-Id: ${requestTrace(req).traceId}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    '',
    '',
  ].join('\r\n');
}
