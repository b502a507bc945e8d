import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { MAX_FRAME_BYTES } from '../stream/live-stream.ts';

/** The part of a `ws` socket by which its own server hands it a connection after the handshake. */
interface Adoptive extends WebSocket {
  setSocket(stream: Duplex, head: Buffer, options: object): void;
}

/** The options that the server side of `ws` passes to the sockets it makes (`ws/lib/websocket-server.js`). */
const SOCKET_OPTIONS = { autoPong: true, maxPendingAutoPongs: 60, closeTimeout: 30_000 };
const RECEIVER_OPTIONS = {
  allowSynchronousEvents: true,
  maxBufferedChunks: 4_096,
  maxFragments: 256,
  maxPayload: MAX_FRAME_BYTES,
  skipUTF8Validation: false,
};

/**
 * Makes a WebSocket, in the server's role, of a stream whose handshake is done: an extended CONNECT stream
 * (RFC 8441) carries frames like any connection, but its handshake is HTTP/2's, which `ws` does not speak.
 *
 * `ws` completes its own handshakes with the same two calls; its published types leave them out, so they
 * are asked for here, at run time.
 */
export function adoptStream(stream: Duplex): WebSocket {
  const socket: unknown = Reflect.construct(WebSocket, [null, undefined, SOCKET_OPTIONS]);
  if (!isAdoptive(socket)) throw new Error('this version of ws cannot serve a WebSocket over HTTP/2');
  socket.setSocket(stream, Buffer.alloc(0), RECEIVER_OPTIONS);
  return socket;
}

function isAdoptive(socket: unknown): socket is Adoptive {
  return socket instanceof WebSocket && 'setSocket' in socket && typeof socket.setSocket === 'function';
}
