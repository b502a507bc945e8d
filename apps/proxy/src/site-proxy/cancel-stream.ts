import { type ClientHttp2Stream, constants } from 'node:http2';
import { addAbortSignal } from 'node:stream';

/** How long a device may take to end a stream whose answer is complete, in milliseconds. */
const END_MS = 1_000;

/**
 * Takes a request back. Node's `close` ends a body that is still coming before it resets the stream, so that the device
 * would take the part it has for the whole, and might write it.
 */
export function cancelStream(stream: ClientHttp2Stream): void {
  if (stream.destroyed) return;
  if (stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
  else addAbortSignal(AbortSignal.abort(), stream);
}

/**
 * Waits for the end of a stream whose answer is complete, which follows within the same flight. A reset would cost a
 * frame for every answer, and devices end tunnels with more resets than a limit.
 */
export function awaitEnd(stream: ClientHttp2Stream): void {
  if (stream.destroyed) return;
  stream.resume();
  const deadline = setTimeout(cancelStream, END_MS, stream);
  stream.once('close', () => clearTimeout(deadline));
}
