import type { IncomingHttpHeaders } from 'node:http';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type ClientRequest, hostOf } from '../http/client.ts';

/**
 * Whether the cookie authorizes a request. Browsers add it to requests of other pages too. All sites of a region are
 * "the same site" to a browser, so that the cookie's own `SameSite` does not separate them.
 *
 * What changes something, and a WebSocket, must come from a page of this very host. What only reads may also come from
 * the address bar or a link, as a whole page.
 */
export function mayUseCookie(
  req: ClientRequest,
  clientAddress: ClientAddress,
  isWebSocket: boolean,
): boolean {
  const { headers, method } = req;
  if (isWebSocket || (method !== 'GET' && method !== 'HEAD'))
    return isSameOriginRequest(headers, req, clientAddress);
  const from = headers['sec-fetch-site'];
  if (from === undefined || from === 'same-origin' || from === 'none') return true;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Scripts cannot forge `Sec-Fetch-Site` (Fetch standard), nor the `Origin` of older browsers. */
function isSameOriginRequest(
  headers: IncomingHttpHeaders,
  req: ClientRequest,
  clientAddress: ClientAddress,
): boolean {
  const { origin, 'sec-fetch-site': from } = headers;
  if (from !== undefined && from !== 'same-origin') return false;
  // Sandboxed pages and pages with `no-referrer` have the origin "null".
  if (origin === undefined || origin === 'null') return from === 'same-origin';
  return isOrigin(origin, hostOf(req), clientAddress);
}

/** A page that came over https is this host's even where something before the proxy ended TLS. */
function isOrigin(origin: string, host: string, { scheme }: ClientAddress): boolean {
  return [scheme, 'https'].some((each) => {
    const here = `${each}://${host}`;
    return URL.canParse(here) && new URL(here).origin === origin;
  });
}

/** Whether a browser asks for a page to show, rather than a script for data. */
export function isNavigation({ method, headers }: ClientRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { accept, 'sec-fetch-mode': mode = 'navigate' } = headers;
  return mode === 'navigate' && (accept?.includes('text/html') ?? false);
}
