const MAX_URIS = 20;

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
/** A scheme of a native application is a domain name of its makers in reverse (RFC 8252, 7.1). */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/i;

/**
 * The distinct addresses of a list, or of text with one a line. Those of a list are unchanged, lines of text are
 * trimmed.
 */
export function listedUris(given: readonly string[] | string): string[] {
  if (typeof given !== 'string') return [...new Set(given)];
  const lines = given.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** The errors of a list of addresses, as texts that continue a field's name; none when all are valid. */
export function redirectUriErrors(uris: readonly string[]): string[] {
  if (uris.length > MAX_URIS) return [`can't be more than ${MAX_URIS}`];
  return uris.flatMap((uri) => {
    const fault = redirectUriError(uri);
    return fault === undefined ? [] : [`${fault}: ${uri.slice(0, 100)}`];
  });
}

/**
 * The error of an address for redirects with a code; undefined for a valid one. Addresses are compared as text, so one
 * that a browser would normalize to another is refused, whatever the other is.
 */
export function redirectUriError(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (uri.includes('#')) return 'must have no fragment';
  if (uri.includes('*')) return 'must have no wildcard';
  if (!ALLOWED_CHARACTERS.test(uri) || ENCODED_CONTROL.test(uri))
    return 'must be an absolute address, without odd characters';
  const { scheme, authority, path } = PARTS.exec(uri)?.groups ?? {};
  if (scheme === undefined || path === undefined || !URL.canParse(uri)) return 'must be an absolute address';
  if (authority?.includes('@')) return 'must have no user name';
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb ? !isHostOf(url, authority) : !isPrivateUse(scheme)) return SCHEME_ERROR;
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return SCHEME_ERROR;
  if (!isWeb && (authority ?? '') + path === '') return 'must be an absolute address';
  if (!isWeb && url.host !== (authority ?? '')) return SCHEME_ERROR;
  const leadsElsewhere = url.pathname !== (isWeb && path === '' ? '/' : path);
  return leadsElsewhere || ENCODED_SEPARATOR.test(path) ? 'must have a path without . and ..' : undefined;
}

const SCHEME_ERROR =
  "must be https, http on localhost, 127.0.0.1 or [::1], or a scheme of the application's own with a dot";

/** Whether browsers keep an authority as it is written; they rewrite addresses in other digits, for example. */
function isHostOf({ hostname, port, protocol }: URL, authority: string | undefined): boolean {
  if (authority === undefined || !HOST.test(authority)) return false;
  const written = authority.toLowerCase().replace(/:0*(?=\d+$)/, ':');
  const standard = protocol === 'https:' ? '443' : '80';
  return written === `${hostname}:${port === '' ? standard : port}` || (port === '' && written === hostname);
}

function isPrivateUse(scheme: string): boolean {
  return PRIVATE_USE_SCHEME.test(scheme);
}
