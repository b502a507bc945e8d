import { canonicalAddress, networkOf } from '@heliograph/kit';

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

/**
 * Drops zones, which have a meaning on this machine alone.
 *
 * @param ip the address of the request, which may be any text that a reverse proxy forwards
 */
export function clientAddressFrom(ip: string): ClientAddress {
  const address = canonicalAddress(ip.replace(/%.*$/, '')) ?? null;
  return { address, network: address === null ? null : networkOf(address) };
}
