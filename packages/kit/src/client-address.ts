import { isIP, SocketAddress } from 'node:net';

/** How IPv4 addresses are written on a socket that takes both families (RFC 4291 section 2.5.5.2). */
const MAPPED_V4 = '::ffff:';

/**
 * The one way of writing an address: IPv4 even where it was mapped into IPv6, IPv6 in its short form.
 *
 * @returns undefined for what is not an address, or one with a zone, which means nothing on another machine
 */
export function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_V4) ? address.slice(MAPPED_V4.length) : '';
  return isIP(mapped) === 4 ? mapped : address;
}

/**
 * The unit of limits: an IPv4 address, or the /64 of an IPv6 address, since a single home has 2^64 of them.
 *
 * @param address as {@link canonicalAddress} writes it
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [listener = '', back] = address.split('::', 2);
  const before = listener === '' ? [] : listener.split(':');
  const after = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
