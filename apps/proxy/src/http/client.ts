import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Refusal } from './refuse.ts';

/** A client's request, over HTTP/1.1 or on a stream of HTTP/2. */
export type ClientRequest = IncomingMessage | Http2ServerRequest;

/** The answer to a client, over HTTP/1.1 or on a stream of HTTP/2: what both kinds of Node have in common. */
export interface ClientResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  /** @param headers names and values by turns, or an object */
  writeHead(status: number, headers: string[] | OutgoingHttpHeaders): unknown;
  /** Sends the head before there is a body; HTTP/2 does so by itself. */
  flushHeaders?(): void;
  writeContinue(): void;
  write(chunk: Buffer | string): boolean;
  end(chunk?: Buffer | string): unknown;
  /** Whether it decides itself which headers of a device reach the client. */
  readonly filtersHeaders?: boolean;
  /** Answers a refusal in a way of its own; false: it is to be answered as JSON. */
  handleRefusal?(refusal: Refusal): boolean;
  /** Breaks the answer off: the client sees that it is incomplete. */
  destroy(): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
}

/** Whether the request came on a stream of HTTP/2, where other rules hold for connections and bodies. */
export function isHttp2(req: ClientRequest): req is Http2ServerRequest {
  return req.httpVersionMajor === 2;
}

/** Requested host with an optional port; empty in HTTP/1.0 without a host. */
export function hostOf(req: ClientRequest): string {
  return req.headers[':authority']?.toString() ?? req.headers.host ?? '';
}
