import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConnectionEntry, editConfig, loadFamilies } from '@heliograph/device/config';

export interface DeviceSettings {
  readonly pollIntervalMs: number;
  /** The hardware, in the order in which its units are numbered. */
  readonly connections: readonly ConnectionEntry[];
  /** How often one setting may be written in a day; left out, what the file says stays. */
  readonly settingWritesPerDay?: number | undefined;
}

/** Puts the simulated hardware into the device's configuration file; what a person wrote there besides stays. */
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
