import { isIPv6 } from 'node:net';

/** How IPv4 addresses look on a socket that takes both (RFC 4291, 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;

/**
 * The network that an address shares with its neighbours behind one router, in CIDR notation: the address itself
 * for IPv4, where a home has one; for IPv6 its /64, the smallest that a home gets.
 */
export function networkOf(address: string): string {
  const bare = address.replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  return `${bare}/${isIPv6(bare) ? 64 : 32}`;
}
