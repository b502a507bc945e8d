import { REQUEST_ID, requestTrace } from '@heliograph/kit';
import { hasBody } from './body.ts';
import type { ClientRequest, ClientResponse } from './client.ts';

/** Headers that clients send; a browser that asks for more gets more. */
const CLIENT_HEADERS = 'Authorization, Content-Type, Site-Id, Site-Key';

/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_MAX_AGE_S = 24 * 60 * 60;

/**
 * Any origin may call the API with a site token. No answer allows credentials, so a browser adds no cookie of its own:
 * a page of another origin has no more than any other client.
 *
 * The `*` of the last line stands for every header, in browsers that know it.
 */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id, *',
} as const;

/** The same, names and values by turns. */
export const ANY_ORIGIN_RAW: readonly string[] = Object.entries(ANY_ORIGIN).flat();

/** Whether pages of every origin may read what stands there. */
export function isOpenToOrigins({ url }: ClientRequest): boolean {
  return url?.startsWith('/api/') ?? false;
}

/** Whether a header of an answer is a CORS header. */
export function isCorsHeader(name: string): boolean {
  return name.startsWith('access-control-');
}

/** Whether a browser asks beforehand what it may send (Fetch standard); it never shows credentials with that. */
export function isPreflight(req: ClientRequest): boolean {
  if (req.method !== 'OPTIONS' || !isOpenToOrigins(req) || hasBody(req)) return false;
  return req.headers.origin !== undefined || req.headers['access-control-request-method'] !== undefined;
}

export function respondToPreflight(req: ClientRequest, res: ClientResponse): void {
  const wanted = req.headers['access-control-request-headers'];
  const more = wanted !== undefined && /^[\w!#$%&'*+.^`|~, -]+$/.test(wanted) ? `, ${wanted}` : '';
  res.writeHead(204, {
    ...ANY_ORIGIN,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': CLIENT_HEADERS + more,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_S),
    vary: 'Access-Control-Request-Headers',
    [REQUEST_ID]: requestTrace(req).traceId,
  });
  res.end();
}
