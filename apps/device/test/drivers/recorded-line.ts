import type { Attach } from '@heliograph/dev/serial';

/** More than any request has; earlier bytes belong to none. */
const MAX_REQUEST_LENGTH = 64;

/** Hardware that answers requests exactly as it was recorded, and keeps silent to others. */
export function recordedLine(
  exchanges: readonly (readonly [request: Uint8Array, answer: Uint8Array])[],
): Attach {
  return (line) => {
    let received = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]).subarray(-MAX_REQUEST_LENGTH);
      const found = exchanges.find(([request]) => received.subarray(-request.length).equals(request));
      if (found === undefined) return;
      received = Buffer.alloc(0);
      line.write(Buffer.from(found[1]));
    };
    line.on('data', take);
    return () => line.off('data', take);
  };
}
