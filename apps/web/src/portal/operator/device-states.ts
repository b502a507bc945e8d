import type { DeviceState } from '@heliograph/client';

/** How far a device has come, in the order of its life. */
export const DEVICE_STATES = [
  'provisioned',
  'inactive',
  'unregistered',
  'registered',
  'revoked',
] as const satisfies readonly DeviceState[];

export const STATE_LABELS = {
  provisioned: 'states.provisioned',
  inactive: 'states.inactive',
  unregistered: 'states.unregistered',
  registered: 'states.registered',
  revoked: 'states.revoked',
} as const satisfies Record<DeviceState, string>;

/** A state as an address or a select has it; undefined for all of them. */
export function parseDeviceState(text: string): DeviceState | undefined {
  return DEVICE_STATES.find((state) => state === text);
}
