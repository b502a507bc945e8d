import type { ClientStream } from '../http2-client/client-stream.ts';

/** The next hop of a client's request: the site's device, or the proxy that holds its tunnel. */
export interface Upstream {
  /**
   * Opens a stream for one client request. When the connection is lost, the stream closes without an answer.
   *
   * @param headers names and values by turns, pseudo headers first
   * @throws SessionEnding, or UnsendableHeader; nothing was sent then
   */
  open(headers: readonly string[], withBody: boolean): ClientStream;
}
