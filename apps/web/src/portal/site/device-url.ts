import { isDeviceAddress } from '@heliograph/contracts/device-address';

/**
 * Where a device's own pages are on the network of its home; undefined without an address. Devices report theirs, so
 * that what is no address makes no link.
 */
export function deviceUrl(address: string | null, path = '/'): string | undefined {
  return address !== null && isDeviceAddress(address) ? `http://${address}${path}` : undefined;
}
