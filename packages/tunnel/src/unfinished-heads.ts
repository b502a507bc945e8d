import type { IncomingMessage } from 'node:http';
import type { VirtualConnection } from './virtual-connection.ts';

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
export class UnfinishedHeads {
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
