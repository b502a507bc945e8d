const MAX_LENGTH = 2_000;

/** Scheme, authority and path of an address without fragment (RFC 3986, appendix B). */
const PARTS = /^(?<scheme>[a-z][a-z0-9+.-]*):(?:\/\/(?<authority>[^/?]*))?(?<path>[^?]*)(?:\?.*)?$/i;

/** Characters of an address (RFC 3986, 2), but for `*`, which can be mistaken for a wildcard. */
const ALLOWED_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/;

const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f)/i;
/** `/`, `\` and `.`: decoded by some programs before they resolve a path, and not by others. */
const ENCODED_SEPARATOR = /%(?:2f|5c|2e)/i;

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::[0-9]+)?$/i;
/** The browser's own machine, to which the connection cannot be intercepted (RFC 8252, 7.3). */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A domain name of the makers of a native application in reverse (RFC 8252, 7.1). The first label is a top-level domain, which
 * has letters alone: `git+ssh`, `web+x` and `ms-x.y` begin with none.
 */
const PRIVATE_USE_SCHEME = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)+$/;
/** Domains of makers of operating systems, whose schemes open parts of these. */
const SYSTEM_DOMAINS = /^(?:android|com\.(?:android|apple|google\.android|microsoft|samsung|sec))(?:\.|$)/;

const SCHEME_FAULT =
  'must be https, http on localhost, 127.0.0.1 or [::1], or have a scheme that is a domain name of your own in reverse, such as com.example.app:/callback';

/** A page of the web, or one of two kinds of addresses on the user's own machine. */
export type RedirectKind = 'https' | 'loopback' | 'private-use';

/** The fault is a text that continues a field's name. */
export type RedirectUri =
  | { readonly kind: RedirectKind; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Reads an address for redirects with a code, of an application or an agent. Addresses are compared as text, so one that a
 * browser would normalize to another is refused, whatever the other is.
 */
export function readRedirectUri(uri: string): RedirectUri {
  if (uri.length > MAX_LENGTH) return { fault: `must have at most ${MAX_LENGTH} characters` };
  if (uri.includes('#')) return { fault: 'must have no fragment' };
  if (uri.includes('*')) return { fault: 'must have no wildcard' };
  if (!ALLOWED_CHARACTERS.test(uri) || ENCODED_CONTROL.test(uri))
    return { fault: 'must be an absolute address, without odd characters' };
  const { scheme, authority, path } = PARTS.exec(uri)?.groups ?? {};
  const url = URL.parse(uri);
  if (scheme === undefined || path === undefined || url === null)
    return { fault: 'must be an absolute address' };
  if (authority?.includes('@')) return { fault: 'must have no user name' };
  const kind = kindOf(url, scheme, authority, path);
  if (kind === undefined) return { fault: SCHEME_FAULT };
  const leadsElsewhere = url.pathname !== (kind !== 'private-use' && path === '' ? '/' : path);
  return leadsElsewhere || ENCODED_SEPARATOR.test(path)
    ? { fault: 'must have a path without . and ..' }
    : { kind };
}

/** Whether the host is the user's own machine, where browsers need no https. */
export function isLoopbackHost(uri: string): boolean {
  return LOOPBACK.has(URL.parse(uri)?.hostname ?? '');
}

function kindOf(
  url: URL,
  scheme: string,
  authority: string | undefined,
  path: string,
): RedirectKind | undefined {
  if (url.protocol === 'https:') return isHostOf(url, authority) ? 'https' : undefined;
  if (url.protocol === 'http:')
    return isHostOf(url, authority) && isLoopbackHost(url.href) ? 'loopback' : undefined;
  if (!PRIVATE_USE_SCHEME.test(scheme) || SYSTEM_DOMAINS.test(scheme)) return undefined;
  const hasSlash = authority !== undefined ? authority + path !== '' : path.startsWith('/');
  return hasSlash && url.host === (authority ?? '') ? 'private-use' : undefined;
}

/** Whether browsers keep an authority as it is written; they rewrite addresses in other digits, for example. */
function isHostOf({ hostname, port, protocol }: URL, authority: string | undefined): boolean {
  if (authority === undefined || !HOST.test(authority)) return false;
  const written = authority.toLowerCase().replace(/:0*(?=\d+$)/, ':');
  const standard = protocol === 'https:' ? '443' : '80';
  return written === `${hostname}:${port === '' ? standard : port}` || (port === '' && written === hostname);
}
