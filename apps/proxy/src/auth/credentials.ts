import type { IncomingHttpHeaders } from 'node:http';

/** Characters that no token has, and no header may have. */
const NOT_OF_A_TOKEN = /[^\x21-\x7e]/;

/** Credentials of a client for a site; missing ones are empty. */
export interface Credentials {
  readonly token: string;
  readonly siteId: string;
  readonly siteKey: string;
}

/** The credentials of a request: `Authorization: Bearer`, `Site-Id`, `Site-Key`. */
export function credentialsFromHeaders(headers: IncomingHttpHeaders): Credentials {
  return {
    token: bearerToken(headers.authorization),
    siteId: headerText(headers['site-id']),
    siteKey: headerText(headers['site-key']),
  };
}

/**
 * The credentials of a WebSocket: the token comes as query parameter `token`, and because browsers cannot set
 * headers there, `site_id` and `site_key` may come the same way, also spelled as the headers are. A header wins over
 * its parameter except for the token, which the interface defines as a parameter.
 */
export function credentialsFromUpgrade(headers: IncomingHttpHeaders, url: string): Credentials {
  // All that follows the first `?`, as the device reads it: it must find no other token than the one checked here.
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const fromHeaders = credentialsFromHeaders(headers);
  return {
    token: tokenOf(query) ?? fromHeaders.token,
    siteId: fromHeaders.siteId || parameter(query, 'site-id'),
    siteKey: fromHeaders.siteKey || parameter(query, 'site-key'),
  };
}

/** @returns empty for a token that is not one, such as with a line end; undefined without the parameter */
function tokenOf(query: URLSearchParams): string | undefined {
  const token = query.get('token') || undefined;
  return token !== undefined && NOT_OF_A_TOKEN.test(token) ? '' : token;
}

/** @param header name of a header that may come as a parameter, with `-` or `_`, in any letter case */
function parameter(query: URLSearchParams, header: string): string {
  for (const [name, value] of query) if (name.toLowerCase().replaceAll('_', '-') === header) return value;
  return '';
}

/** @returns an empty string when the header is missing or has another scheme */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return authorization.slice(7).trim();
}

function headerText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
