import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConnectionEntry, editConfig } from '@heliograph/device/config';
import { loadFamilies } from '@heliograph/device/families';

export interface DeviceSettings {
  readonly pollIntervalMs: number;
  /** The hardware, in the order in which its units are numbered. */
  readonly connections: readonly ConnectionEntry[];
  /** Most writes of one setting in a day; left out, the file's own value stays. */
  readonly settingWritesPerDay?: number | undefined;
}

/** Writes the simulated hardware into the device's configuration file; other settings in it stay. */
export async function configureDevice(
  folder: string,
  { pollIntervalMs, connections, settingWritesPerDay }: DeviceSettings,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const changes = [
    { path: ['poll_interval_s'], value: pollIntervalMs / 1000 },
    { path: ['connections'], value: connections },
    ...(settingWritesPerDay === undefined
      ? []
      : [{ path: ['setting_writes_per_day'], value: settingWritesPerDay }]),
  ];
  await editConfig(join(folder, 'device.yaml'), changes, await loadFamilies());
}
