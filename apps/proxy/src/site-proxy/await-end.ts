import type { ClientStream } from '../http2-client/client-stream.ts';

/** How long a device may take to end a stream whose answer is complete, in milliseconds. */
const END_MS = 1_000;

/**
 * Waits for the end of a stream whose answer is complete, which follows within the same flight. A reset would cost a
 * frame for every answer, and devices end tunnels with more resets than a limit.
 */
export function awaitEnd(stream: ClientStream): void {
  if (stream.destroyed) return;
  stream.resume();
  const deadline = setTimeout(() => stream.cancel(), END_MS);
  stream.once('close', () => clearTimeout(deadline));
}
