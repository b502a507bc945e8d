import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { BusAddress } from '../../bus/address.ts';
import { ownPorts } from './ports.ts';

/** The ports and hosts that a caller from outside the home may name as addresses of hardware. */
export interface RemoteScope {
  hasPort(path: string): boolean;
  /** @param host as an address has it */
  hasHost(host: string): boolean;
}

/** Networks of homes, of either family: RFC 1918 and RFC 4193; not the machine itself, and not what one link knows. */
const PRIVATE = new BlockList();
const UNIQUE_LOCAL = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4');
}
UNIQUE_LOCAL.addSubnet('fc00::', 7, 'ipv6');

/** The ports that hardware is plugged into, and the addresses of private networks that are not this machine's own. */
export async function loadRemoteScope(): Promise<RemoteScope> {
  const ports = new Set((await ownPorts()).map(({ path }) => path));
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address)),
  );
  return {
    hasPort: (path) => ports.has(path),
    // A name could be looked up as another address when it is dialled.
    hasHost: (host) => isIP(host) !== 0 && isOfHome(host) && !own.has(host),
  };
}

/** An IPv4 address in the form of IPv6 is none: the list of IPv4 would take it for what is in it. */
function isOfHome(address: string): boolean {
  return isIPv6(address) ? UNIQUE_LOCAL.check(address, 'ipv6') : PRIVATE.check(address, 'ipv4');
}

/**
 * Why a caller from outside the home may not have the device open this address, for the caller: it would reveal what
 * there is besides inverters. Undefined when it may.
 */
export function remoteRefusal(address: BusAddress, reachable: RemoteScope): string | undefined {
  if ('host' in address) return reachable.hasHost(address.host) ? undefined : NO_HOST_OF_HOME;
  return reachable.hasPort(address.path) ? undefined : NO_PORT_OF_HARDWARE;
}

const NO_HOST_OF_HOME =
  'must be the IP address of another machine on the network of the home, such as 192.168.1.20; names and other addresses are for callers on that network';
const NO_PORT_OF_HARDWARE =
  'must be one of the ports that this machine lists; other files are for callers on its network';
