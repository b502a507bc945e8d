import type { Duplex, Readable } from 'node:stream';

/** The head of a request to a device or to another proxy. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** How the client came to this proxy. */
  readonly scheme: 'http' | 'https';
  /** With an optional port; empty in HTTP/1.0 without a host. */
  readonly host: string;
  /** Other headers: names in lower case, and values by turns. */
  readonly headers: readonly string[];
}

/** Called with the answer to a request. After `onEnd`, `onLost` and `onUpgrade` nothing more comes. */
export interface AnswerListener {
  /** @param headers names in lower case, and values by turns @param length of the body in bytes, if it is declared */
  onHead(status: number, headers: readonly string[], length: number | undefined): void;
  /** @param isLast whether it completes the declared length */
  onData(chunk: Buffer, isLast: boolean): void;
  /** The answer is complete. */
  onEnd(): void;
  onLost(loss: Loss): void;
  /** The connection carries the bytes of a WebSocket from now on. */
  onUpgrade?(headers: readonly string[], connection: Duplex): void;
}

/**
 * Why there is no answer, or no whole one: `unread`: the other side has not begun with the request, which may go
 * elsewhere; `invalid`: the answer is none; `lost`: the connection broke, and whether the request was carried out is
 * unknown.
 */
export type Loss = 'unread' | 'invalid' | 'lost';

/** A request under way. */
export interface Exchange {
  /** Takes the request back; no call of the listener follows. */
  cancel(): void;
  pause(): void;
  resume(): void;
}

/** The next hop of a client's request: the site's device, or the proxy that holds its tunnel. */
export interface Upstream {
  /**
   * Sends one client request.
   *
   * @throws UpstreamEnded when nothing was sent, since the connection has just ended; another error when a header cannot
   *   be sent
   */
  send(head: RequestHead, body: Readable | undefined, listener: AnswerListener): Exchange;
  /** Asks for a WebSocket. @throws as `send` */
  openWebSocket(head: RequestHead, listener: AnswerListener): Exchange;
}

/** The connection takes no more requests. */
export class UpstreamEnded extends Error {
  override readonly name = 'UpstreamEnded';

  constructor() {
    super('the connection has just ended');
  }
}
