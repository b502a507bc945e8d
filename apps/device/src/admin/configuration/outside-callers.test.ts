import { DeviceConfigurationChange } from '@heliograph/contracts';
import { Forbidden, ValidationError } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { requireHousehold } from './require-household.ts';
import { requireReachable } from './require-reachable.ts';

const NOW = {
  mqtt: { url: 'mqtt://broker.example.org', allow_writes: true },
  connections: [
    { driver: 'own-map', bus: 'modbus-tcp://192.168.1.9', options: { allow_writes: true } },
    { driver: 'own-map', bus: 'modbus-tcp://192.168.1.10' },
  ],
};
const SCOPE = {
  hasPort: () => false,
  hasHost: (host: string) => host === '192.168.1.20' || host === 'fd00::20',
};

/** Fields that name an address or a file, which a caller from outside may not choose freely. */
const ADDRESSES = ['connections[].bus', 'mqtt.ca_file', 'mqtt.url'];
/** Texts that name nothing that is opened. */
const PLAIN_TEXTS = [
  'connections[].driver',
  'connections[].options.*',
  'connections[].role',
  'energy_period',
  'mqtt.discovery_prefix',
  'mqtt.password',
  'mqtt.topic_prefix',
  'mqtt.username',
  'region',
  'time_zone',
];

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Paths of all fields whose value may be a text. */
function textsIn(schema: Schema, path = ''): string[] {
  const below = [
    ...Object.entries(schema.properties ?? {}).map(
      ([name, field]) => [`${path && `${path}.`}${name}`, field] as const,
    ),
    ...Object.values(schema.patternProperties ?? {}).map((field) => [`${path}.*`, field] as const),
    ...(schema.items === undefined ? [] : [[`${path}[]`, schema.items] as const]),
    ...(schema.anyOf ?? []).map((field) => [path, field] as const),
  ];
  const isAnything = schema.type === undefined && schema.enum === undefined && below.length === 0;
  const isText =
    schema.type === 'string' || schema.enum?.some((one) => typeof one === 'string') || isAnything;
  return [...(isText ? [path] : []), ...below.flatMap(([name, field]) => textsIn(field, name))];
}

it('each text of a configuration is known to be an address or not', () => {
  // The types of TypeBox name no keywords of JSON Schema.
  const found = new Set(textsIn(DeviceConfigurationChange as unknown as Schema));
  expect([...found].toSorted()).toEqual([...ADDRESSES, ...PLAIN_TEXTS].toSorted());
});

describe('the address of the broker from outside the home', () => {
  it.each([
    'mqtt://192.168.1.20',
    'mqtt://192.168.1.20:1883',
    'mqtts://192.168.1.20',
    'mqtt://[fd00::20]:1883',
    'ws://192.168.1.20:9001/mqtt',
    'wss://192.168.1.20:8884',
    // It stands in the file already.
    'mqtt://broker.example.org',
  ])('the broker may be %s', (url) => {
    expect(() => requireReachable(NOW, { mqtt: { url } }, SCOPE)).not.toThrow();
  });

  it.each([
    'ws://127.0.0.1:36145/admin/delete?x=1',
    'ws://192.168.1.20:9001/admin/delete',
    'ws://192.168.1.20:9001/mqtt?relay=on',
    'ws://192.168.1.20/mqtt',
    'mqtt://192.168.1.20:22',
    'mqtt://192.168.1.21',
    'mqtt://127.0.0.1',
    'mqtt://localhost',
    'mqtt://broker.attacker.example:1883',
    'mqtt://[::ffff:192.168.1.20]',
    'mqtt://broker.example.org:22',
  ])('the broker may not be %s', (url) => {
    expect(() => requireReachable(NOW, { mqtt: { url } }, SCOPE)).toThrow(ValidationError);
  });
});

describe('a support session', () => {
  it.each<DeviceConfigurationChange>([
    { poll_interval_s: 5, time_zone: 'Europe/Berlin', energy_period: 'daily', mdns: true },
    { history: { max_size_mb: 500 } },
    // As the cards of the page send them.
    { poll_interval_s: 5, setting_writes_per_day: 100 },
    { mdns: false, region: null },
    { connections: [{ driver: 'deye', bus: 'modbus-tcp://192.168.1.11', options: {} }] },
    { connections: [...NOW.connections] as never },
    { connections: [{ driver: 'own-map', bus: 'modbus-tcp://192.168.1.10' }] },
    { connections: [{ ...NOW.connections[0], options: { allow_writes: true } } as never] },
    { connections: [{ ...NOW.connections[0], options: { allow_writes: false } } as never] },
  ])('repairs with %j', (change) => {
    expect(() => requireHousehold(NOW, change)).not.toThrow();
  });

  it.each<[DeviceConfigurationChange, string]>([
    [{ mqtt: { url: 'mqtt://192.168.1.20' } }, 'mqtt'],
    [{ mqtt: { allow_writes: false } }, 'mqtt'],
    [{ mqtt: null }, 'mqtt'],
    [{ setting_writes_per_day: 1000 }, 'setting_writes_per_day'],
    [{ region: 'eu' }, 'region'],
    [{ history: { max_size_mb: 10 } }, 'history'],
    [
      // The options of the connection that was in its place would stay.
      { connections: [{ driver: 'own-map', bus: 'modbus-tcp://192.168.1.77' }] },
      'connections.0.options.allow_writes',
    ],
    [
      { connections: [{ ...NOW.connections[0], unit: 5, options: { allow_writes: true } } as never] },
      'connections.0.options.allow_writes',
    ],
    [
      {
        connections: [
          { driver: 'own-map', bus: 'modbus-tcp://192.168.1.10', options: { allow_writes: true } },
        ],
      },
      'connections.0.options.allow_writes',
    ],
    [
      {
        poll_interval_s: 5,
        connections: [{ driver: 'other', bus: 'modbus-tcp://192.168.1.9', options: { allow_writes: true } }],
      },
      'connections.0.options.allow_writes',
    ],
  ])('%j outlives it and is refused', (change, field) => {
    const refusal = new Forbidden(`A support session does not change ${field}: only the household does`);
    expect(() => requireHousehold(NOW, change)).toThrow(refusal);
  });
});
