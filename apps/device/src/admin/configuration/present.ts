import type { DeviceConfiguration, MqttSettings } from '@heliograph/contracts';
import { type ConfigFile, DEFAULTS } from '../../config/config-file.ts';
import { isSecretField } from '../../config/secret-fields.ts';
import { machineTimeZone } from '../../energy/period.ts';

/** The file's values, with defaults for those it leaves out. Passwords stay here. */
export function presentFile(
  file: ConfigFile,
): Omit<DeviceConfiguration, 'delegations' | 'drivers' | 'ports' | 'problem' | 'source' | 'taking_effect'> {
  return {
    poll_interval_s: file.poll_interval_s ?? DEFAULTS.pollIntervalS,
    time_zone: file.time_zone ?? null,
    machine_time_zone: machineTimeZone(),
    energy_period: file.energy_period ?? DEFAULTS.energyPeriod,
    setting_writes_per_day: file.setting_writes_per_day ?? DEFAULTS.settingWritesPerDay,
    history: { max_size_mb: file.history?.max_size_mb ?? DEFAULTS.historyMaxSizeMb },
    mdns: file.mdns ?? true,
    region: file.region ?? null,
    connections: (file.connections ?? []).map(({ driver, bus, unit = null, role = null, options = {} }) => ({
      driver,
      bus,
      unit,
      role,
      options: withoutSecrets(options),
    })),
    mqtt: file.mqtt === undefined ? null : presentMqtt(file.mqtt),
  };
}

function withoutSecrets(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isSecretField(name)));
}

function presentMqtt(mqtt: NonNullable<ConfigFile['mqtt']>): MqttSettings {
  return {
    url: mqtt.url,
    ca_file: mqtt.ca_file ?? null,
    username: mqtt.username ?? null,
    has_password: mqtt.password !== undefined,
    allow_writes: mqtt.allow_writes ?? false,
    home_assistant: mqtt.home_assistant ?? true,
    topic_prefix: mqtt.topic_prefix ?? DEFAULTS.mqttTopicPrefix,
    discovery_prefix: mqtt.discovery_prefix ?? DEFAULTS.mqttDiscoveryPrefix,
  };
}
