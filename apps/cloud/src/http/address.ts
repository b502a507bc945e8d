import { isIP } from 'node:net';

/** How IPv4 addresses look on a socket that takes both (RFC 4291, 2.5.5.2). */
const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;

/**
 * A caller's address as PostgreSQL's `inet` takes it: IPv4 as IPv4, and without the zone, which means something on
 * this machine only. Null for what is no address: a reverse proxy may forward anything.
 */
export function inetOf(address: string): string | null {
  const bare = address.replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : bare;
}
