import { regionDomainOf } from '@heliograph/wire';

/**
 * The name under which a site can be browsed at its proxy: `<site>.<region domain>`, with the proxy's port.
 *
 * @param proxyHost host, or host:port, of the proxy
 * @returns undefined when the proxy's host is an address, below which there are no names
 */
export function siteHost(siteName: string, proxyHost: string): string | undefined {
  const { port } = new URL(`http://${proxyHost}`);
  const domain = regionDomainOf(proxyHost);
  if (domain === undefined) return undefined;
  return `${siteName.toLowerCase()}.${domain}${port === '' ? '' : `:${port}`}`;
}
