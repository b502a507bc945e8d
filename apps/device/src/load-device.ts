import type { Clock, Env, Logger } from '@heliograph/kit';
import { installRestored } from './backup/install-restored.ts';
import { configFileOf, type DeviceConfig, loadConfig } from './config/config.ts';
import { configuredDrivers } from './config/configured-drivers.ts';
import { loadFamilies } from './families/families.ts';

/**
 * Carries out a restore that waits, and reads environment and configuration file. No process may have the data open.
 *
 * @throws ConfigError, or the system's error
 */
export async function loadDevice(env: Env, clock: Clock, logger: Logger): Promise<DeviceConfig> {
  const dataFolder = env.string('DEVICE_DATA');
  const configFile = configFileOf(env, dataFolder);
  installRestored({ dataFolder, configFile, clock, logger });
  return loadConfig(env, await loadFamilies({ wanted: configuredDrivers(configFile), configFile }));
}
