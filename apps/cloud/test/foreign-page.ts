import { once } from 'node:events';
import { createServer } from 'node:http';
import { inPieces } from '@heliograph/dev/in-pieces';

/** An empty page of another origin than the cloud's. */
export async function startForeignPage(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>An app</title>');
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no local address');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
