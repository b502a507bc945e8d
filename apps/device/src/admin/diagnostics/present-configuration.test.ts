import { expect, it } from 'vitest';
import { parseBusAddress } from '../../bus/address.ts';
import type { DeviceConfig } from '../../config/config.ts';
import { presentConfiguration } from './present-configuration.ts';
import { Pseudonyms } from './pseudonyms.ts';

const NEW = { something_new: 'of a later version' };

/** A configuration as a later version might have it: with a field more at each level. */
const LATER = {
  ...NEW,
  dataFolder: '/data',
  configFile: '/data/device.yaml',
  configText: 'something_new: of a later version',
  host: '0.0.0.0',
  port: 4002,
  initialPassword: 'of a later version',
  cloudUrl: 'https://cloud.example',
  pollIntervalMs: 2_000,
  timeZone: 'Europe/Berlin',
  energyPeriod: 'weekly',
  connections: [
    {
      ...NEW,
      driver: 'jk',
      address: { ...parseBusAddress('modbus-tcp://192.168.1.20:502'), ...NEW },
      unit: 1,
      role: undefined,
      options: { protocol: 'pb', ...NEW },
      url: 'modbus-tcp://192.168.1.20:502',
    },
  ],
  settingWrites: { perDay: 100, ...NEW },
  history: { maxSizeMb: 500, ...NEW },
  notifications: [
    {
      ...NEW,
      ntfy: 'https://ntfy.sh/of a later version',
      token: undefined,
      severity: 'warning',
      language: 'en',
    },
  ],
  alertRules: [
    {
      ...NEW,
      id: 'battery_low',
      name: null,
      enabled: true,
      severity: 'warning',
      condition: { kind: 'below', topics: ['battery_*/of a later version'], for_s: 0 },
    },
  ],
  mqtt: {
    ...NEW,
    url: 'mqtt://192.168.1.5',
    allowWrites: false,
    homeAssistant: true,
    topicPrefix: 'of a later version',
    discoveryPrefix: 'homeassistant',
  },
  mdns: true,
  channel: 'stable',
  automaticUpdates: undefined,
  region: undefined,
  metricsFrom: [],
  openTelemetry: undefined,
  fileFault: null,
} satisfies DeviceConfig & typeof NEW;

it('a field that a later version adds to the configuration does not appear in a bundle by itself', () => {
  const presented = JSON.stringify(presentConfiguration(LATER, new Pseudonyms()));
  expect(presented).not.toMatch(/something_new|of a later version/);
  expect(JSON.parse(presented)).toMatchObject({
    poll_interval_s: 2,
    connections: [{ driver: 'jk', bus: { host: '192.168.1.20' }, unit: 1, options: { protocol: 'pb' } }],
    history: { max_size_mb: 500 },
    mqtt: { scheme: 'mqtt', port: null, has_password: false },
  });
});
