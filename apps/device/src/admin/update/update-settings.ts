import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RELEASE_CHANNELS, type ReleaseChannel } from '@heliograph/kit';
import { replaceText } from '../../common/replace-text.ts';

/** The owner's decision about updates. */
export interface UpdateSettings {
  readonly channel: ReleaseChannel;
  /** Whether the device updates without a request. */
  readonly automatic: boolean;
}

export const DEFAULT_UPDATE_SETTINGS: UpdateSettings = { channel: 'stable', automatic: false };

/** Beside the database, which the device's process has for itself alone. */
const FILE = 'updates.json';

/** @returns the defaults where the device has not stored any, or nothing that can be read */
export async function readUpdateSettings(dataFolder: string): Promise<UpdateSettings> {
  try {
    const { channel, automatic }: { channel?: unknown; automatic?: unknown } = JSON.parse(
      await readFile(join(dataFolder, FILE), 'utf8'),
    );
    const known = RELEASE_CHANNELS.find((one) => one === channel);
    return { channel: known ?? DEFAULT_UPDATE_SETTINGS.channel, automatic: automatic === true };
  } catch {
    return DEFAULT_UPDATE_SETTINGS;
  }
}

/** Writes nothing where the file has them already: a device starts on a full disk, too. */
export async function storeUpdateSettings(dataFolder: string, settings: UpdateSettings): Promise<void> {
  const stored = await readUpdateSettings(dataFolder);
  if (stored.channel === settings.channel && stored.automatic === settings.automatic) return;
  await replaceText(join(dataFolder, FILE), `${JSON.stringify(settings)}\n`);
}
