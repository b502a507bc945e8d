import { join } from 'node:path';
import { configuredDrivers } from '@heliograph/device/config';
import { loadFamilies } from '@heliograph/device/families';

const CONFIGURATION = join(import.meta.dirname, '../../apps/device/src/config/example.yaml');

/** Loads one built-in family, the first of this process, as a device does: after it has read its configuration. */
export interface FirstProfileOrder {
  readonly name: string;
}
export interface FirstProfileTime {
  /** Processor time of the program's own thread, in milliseconds. */
  readonly ms: number;
}

process.once('message', async ({ name }: FirstProfileOrder) => {
  configuredDrivers(CONFIGURATION);
  const before = process.threadCpuUsage();
  await loadFamilies({ wanted: [name] });
  const { user, system } = process.threadCpuUsage(before);
  process.send?.({ ms: (user + system) / 1_000 } satisfies FirstProfileTime, () => process.disconnect());
});
