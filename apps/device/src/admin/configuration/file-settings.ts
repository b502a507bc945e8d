import { ConfigError } from '@heliograph/kit';
import { driversIn } from '../../config/configured-drivers.ts';
import { settingsFrom, UnusableConfigFile } from '../../config/read-config-file.ts';
import type { FileSettings } from '../../config/settings.ts';
import { loadFamilies } from '../../drivers/families/families.ts';

/** Checks the text of a configuration file with the drivers that it names alone. @throws UnusableConfigFile */
export async function settingsIn(text: string, file: string): Promise<FileSettings> {
  try {
    return settingsFrom(text, file, await loadFamilies({ wanted: driversIn(text), configFile: file }));
  } catch (error) {
    // Such as a mistake in a profile that the file names.
    if (error instanceof ConfigError && !(error instanceof UnusableConfigFile))
      throw new UnusableConfigFile(error.message, 'A profile');
    throw error;
  }
}
