import type { ClientHttp2Stream } from 'node:http2';

/** Whoever takes a client's request off the proxy's hands: the site's device, or the proxy that holds it. */
export interface Upstream {
  /**
   * Opens a stream for one client request. When the connection is lost, the stream closes without an answer.
   *
   * @param headers names and values by turns, pseudo headers first
   * @throws when a header cannot be sent over HTTP/2
   */
  open(headers: string[], withBody: boolean): ClientHttp2Stream;
}
