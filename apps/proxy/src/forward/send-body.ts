import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientHttp2Stream } from 'node:http2';
import { MAX_BODY_BYTES } from '../http/body.ts';

/**
 * Passes a request's body to the device as it comes, at the pace the device takes it.
 *
 * @param onProgress called for every part that was passed on
 * @param onTooLong called when more came than a body may have
 */
export function sendBody(
  req: IncomingMessage,
  res: ServerResponse,
  stream: ClientHttp2Stream,
  onProgress: () => void,
  onTooLong: () => void,
): void {
  if (req.headers.expect !== undefined) res.writeContinue();
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    // After the device has answered or gone, what still comes is read and dropped.
    if (stream.closed || stream.destroyed) return;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      onTooLong();
      return;
    }
    onProgress();
    if (!stream.write(chunk)) req.pause();
  });
  req.on('end', () => {
    if (!stream.closed) stream.end();
  });
  stream.on('drain', () => req.resume());
  stream.on('close', () => req.resume());
}
