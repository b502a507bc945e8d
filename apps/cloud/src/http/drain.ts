import type { ServerResponse } from 'node:http';
import type { App } from './app-type.ts';

/**
 * Ends the connections of requests that are answered while the server stops: it waits for every connection, and
 * those that clients keep for their next request would hold it up until they are tired of them.
 *
 * It is said to the socket's response, because not every request is answered by the framework.
 */
export function endConnectionsOnStop(app: App): void {
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  app.addHook('onRequest', async (_request, { raw }) => {
    underWay.add(raw);
    raw.once('close', () => underWay.delete(raw));
    if (stopping) endConnection(raw);
  });
  app.addHook('preClose', async () => {
    stopping = true;
    for (const response of underWay) endConnection(response);
  });
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
