import type { App } from './app-type.ts';

/** The API, its document, the MCP server, and the endpoints through which agents get a token for it. */
const OPEN_PATHS = [
  '/api/v1/',
  '/openapi.',
  '/mcp',
  '/.well-known/oauth-protected-resource',
  '/oauth/register',
];

/** Headers that clients send; further requested headers are allowed too. */
const CLIENT_HEADERS = ['Authorization', 'Content-Type', 'Site-Id', 'Site-Key'];

/** Cache lifetime of a preflight, in seconds. */
const PREFLIGHT_MAX_AGE_S = 24 * 60 * 60;

/**
 * Any origin may call the API with a bearer token, whatever its method and headers. No answer allows credentials,
 * so a browser never adds cookies of its own: a page of another origin has no more than any other client.
 *
 * The API of the portal, which accepts a cookie, has other paths and allows no origin.
 */
export function allowAnyOrigin(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!OPEN_PATHS.some((path) => request.originalUrl.startsWith(path))) return;
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'Retry-After, WWW-Authenticate, X-Request-Id');
    if (request.method !== 'OPTIONS') return;
    const { 'access-control-request-headers': wanted } = request.headers;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': [...CLIENT_HEADERS, ...(wanted === undefined ? [] : [wanted])].join(
          ', ',
        ),
        'access-control-max-age': PREFLIGHT_MAX_AGE_S,
        vary: 'Access-Control-Request-Headers',
      })
      .code(204)
      .send();
  });
}
