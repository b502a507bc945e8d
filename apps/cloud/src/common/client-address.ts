import { isIP, isIPv6 } from 'node:net';

/** The address a request comes from. */
export interface ClientAddress {
  /** Null when a reverse proxy forwarded an invalid address. */
  readonly address: string | null;
  /**
   * The unit that rate limits count and known addresses store: the IPv4 address, or the /64 of an IPv6 address, the
   * smallest prefix that a home gets.
   */
  readonly network: string | null;
}

/** IPv4-mapped addresses on a dual-stack socket (RFC 4291, 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;

/**
 * Maps IPv4-mapped addresses to IPv4, and drops zones, which have a meaning on this machine alone.
 *
 * @param ip the address of the request, which may be any text that a reverse proxy forwards
 */
export function clientAddressFrom(ip: string): ClientAddress {
  const bare = ip.replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  const address = isIP(bare) === 0 ? null : bare;
  return { address, network: address !== null && isIPv6(address) ? `${prefix64(address)}::/64` : address };
}

/** The first four groups, without what `::` leaves out at their end. */
function prefix64(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    // An IPv4 address at the end replaces two groups.
    const after = tail === '' ? [] : tail.replace(/[\d.]+\.[\d.]+$/, '0:0').split(':');
    groups.push(...Array<string>(8 - groups.length - after.length).fill('0'), ...after);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
