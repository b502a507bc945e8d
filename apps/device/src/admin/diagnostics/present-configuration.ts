import type { BusAddress } from '../../bus/address.ts';
import type { DeviceConfig } from '../../config/config.ts';
import type { ConnectionConfig } from '../../config/connection-config.ts';
import type { MqttConfig } from '../../config/mqtt-config.ts';
import { isPlainHost } from './addresses.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Options of drivers, by their names; each is a choice of a few words. */
const OPTIONS = [
  'parallel',
  'protocol',
  'port',
  'grid_meter',
  'vebus',
  'batteries',
  'solar_chargers',
  'request_checksum',
];

/** Paths of ports that say nothing about the adapter; others hold its serial number. */
const PLAIN_PORT = /^(?:\/dev\/(?:tty[A-Za-z]{1,6}\d{0,3}|hidraw\d{1,3})|COM\d{1,3})$/;

/** The configuration that the device runs with. A field that is not named here is in no bundle. */
export function presentConfiguration(config: DeviceConfig, pseudonyms: Pseudonyms): object {
  return {
    unusable_file: config.fileFault?.place ?? null,
    poll_interval_s: config.pollIntervalMs / 1000,
    time_zone: config.timeZone,
    energy_period: config.energyPeriod,
    setting_writes_per_day: config.settingWrites.perDay,
    history: { max_size_mb: config.history.maxSizeMb },
    alert_rules: config.alertRules.map(({ id, enabled }) => ({ id, enabled })),
    notifications: config.notifications.map((receiver) => ({
      kind: 'ntfy' in receiver ? 'ntfy' : 'smtp',
      severity: receiver.severity,
      language: receiver.language,
    })),
    mdns: config.mdns,
    channel: config.channel ?? null,
    automatic_updates: config.automaticUpdates ?? null,
    region: config.region ?? null,
    has_cloud: config.cloudUrl !== undefined,
    port: config.port,
    connections: config.connections.map((connection) => presentConnection(connection, pseudonyms)),
    mqtt: config.mqtt === undefined ? null : presentMqtt(config.mqtt),
  };
}

function presentConnection(
  { driver, address, unit, role, reversed = false, answerTimeoutMs, options }: ConnectionConfig,
  pseudonyms: Pseudonyms,
) {
  return {
    driver,
    bus: presentAddress(address, pseudonyms),
    unit: unit ?? null,
    answer_timeout_s: answerTimeoutMs === undefined ? null : answerTimeoutMs / 1000,
    role: role ?? null,
    reversed,
    options: Object.fromEntries(
      OPTIONS.filter((name) => Object.hasOwn(options, name)).map((name) => [name, options[name]]),
    ),
  };
}

/** The address of hardware. */
export function presentAddress(address: BusAddress, pseudonyms: Pseudonyms): object {
  const { transport } = address;
  if ('host' in address) {
    const { host, port } = address;
    const place = { transport, host: isPlainHost(host) ? host : pseudonyms.of('host', host), port };
    if (address.transport !== 'solarman') return place;
    return { ...place, logger: pseudonyms.of('serial', String(address.logger)) };
  }
  const path = PLAIN_PORT.test(address.path) ? address.path : pseudonyms.of('port', address.path);
  if (address.transport === 'hid') return { transport, path };
  const { baudRate = null, parity = null, stopBits = null } = address;
  return { transport, path, baud: baudRate, parity, stop: stopBits };
}

function presentMqtt({ url, username, password, ca, allowWrites, homeAssistant }: MqttConfig) {
  const { protocol, port } = new URL(url);
  return {
    scheme: protocol.slice(0, -1),
    port: port === '' ? null : Number(port),
    has_username: username !== undefined,
    has_password: password !== undefined,
    has_ca: ca !== undefined,
    allow_writes: allowWrites,
    home_assistant: homeAssistant,
  };
}
