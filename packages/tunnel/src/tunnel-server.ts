import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerMalformedRequest } from '@heliograph/kit';
import { UnfinishedHeads } from './unfinished-heads.ts';
import { VirtualConnection } from './virtual-connection.ts';

/**
 * Header of an answer by which nothing was done about the request: this end takes no more, or does not have what
 * was asked for. The request may be sent elsewhere.
 */
export const UNREAD_HEADER = 'heliograph-unread';

const UNREAD = { [UNREAD_HEADER]: '1', 'content-length': '0' };
const UNREAD_UPGRADE = `HTTP/1.1 503 Unread\r\n${UNREAD_HEADER}: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/** Answers that nothing was done about the request. */
export function answerUnread(response: ServerResponse): void {
  response.writeHead(503, UNREAD);
  response.end();
}

export interface TunnelServerHandlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** A request for a WebSocket, which gets the connection of the request. */
  upgrade(request: IncomingMessage, head: Buffer): void;
}

export interface TunnelServerOptions {
  /** The longest head of a request, in bytes. */
  readonly maxHeadBytes: number;
}

/**
 * A server of HTTP/1.1 on virtual connections. It never listens, and has no limits of time: the other end has them for its
 * clients. What unfinished heads take is limited for all connections together.
 */
export class TunnelServer {
  readonly #server: Server;
  readonly #heads = new UnfinishedHeads();

  constructor(options: TunnelServerOptions, handlers: TunnelServerHandlers) {
    this.#server = createServer({
      maxHeaderSize: options.maxHeadBytes,
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 0,
      // The handlers refuse what is no request of a client.
      requireHostHeader: false,
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = connectionOf(request);
      if (connection !== undefined) this.#heads.completed(connection, request);
      if (isLeft(request)) answerUnread(response);
      else handlers.request(request, response);
    });
    this.#server.on('clientError', answerMalformedRequest);
    this.#server.on('upgrade', (request: IncomingMessage, _socket: unknown, head: Buffer) => {
      const connection = connectionOf(request);
      if (connection !== undefined) this.#heads.leave(connection);
      if (isLeft(request)) request.socket.end(UNREAD_UPGRADE);
      else handlers.upgrade(request, head);
    });
  }

  /** Serves the requests that come on a connection. */
  serve(connection: VirtualConnection): void {
    this.#server.emit('connection', connection);
    this.#heads.watch(connection);
  }
}

/** Whether this end takes no more requests on the tunnel. */
function isLeft(request: IncomingMessage): boolean {
  return connectionOf(request)?.multiplexer.isLeaving === true;
}

function connectionOf({ socket }: IncomingMessage): VirtualConnection | undefined {
  const connection: unknown = socket;
  return connection instanceof VirtualConnection ? connection : undefined;
}
