import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast addresses (RFC 4291, 2.4). Others embed IPv4 addresses or are for local use. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address is one host's on the public internet: nothing of this machine, of its networks or of the
 * provider's, and no address that a translator or a tunnel turns into one of those.
 *
 * @param text an address as DNS gives it
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}
