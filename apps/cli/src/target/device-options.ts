/** Options of every command that talks to a device. */
export const DEVICE_OPTIONS = {
  device: { type: 'string' },
  password: { type: 'string' },
} as const;

export const DEVICE_OPTIONS_HELP = `  --device HOST[:PORT]  a device on the local network, without the cloud
  --password PASSWORD   its password (or HELIOGRAPH_PASSWORD)`;
