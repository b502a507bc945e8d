import { networkInterfaces } from 'node:os';

/**
 * The address at which other computers of the LAN reach this one: its first IPv4 address unless it listens on one alone;
 * null while it has none.
 *
 * @param host the address that it listens on
 */
export function lanAddress(host: string): string | null {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}
