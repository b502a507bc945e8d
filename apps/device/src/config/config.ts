import { join } from 'node:path';
import { ConfigError, type Env } from '@heliograph/kit';
import { type OpenTelemetryConfig, openTelemetryFromEnv, THIS_MACHINE } from '@heliograph/telemetry';
import { complaintAboutPassword } from '../access/password-rule.ts';
import type { Drivers } from './connections.ts';
import { readConfigText, settingsFrom, type UnusableConfigFile } from './read-config-file.ts';
import type { FileSettings } from './settings.ts';

/** The whole configuration of a device: from its environment and its configuration file. */
export interface DeviceConfig extends FileSettings {
  /** The folder that keeps what must survive a restart. */
  readonly dataFolder: string;
  /** Path of the configuration file; an example is written there when it is missing. */
  readonly configFile: string;
  /** The content that the settings are from; undefined when there was none. */
  readonly configText: string | undefined;
  /** Why the settings are not from the file but the last that worked, or none; null: they are from the file. */
  readonly fileFault: UnusableConfigFile | null;
  /** The address on which the local API listens; port 0 lets the system pick one. */
  readonly host: string;
  readonly port: number;
  /** Becomes the device's password when it has none yet. */
  readonly initialPassword: string | undefined;
  /** Addresses and ranges of the home network that may read the metrics without the password. */
  readonly metricsFrom: readonly string[];
  /** Undefined: spans of requests go nowhere. */
  readonly openTelemetry: OpenTelemetryConfig | undefined;
}

/** The configuration file's name in the data folder. */
const CONFIG_FILE = 'device.yaml';

/** @throws ConfigError naming the variable that cannot be used, or everything that is wrong with the file */
export function loadConfig(env: Env, drivers: Drivers): DeviceConfig {
  const configFile = configFileOf(env, env.string('DEVICE_DATA'));
  const configText = readConfigText(configFile);
  return configWith(env, settingsFrom(configText ?? '', configFile, drivers), {
    configText,
    fileFault: null,
  });
}

/** @param settings of the file, or those in its place @throws ConfigError naming the variable that cannot be used */
export function configWith(
  env: Env,
  settings: FileSettings,
  source: Pick<DeviceConfig, 'configText' | 'fileFault'>,
): DeviceConfig {
  const dataFolder = env.string('DEVICE_DATA');
  const configFile = configFileOf(env, dataFolder);
  return {
    ...settings,
    ...source,
    dataFolder,
    configFile,
    host: env.string('DEVICE_HOST', '0.0.0.0'),
    port: env.port('DEVICE_PORT', 4002),
    initialPassword: passwordOf(env, 'DEVICE_PASSWORD'),
    metricsFrom: env.addresses('DEVICE_METRICS_FROM', THIS_MACHINE),
    openTelemetry: openTelemetryFromEnv(env, 'heliograph-device'),
    cloudUrl: env.optional('CLOUD_URL') === undefined ? settings.cloudUrl : env.url('CLOUD_URL'),
  };
}

/** Path of the file: `DEVICE_CONFIG`, or `device.yaml` in the data folder. */
export function configFileOf(env: Env, dataFolder: string): string {
  return env.optional('DEVICE_CONFIG') ?? join(dataFolder, CONFIG_FILE);
}

function passwordOf(env: Env, name: string): string | undefined {
  const password = env.secret(name);
  const complaint = password === undefined ? undefined : complaintAboutPassword(password);
  if (complaint !== undefined) throw new ConfigError(`${name}: the password ${complaint}`);
  return password;
}
