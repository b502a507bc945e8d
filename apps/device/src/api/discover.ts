import type { FastifyInstance } from 'fastify';

const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">' +
  '<title>This device can be reached</title><circle cx="8" cy="8" r="7" fill="#16a34a"/></svg>';

/**
 * An image whose only information is that it was loaded: pages of other origins show it to find out whether a browser
 * reaches the device on its own network, hence open to anyone and never from a cache.
 */
export function discoverRoute(app: FastifyInstance): void {
  app.get('/api/v1/discover.svg', (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      .send(IMAGE),
  );
}
