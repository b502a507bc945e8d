import { isIP } from 'node:net';

/**
 * The name under which a site can be browsed at its proxy: `<site>.<region host>`, where the region host of
 * `us-htz-1.example.org` is `us.example.org` (what stands before the first `-`, and the domain). On the
 * developer's own machine it is `<site>.localhost`, which browsers resolve themselves (RFC 6761, 6.3).
 *
 * @param proxyHost host, or host:port, of the proxy
 * @returns undefined when the proxy's host is an address, below which there are no names
 */
export function siteHost(siteName: string, proxyHost: string): string | undefined {
  const { hostname, port } = new URL(`http://${proxyHost}`);
  const region = regionHost(hostname);
  if (region === undefined) return undefined;
  return `${siteName.toLowerCase()}.${region}${port === '' ? '' : `:${port}`}`;
}

function regionHost(hostname: string): string | undefined {
  if (hostname === '[::1]' || /^127\./.test(hostname)) return 'localhost';
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined;
  const [label = '', ...domain] = hostname.split('.');
  const [region = label] = label.split('-');
  return [region, ...domain].join('.');
}
