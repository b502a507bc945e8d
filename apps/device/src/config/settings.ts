import type { AlertRuleEntry } from '@heliograph/contracts';
import type { ReleaseChannel } from '@heliograph/kit';
import { type EnergyPeriod, machineTimeZone } from '../energy/period.ts';
import { configuredRule } from './alert-rules/configured-rules.ts';
import { type ConfigFile, DEFAULTS } from './config-file.ts';
import type { ConnectionConfig } from './connection-config.ts';
import type { MqttConfig } from './mqtt-config.ts';
import type { NotificationConfig } from './notification-config.ts';
import { notificationOf } from './notification-issues.ts';

/** The settings of the configuration file, with defaults for those it leaves out. */
export interface FileSettings {
  readonly pollIntervalMs: number;
  /** IANA name, such as `Europe/Berlin`: where a day begins for the energy totals. */
  readonly timeZone: string;
  readonly energyPeriod: EnergyPeriod;
  /** In the order in which the units of each kind are numbered. */
  readonly connections: readonly ConnectionConfig[];
  readonly settingWrites: {
    /** How often one setting may be written in 24 hours. */
    readonly perDay: number;
  };
  readonly history: {
    /** Disk space that readings may take, in MB (10^6 bytes). */
    readonly maxSizeMb: number;
  };
  /** Rules that raise alerts, beside the built-in ones or in their place. */
  readonly alertRules: readonly AlertRuleEntry[];
  /** Receivers of alerts, to which the device sends by itself. */
  readonly notifications: readonly NotificationConfig[];
  /** Undefined: nothing is published. */
  readonly mqtt: MqttConfig | undefined;
  /** Whether the device announces itself on the local network. */
  readonly mdns: boolean;
  /** An origin, such as `https://cloud.example.org`; without a cloud the device serves the local network alone. */
  readonly cloudUrl: string | undefined;
  /** Undefined: as the owner chose for the site. */
  readonly channel: ReleaseChannel | undefined;
  /** Undefined: as the owner chose for the site. */
  readonly automaticUpdates: boolean | undefined;
  /** The region whose proxies are nearest; undefined: the cloud chooses. */
  readonly region: string | undefined;
}

/** @param connections what the file's connections were read as @param certificates PEM by the file that a `ca_file` names */
export function settingsOf(
  file: ConfigFile,
  connections: readonly ConnectionConfig[],
  certificates: ReadonlyMap<string, string>,
): FileSettings {
  const caOf = (file: string | undefined) => (file === undefined ? undefined : certificates.get(file));
  return {
    pollIntervalMs: Math.round((file.poll_interval_s ?? DEFAULTS.pollIntervalS) * 1000),
    timeZone: file.time_zone ?? machineTimeZone(),
    energyPeriod: file.energy_period ?? DEFAULTS.energyPeriod,
    connections,
    settingWrites: { perDay: file.setting_writes_per_day ?? DEFAULTS.settingWritesPerDay },
    history: { maxSizeMb: file.history?.max_size_mb ?? DEFAULTS.historyMaxSizeMb },
    alertRules: (file.alert_rules ?? []).map(configuredRule),
    notifications: (file.notifications ?? []).map((entry) =>
      notificationOf(entry, {
        severity: DEFAULTS.notificationSeverity,
        language: DEFAULTS.notificationLanguage,
        ca: caOf(entry.ca_file),
      }),
    ),
    mqtt: file.mqtt === undefined ? undefined : mqttOf(file.mqtt, caOf(file.mqtt.ca_file)),
    mdns: file.mdns ?? true,
    cloudUrl: file.cloud_url?.replace(/\/$/, ''),
    channel: file.channel,
    automaticUpdates: file.automatic_updates,
    region: file.region,
  };
}

function mqttOf(mqtt: NonNullable<ConfigFile['mqtt']>, ca: string | undefined): MqttConfig {
  return {
    url: mqtt.url,
    username: mqtt.username,
    password: mqtt.password,
    ca,
    allowWrites: mqtt.allow_writes ?? false,
    homeAssistant: mqtt.home_assistant ?? true,
    topicPrefix: mqtt.topic_prefix ?? DEFAULTS.mqttTopicPrefix,
    discoveryPrefix: mqtt.discovery_prefix ?? DEFAULTS.mqttDiscoveryPrefix,
  };
}
