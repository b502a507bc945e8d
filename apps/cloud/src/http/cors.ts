import type { App } from './app-type.ts';

const API = '/api/v1/';

/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_MAX_AGE_S = 24 * 60 * 60;

/**
 * Any origin may call the API with a bearer token. No answer allows credentials, so a browser never adds
 * cookies of its own.
 */
export function allowAnyOrigin(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(API)) return;
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'Retry-After');
    if (request.method !== 'OPTIONS') return;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, Site-Id, Site-Key',
        'access-control-max-age': PREFLIGHT_MAX_AGE_S,
      })
      .code(204)
      .send();
  });
}
