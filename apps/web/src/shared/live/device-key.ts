import type { DeviceClient } from '@heliograph/client';

const keys = new WeakMap<DeviceClient, string>();
let made = 0;

/** Distinguishes devices in the keys of queries: the client itself has no name. */
export function deviceKey(device: DeviceClient | undefined): string {
  if (device === undefined) return 'none';
  const known = keys.get(device);
  if (known !== undefined) return known;
  made += 1;
  const key = `device ${made}`;
  keys.set(device, key);
  return key;
}
