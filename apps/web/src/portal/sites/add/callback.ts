import { parseUrl } from '@heliograph/kit/parse-url';

/** The address of a device that led its owner here, with a token for it. */
export interface Callback {
  /** With the token in it. */
  readonly href: string;
  /** For people. */
  readonly host: string;
  /** Whether it can only be in the own network, or is the site itself; anywhere else, a person decides. */
  readonly isTrusted: boolean;
}

/**
 * A token for a site goes to an address that a link names: web addresses alone are valid, without a password in them.
 *
 * @param wanted the `callback` of the link
 * @param siteUrl the public address of the site
 * @returns undefined for an address that must not receive a token
 */
export function callbackOf(
  wanted: string | null,
  token: string | undefined,
  siteUrl: string | null,
): Callback | undefined {
  if (wanted === null || token === undefined) return undefined;
  const url = parseUrl(wanted);
  if (url === undefined) return undefined;
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  const isSite = siteUrl !== null && new URL(siteUrl).origin === url.origin;
  url.searchParams.set('token', token);
  return { href: url.href, host: url.host, isTrusted: isSite || isLocal(url.hostname) };
}

/** @param host as URL writes it: IPv4 in four numbers, whatever it was written as; IPv6 in brackets, shortened */
function isLocal(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local')) return true;
  if (host.startsWith('[')) return isLocalIpv6(host.slice(1, -1));
  const [a = -1, b = -1] = /^\d+(\.\d+){3}$/.test(host) ? host.split('.').map(Number) : [];
  return (
    a === 10 ||
    a === 127 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254)
  );
}

/** Itself, fc00::/7 and fe80::/10 (RFC 4291, RFC 4193). */
function isLocalIpv6(address: string): boolean {
  return address === '::1' || /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address);
}
