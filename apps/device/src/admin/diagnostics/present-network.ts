import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { ClaimState, UplinkLink } from '@heliograph/contracts';
import { isPlainAddress } from './addresses.ts';

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^lo/, 'loopback'],
  [/^(?:wl|wifi|ath)/i, 'wifi'],
  [/^(?:eth|en|em)/i, 'ethernet'],
  [/^(?:ppp|wwan|usb)/i, 'mobile'],
  [/^(?:wg|tun|tap|tailscale|zt)/i, 'vpn'],
  [/^(?:docker|br|veth|virbr|vmnet)/i, 'virtual'],
];

/** Interfaces by kind and by what their addresses are good for, and what is reached over them. */
export function presentNetwork(
  cloud: ClaimState,
  uplink: UplinkLink | null,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): object {
  return {
    interfaces: Object.entries(interfaces).map(([name, addresses = []]) => ({
      kind: KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other',
      addresses: addresses.map(({ family, address }) => ({
        family,
        is_private: isPlainAddress(address) || /^(?:fe80|f[cd])/i.test(address),
      })),
    })),
    cloud: { is_configured: cloud !== 'no_cloud', is_reached: isReached(cloud, uplink) },
    proxy: { state: uplink?.state ?? null, is_reached: uplink?.state === 'online' },
  };
}

/** Undecided of a device that has a site from an earlier start: null. */
function isReached(cloud: ClaimState, uplink: UplinkLink | null): boolean | null {
  if (cloud === 'no_cloud' || cloud === 'not_reached') return false;
  return cloud === 'claimed' && uplink?.state !== 'online' ? null : true;
}
