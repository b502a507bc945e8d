import { type Clock, ConfigError, type Env, type Logger } from '@heliograph/kit';
import { installRestored } from './admin/backup/install-restored.ts';
import { settingsIn } from './admin/configuration/file-settings.ts';
import { configFileOf, configWith, type DeviceConfig } from './config/config.ts';
import { configTextOf, lastWorkingText } from './config/last-working.ts';
import { UnusableConfigFile } from './config/read-config-file.ts';

/**
 * Carries out a restore that waits, and reads environment and configuration file. No process may have the data open.
 * A file that cannot be used is logged, and the last configuration that worked takes its place, or none.
 *
 * @throws ConfigError about the environment, or the system's error
 */
export async function loadDevice(env: Env, clock: Clock, logger: Logger): Promise<DeviceConfig> {
  const dataFolder = env.string('DEVICE_DATA');
  const configFile = configFileOf(env, dataFolder);
  installRestored({ dataFolder, configFile, clock, logger });
  try {
    const configText = await configTextOf(configFile, dataFolder);
    const settings = await settingsIn(configText ?? '', configFile);
    return configWith(env, settings, { configText, fileFault: null });
  } catch (error) {
    if (!(error instanceof UnusableConfigFile)) throw error;
    const found = await lastWorking(dataFolder, configFile);
    logger.error(
      { reason: error.message },
      found.configText === undefined
        ? 'the configuration file cannot be used: the device starts without one'
        : 'the configuration file cannot be used: the device starts with the last one that worked',
    );
    return configWith(env, found.settings, { configText: found.configText, fileFault: error });
  }
}

async function lastWorking(dataFolder: string, file: string) {
  const configText = await lastWorkingText(dataFolder);
  try {
    if (configText !== undefined) return { settings: await settingsIn(configText, file), configText };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return { settings: await settingsIn('', file), configText: undefined };
}
