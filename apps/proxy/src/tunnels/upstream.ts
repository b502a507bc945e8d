import type { ClientHttp2Stream } from 'node:http2';

/** The next hop of a client's request: the site's device, or the proxy that holds its tunnel. */
export interface Upstream {
  /**
   * Opens a stream for one client request. When the connection is lost, the stream closes without an answer.
   *
   * @param headers names and values by turns, pseudo headers first
   * @throws when a header cannot be sent over HTTP/2
   */
  open(headers: string[], withBody: boolean): ClientHttp2Stream;
}

/** Node's code of an error, such as `ERR_HTTP2_OUT_OF_STREAMS`; empty if it has none. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
