import { InvalidAgentMetadata } from './errors.ts';

const MAX_URIS = 10;
const MAX_LENGTH = 2_000;

/** Characters of a URI (RFC 3986): no spaces, no control characters, no backslashes, no fragment. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/** Exact notations, because browsers accept more notations of these addresses than people recognise. */
const LOOPBACK_HTTP = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Dot segments and encoded slashes: the requested path would differ from the registered one. */
const WINDING_PATH = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c/i;

/**
 * A domain name of the agent's, reversed, as in `com.example.app:/callback` (RFC 8252, 7.1). The first label is a
 * top-level domain, which has letters alone: `git+ssh`, `web+x` and `ms-x.y` begin with none.
 */
const PRIVATE_USE = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)+:\//;

/** Domains of makers of operating systems, whose schemes open parts of these. */
const SYSTEM_DOMAINS = /^(?:android|com\.(?:android|apple|google\.android|microsoft|samsung|sec))[.:]/;

/** A page of the web, or one of two kinds of addresses on the user's own machine. */
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

/** @throws InvalidAgentMetadata for an unsafe redirect target */
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
  if (PRIVATE_USE.test(uri) && !SYSTEM_DOMAINS.test(uri)) return 'private-use';
  throw refusal(
    'redirect_uris must be https, http at localhost, 127.0.0.1 or [::1], or have a scheme that is a domain name of the agent in reverse, such as com.example.app:/callback',
  );
}

/** Whether the host is the user's own machine, where browsers need no https. */
export function isLoopbackHost(uri: string): boolean {
  return LOOPBACK_HOSTS.has(URL.parse(uri)?.hostname ?? '');
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
