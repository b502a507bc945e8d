import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerMalformedRequest } from '@heliograph/kit';
import { VirtualConnection } from './virtual-connection.ts';

/**
 * Bytes of heads that are not complete, of all connections of a server. Node keeps all that came of such a head, up to its limit, for
 * each connection: without this limit, an opener that was taken over could fill the memory of a small machine. An honest
 * one writes a head at a time, so that few are under way even on a slow line.
 */
const MAX_UNFINISHED_BYTES = 4 * 1024 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n', 'latin1');

interface Watched {
  request: IncomingMessage | undefined;
  /** Whether the request was complete before the bytes that came last. */
  wasComplete: boolean;
  /** At least the bytes that came of an unfinished head. */
  bytes: number;
  readonly listener: (chunk: Buffer) => void;
}

/** Bounds what all connections of a server keep of heads that are not complete. */
class UnfinishedHeads {
  readonly #connections = new Map<VirtualConnection, Watched>();
  #bytes = 0;

  /** To be called when the server has its own listener, so that its parser has the bytes first. */
  watch(connection: VirtualConnection): void {
    const listener = (chunk: Buffer): void => this.#received(connection, watched, chunk);
    const watched: Watched = { request: undefined, wasComplete: false, bytes: 0, listener };
    this.#connections.set(connection, watched);
    connection.on('data', listener).once('close', () => this.leave(connection));
  }

  /** The head of a request is complete. */
  completed(connection: VirtualConnection, request: IncomingMessage): void {
    const watched = this.#connections.get(connection);
    if (watched === undefined) return;
    watched.request = request;
    watched.wasComplete = false;
  }

  /** The connection has no more requests: it is closed, or a WebSocket. */
  leave(connection: VirtualConnection): void {
    const watched = this.#connections.get(connection);
    if (watched === undefined) return;
    this.#connections.delete(connection);
    this.#bytes -= watched.bytes;
    connection.off('data', watched.listener);
  }

  #received(connection: VirtualConnection, watched: Watched, chunk: Buffer): void {
    const { request, wasComplete, bytes } = watched;
    const isComplete = request?.complete === true;
    watched.wasComplete = isComplete;
    const unfinished =
      request === undefined || (isComplete && wasComplete)
        ? bytes + chunk.length
        : // The end of a request may have the beginning of another behind it.
          isComplete && !chunk.subarray(-HEAD_END.length).equals(HEAD_END)
          ? chunk.length
          : 0;
    watched.bytes = unfinished;
    this.#bytes += unfinished - bytes;
    if (this.#bytes > MAX_UNFINISHED_BYTES && unfinished > 0) connection.destroy();
  }
}

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
