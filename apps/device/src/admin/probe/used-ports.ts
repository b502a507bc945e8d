import { realpathSync } from 'node:fs';
import type { BusAddress } from '../../bus/address.ts';

/** A connection that the running device has, and by which driver. */
export interface UsedBus {
  readonly driver: string;
  readonly address: BusAddress;
}

/** The driver by which the device itself uses a port, or the gateway that an address leads to; null when none does. */
export function userOf(address: BusAddress, used: readonly UsedBus[]): string | null {
  const place = placeOf(address);
  return used.find((one) => placeOf(one.address) === place)?.driver ?? null;
}

/** A port is one thing by whichever name and protocol; so is a gateway, of which many serve one client at a time. */
function placeOf(address: BusAddress): string {
  if ('host' in address) return `${address.host}:${address.port}`;
  try {
    return realpathSync(address.path);
  } catch {
    return address.path;
  }
}
