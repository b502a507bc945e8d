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

/** Bounds the heads of requests under way on all connections of a server: Node keeps each until its answer is sent. */
class CompleteHeads {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns whether there is room for the request, which it takes until its answer is over */
  take({ url = '', rawHeaders }: IncomingMessage, response: ServerResponse): boolean {
    let bytes = url.length;
    for (const text of rawHeaders) bytes += text.length;
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    response.once('close', () => {
      this.#bytes -= bytes;
    });
    return true;
  }
}

/**
 * Header of an answer by which nothing was done about the request: this end takes no more, or does not have what
 * was asked for. The request may be sent elsewhere.
 */
export const UNREAD_HEADER = 'heliograph-unread';

const UNREAD = { [UNREAD_HEADER]: '1', 'content-length': '0' };
const UNREAD_UPGRADE = `HTTP/1.1 503 Unread\r\n${UNREAD_HEADER}: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

const BUSY_BODY = JSON.stringify({ error: 'Site is busy' });
const BUSY_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(BUSY_BODY),
  'retry-after': '1',
};

/** Answers that nothing was done about the request. */
export function answerUnread(response: ServerResponse): void {
  response.writeHead(503, UNREAD);
  response.end();
}

/** Refuses a request for which there is no room; one behind another on its connection, as no proxy sends it, ends that. */
function refuseBusy(request: IncomingMessage, response: ServerResponse): void {
  // Only the first answer due on a connection has it.
  if (response.socket === null) {
    request.socket.destroy();
    return;
  }
  response.writeHead(503, BUSY_HEADERS);
  response.end(BUSY_BODY);
}

export interface TunnelServerHandlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** A request for a WebSocket, which gets the connection of the request. */
  upgrade(request: IncomingMessage, head: Buffer): void;
}

export interface TunnelServerOptions {
  /** The longest head of a request, in bytes. */
  readonly maxHeadBytes: number;
  /** The heads of all requests under way together, in bytes; beyond it 503. */
  readonly maxHeadsBytes: number;
}

/**
 * A server of HTTP/1.1 on virtual connections. It never listens, and has no limits of time: the other end has them for its
 * clients. What heads take is limited for all connections together.
 */
export class TunnelServer {
  readonly #server: Server;
  readonly #heads = new UnfinishedHeads();
  readonly #complete: CompleteHeads;

  constructor(options: TunnelServerOptions, handlers: TunnelServerHandlers) {
    this.#complete = new CompleteHeads(options.maxHeadsBytes);
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
      else if (!this.#complete.take(request, response)) refuseBusy(request, response);
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
