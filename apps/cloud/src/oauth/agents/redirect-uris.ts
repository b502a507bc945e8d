import { InvalidAgentMetadata } from './errors.ts';

const MAX_URIS = 10;
const MAX_LENGTH = 2_000;

/** What a URI may be written with (RFC 3986): no spaces, no control characters, no backslashes, no fragment. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/** Written out, because a browser reads more ways to write these addresses than people do. */
const LOOPBACK_HTTP = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Steps up and hidden slashes: the path that arrives would be another one than the path that was registered. */
const WINDING_PATH = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c/i;

/** `com.example.app:/callback`, or `example://callback`: many agents have a name without a dot. */
const PRIVATE_USE = /^(?:[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/|[a-z][a-z0-9+-]*:\/\/[^/?])/;

/** Schemes without a dot that browsers and systems act on themselves. */
const TAKEN_SCHEMES: ReadonlySet<string> = new Set(
  (
    'about blob chrome content data edge file filesystem ftp ftps git gopher http https imap intent irc jar ' +
    'javascript ldap ldaps livescript mailto mocha news nfs nntp pop res resource rlogin rtsp search search-ms sftp ' +
    'shell sip sips smb sms ssh tel telnet urn vbscript view-source vnc wais ws wss wyciwyg'
  ).split(' '),
);
const TAKEN_PREFIXES = /^(?:chrome-|edge-|ms-|x-apple)/;

/** What a redirect URI is: a page of the web, or a place on the user's own machine. */
export type RedirectKind = 'https' | 'loopback' | 'private-use';

/**
 * The redirect URIs of an agent, as they were sent: they are compared exactly, but for the port of a loopback
 * address (RFC 8252, 7.3).
 *
 * @throws InvalidAgentMetadata
 */
export function redirectUris(sent: unknown): readonly string[] {
  if (!Array.isArray(sent) || sent.length === 0) throw refusal('redirect_uris must be a list of URIs');
  if (sent.length > MAX_URIS) throw refusal(`redirect_uris may have ${MAX_URIS} members at most`);
  for (const uri of sent) redirectKind(uri);
  return sent as string[];
}

/** @throws InvalidAgentMetadata for what a user must not be sent to */
export function redirectKind(uri: unknown): RedirectKind {
  if (typeof uri !== 'string') throw refusal('redirect_uris must contain strings');
  if (uri.length > MAX_LENGTH) throw refusal(`redirect_uris may have ${MAX_LENGTH} characters at most`);
  const url = URI_CHARACTERS.test(uri) ? URL.parse(uri) : null;
  if (url === null) throw refusal('redirect_uris must contain absolute URIs without fragments');
  if (authorityOf(uri).includes('@')) throw refusal('redirect_uris must not name a user');
  if (WINDING_PATH.test(pathOf(uri)))
    throw refusal('redirect_uris must not have . or .. or %2F in their paths');
  if (url.protocol === 'https:') return 'https';
  if (LOOPBACK_HTTP.test(uri)) return 'loopback';
  if (PRIVATE_USE.test(uri) && !isTaken(url.protocol.slice(0, -1))) return 'private-use';
  throw refusal(
    'redirect_uris must be https, http at localhost, 127.0.0.1 or [::1], or a scheme of the agent itself',
  );
}

/** Whether it is served by the user's own machine, where browsers need no https. */
export function isLoopbackHost(uri: string): boolean {
  return LOOPBACK_HOSTS.has(URL.parse(uri)?.hostname ?? '');
}

function isTaken(scheme: string): boolean {
  return TAKEN_SCHEMES.has(scheme) || (TAKEN_PREFIXES.test(scheme) && !scheme.includes('.'));
}

function authorityOf(uri: string): string {
  return /^[^:/]+:\/\/([^/?]*)/.exec(uri)?.[1] ?? '';
}

function pathOf(uri: string): string {
  return /^[^:/]+:(?:\/\/[^/?]*)?([^?]*)/.exec(uri)?.[1] ?? '';
}

function refusal(message: string): InvalidAgentMetadata {
  return new InvalidAgentMetadata('invalid_redirect_uri', message);
}
