import { type ClientHttp2Stream, constants } from 'node:http2';
import { addAbortSignal } from 'node:stream';

/**
 * Takes a request back. Node's `close` ends a body that is still coming before it resets the stream, so that the device
 * would take the part it has for the whole, and might write it.
 */
export function cancelStream(stream: ClientHttp2Stream): void {
  if (stream.destroyed) return;
  if (stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
  else addAbortSignal(AbortSignal.abort(), stream);
}
