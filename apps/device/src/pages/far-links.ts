import type { MqttLink, UplinkLink } from '@heliograph/contracts';
import type { MqttStatus } from '../mqtt/mqtt-bridge.ts';
import type { UplinkStatus } from '../uplink/uplink.ts';

/** How the way through the proxy does. */
export function uplinkLink({ state, proxy, since, reason }: UplinkStatus): UplinkLink {
  return { state, proxy, since: new Date(since).toISOString(), reason };
}

/** How the broker of the home does. */
export function mqttLink({ state, since, reason }: MqttStatus): MqttLink {
  return { state, since: new Date(since).toISOString(), reason };
}
