import { isIP } from 'node:net';

/**
 * The domain below which the sites of a proxy's region can be browsed, unless it is configured otherwise: what stands
 * before the first `-` of the proxy's host, and its domain. That of `us-htz-1.example.org` is `us.example.org`;
 * existing clients work it out the same way. On the developer's own machine it is `localhost`, below which browsers
 * resolve every name themselves (RFC 6761, 6.3).
 *
 * @param proxyHost host, or host:port, of the proxy
 * @returns the domain without a port; undefined when the host is an address, below which there are no names
 */
export function regionDomainOf(proxyHost: string): string | undefined {
  const { hostname } = new URL(`http://${proxyHost}`);
  if (hostname === '[::1]' || /^127\./.test(hostname)) return 'localhost';
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  const [label = '', ...domain] = hostname.split('.');
  const [region = label] = label.split('-');
  return [region, ...domain].join('.');
}
