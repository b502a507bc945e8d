import { parseUrl } from '@heliograph/kit/parse-url';

const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Whether text is where a device can be on the network of a home: an IP address, of IPv6 in brackets, with a port where
 * that is not 80. Devices report it, and pages make a link of it.
 */
export function isDeviceAddress(text: string): boolean {
  const [, address] = ADDRESS.exec(text) ?? [];
  if (address === undefined) return false;
  // A browser's own reading: numbers that are too large, or written in another base, are no address or another one.
  const host = parseUrl(`http://${text}/`)?.hostname;
  return host !== undefined && (host === address || host.startsWith('['));
}
