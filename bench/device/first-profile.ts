import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredDrivers } from '@heliograph/device/config';
import { loadFamilies } from '@heliograph/device/families';

/** Loads one built-in family, the first of this process, as a device does: after it has read its configuration. */
export interface FirstProfileOrder {
  readonly name: string;
}
export interface FirstProfileTime {
  /** Processor time of the program's own thread, in milliseconds. */
  readonly ms: number;
}

const configuration = (driver: string): string => `# The home.
poll_interval_s: 2
time_zone: Europe/Berlin
connections:
  - driver: ${driver}
    bus: "modbus-tcp://192.168.1.20:502"
  - { driver: ${driver}, bus: "modbus-rtu:///dev/ttyUSB0?baud=9600", unit: 2 }
mqtt:
  url: mqtt://192.168.1.5:1883
  home_assistant: true
`;

process.once('message', async ({ name }: FirstProfileOrder) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-profile-'));
  const file = join(folder, 'device.yaml');
  writeFileSync(file, configuration(name));
  const wanted = configuredDrivers(file);
  rmSync(folder, { recursive: true });
  const before = process.threadCpuUsage();
  await loadFamilies({ wanted });
  const { user, system } = process.threadCpuUsage(before);
  process.send?.({ ms: (user + system) / 1_000 } satisfies FirstProfileTime, () => process.disconnect());
});
