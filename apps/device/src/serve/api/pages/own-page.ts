import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Names that the public DNS never answers for. */
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|lan|home|internal|localdomain|home\.arpa))$/i;

/**
 * Whether the page was opened by a name that cannot be pointed at this device from outside: a page of any origin may let
 * its own name lead here (DNS rebinding), and would then count as the same origin.
 */
export function cannotBeRebound(host: string): boolean {
  const name = hostNameOf(host);
  return name !== undefined && (isIP(name) !== 0 || LOCAL_NAME.test(name));
}

function hostNameOf(host: string): string | undefined {
  if (!URL.canParse(`http://${host}/`)) return undefined;
  return new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Whether a request comes from no page at all, or from one of this device under a name that is really its own. */
export function isOwnPage(headers: IncomingHttpHeaders): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (origin === undefined) return site === undefined || site === 'none' || site === 'same-origin';
  return isSameOrigin(headers) && cannotBeRebound(host);
}

/** Browsers name the origin of a form; other clients name none, and no page can make them send one. */
export function isSameOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
