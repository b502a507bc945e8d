import type { DeviceLinks } from '@heliograph/contracts';

const UNREACHED = 'It does not answer as it should; on the network of the home this page says why';

/**
 * The links as callers from outside the home see them: whether each works. The reasons would reveal what else
 * there is at an address.
 */
export function redactLinks({ connections, uplink, mqtt }: DeviceLinks): DeviceLinks {
  return {
    connections: connections.map((link) => ({ ...link, error: link.error === null ? null : UNREACHED })),
    uplink,
    mqtt: mqtt && { ...mqtt, reason: mqtt.reason === null ? null : UNREACHED },
  };
}
