import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy of a home before a server. */
export interface ReverseProxy extends AsyncDisposable {
  readonly url: string;
}

/**
 * Passes requests on as nginx does.
 *
 * @param url of the server behind it
 * @param hostFor the `Host` that it sends, from the client's; left out, the server's own, which is nginx's default
 */
export async function startReverseProxy(
  url: string,
  hostFor: (sent: string) => string = () => new URL(url).host,
): Promise<ReverseProxy> {
  const pass = (received: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url: path } = received;
    const host = hostFor(headers.host ?? '');
    const behind = request(new URL(path ?? '/', url), {
      method,
      agent: false,
      headers: { ...headers, host },
    });
    behind.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    behind.once('error', () => response.destroy());
    received.pipe(behind);
  };
  const server = createServer(pass);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
