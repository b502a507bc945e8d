import { isIPv6 } from 'node:net';
import { inetOf } from '../../http/address.ts';

/** Where somebody who has no token yet calls from. */
export interface Visitor {
  /** Null when a reverse proxy forwarded something that is no address. */
  readonly address: string | null;
  /** What limits count by and accounts are remembered at: the address, for IPv6 its /64, which one home has whole. */
  readonly network: string | null;
}

/** @param ip the address as HTTP has it */
export function visitorFrom(ip: string): Visitor {
  const address = inetOf(ip);
  return { address, network: address !== null && isIPv6(address) ? `${prefix64(address)}::/64` : address };
}

/** The first four groups, without what `::` leaves out at their end. */
function prefix64(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    // An IPv4 address at the end stands for two groups.
    const after = tail === '' ? [] : tail.replace(/[\d.]+\.[\d.]+$/, '0:0').split(':');
    groups.push(...Array<string>(8 - groups.length - after.length).fill('0'), ...after);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
