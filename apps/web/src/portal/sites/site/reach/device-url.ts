import { isDeviceAddress } from '@heliograph/contracts/device-address';

/**
 * The address of a device's own pages on its local network; undefined without an address. Devices report theirs, so a
 * text that is no address makes no link.
 */
export function deviceUrl(address: string | null, path = '/'): string | undefined {
  return address !== null && isDeviceAddress(address) ? `http://${address}${path}` : undefined;
}
