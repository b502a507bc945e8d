import type { App } from './app-type.ts';

/**
 * Ends the connections of requests that are answered while the server stops: it waits for every connection, and
 * those that clients keep for their next request would hold it up until they are tired of them.
 */
export function endConnectionsOnStop(app: App): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
}
