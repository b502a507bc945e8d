import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses that say nothing about where a home is. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['255.255.255.255', 32],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}

/** Suffixes of names that only a network of a home resolves. */
const LOCAL_SUFFIXES = ['.local', '.lan', '.home', '.internal', '.home.arpa', '.fritz.box', '.localdomain'];

/** Whether an IPv4 address, or an IPv6 one, may stand in a bundle: the latter often hold a MAC address. */
export function isPlainAddress(address: string): boolean {
  return isIPv4(address) ? PRIVATE.check(address, 'ipv4') : address === '::1' || address === '::';
}

/** Whether a host's name or address may stand in a bundle. */
export function isPlainHost(host: string): boolean {
  if (isIP(host) !== 0) return isPlainAddress(host);
  return !host.includes('.') || LOCAL_SUFFIXES.some((suffix) => host.toLowerCase().endsWith(suffix));
}
