import { networkInterfaces } from 'node:os';
import type { DeviceConfig } from '../../config/config.ts';
import type { MqttConfig } from '../../config/mqtt-config.ts';
import { secretsIn } from '../../config/secret-fields.ts';
import type { Snapshot } from '../../poll/snapshot.ts';
import { isPlainHost } from './addresses.ts';
import { IDENTIFYING_INFO } from './present-metrics.ts';
import type { KnownValues } from './redactor.ts';

export interface KnownValuesSource {
  readonly uid: string;
  /** The private part of the device's key pair, as base64url. */
  readonly privateKey: string;
  readonly config: DeviceConfig;
  /** Brokers of earlier configurations, from which the device still removes its topics. */
  readonly formerBrokers: readonly Pick<MqttConfig, 'url' | 'username' | 'password'>[];
  /** Serial numbers of hardware since the start, also of units that do not answer now. */
  readonly serialNumbers: Iterable<string>;
}

/** All values of this device that a text could repeat. */
export function knownValues(source: KnownValuesSource): KnownValues {
  const { uid, privateKey, config, formerBrokers, serialNumbers } = source;
  const { initialPassword, mqtt, notifications, connections } = config;
  const brokers = [...(mqtt === undefined ? [] : [mqtt]), ...formerBrokers];
  const hosts = connections.flatMap(({ address }) => ('host' in address ? [address.host] : []));
  const servers = [
    ...brokers.map(({ url }) => url),
    ...notifications.flatMap((receiver) => ('smtp' in receiver ? [receiver.smtp] : [])),
  ].map((url) => new URL(url).hostname);
  const options = connections.flatMap(({ options }) => secretsIn(options));
  // A topic is read by everyone who knows it.
  const receivers = notifications.flatMap((receiver) =>
    'ntfy' in receiver
      ? [receiver.ntfy, receiver.token, receiver.ntfy.split('/').at(-1)]
      : [receiver.username, receiver.password, receiver.from, ...receiver.to],
  );
  const credentials = brokers.flatMap(({ username, password }) => [username, password]);
  const secrets = [privateKey, initialPassword, ...credentials, ...options, ...receivers];
  return {
    secrets: [...secrets.flatMap((secret) => secret ?? []), ...servers.filter((host) => !isPlainHost(host))],
    identifiers: [
      { kind: 'device', value: uid },
      ...[...serialNumbers].map((value) => ({ kind: 'serial' as const, value })),
      ...connections.flatMap(({ address }) =>
        address.transport === 'solarman' ? [{ kind: 'serial' as const, value: String(address.logger) }] : [],
      ),
      ...connections.flatMap(({ address }) =>
        'path' in address && address.path.includes('/by-')
          ? [{ kind: 'port' as const, value: address.path }]
          : [],
      ),
      ...hosts.filter((host) => !isPlainHost(host)).map((value) => ({ kind: 'host' as const, value })),
      ...macAddresses().map((value) => ({ kind: 'mac' as const, value })),
    ],
  };
}

/** Serial numbers and the like in a snapshot. */
export function identities({ samples }: Snapshot): string[] {
  return [...samples.values()]
    .filter(({ definition: { group, name, device } }) => {
      return group === 'Info' && device !== 'system' && IDENTIFYING_INFO.test(name);
    })
    .flatMap(({ value }) => (value === null ? [] : [String(value)]));
}

/** Those of this machine, in each way of writing them. */
function macAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ mac }) => mac));
  return [...new Set(addresses)]
    .filter((mac) => mac !== '00:00:00:00:00:00')
    .flatMap((mac) => [mac, mac.replaceAll(':', '-'), mac.replaceAll(':', '')]);
}
