import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, Env } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFamilies } from '../drivers/families/families.ts';
import { loadConfig } from './config.ts';
import type { Drivers } from './connections.ts';

let folder: string;
let drivers: Drivers;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'device-config-'));
  drivers = await loadFamilies();
});
afterAll(() => rmSync(folder, { recursive: true }));

const load = (values: Record<string, string> = {}) =>
  loadConfig(new Env({ DEVICE_DATA: folder, ...values }), drivers);

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('loadConfig', () => {
  it('the data folder is required, the rest has defaults', () => {
    expect(load({ TZ: 'ignored' })).toEqual({
      dataFolder: folder,
      configFile: join(folder, 'device.yaml'),
      host: '0.0.0.0',
      port: 4002,
      initialPassword: undefined,
      cloudUrl: undefined,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      energyPeriod: 'weekly',
      connections: [],
      pollIntervalMs: 2000,
      settingWrites: { perDay: 100 },
      history: { maxSizeMb: 500 },
      mqtt: undefined,
      mdns: true,
      channel: undefined,
      alertRules: [],
      notifications: [],
      automaticUpdates: undefined,
      region: undefined,
      metricsFrom: ['127.0.0.0/8', '::1'],
      openTelemetry: undefined,
      configText: undefined,
      fileFault: null,
    });
    expect(() => loadConfig(new Env({}), drivers)).toThrow(new ConfigError('DEVICE_DATA is not set'));
  });

  it('every variable is read, and the file that one of them names', () => {
    const configFile = file('elsewhere.yaml', 'poll_interval_s: 0.25\n');
    expect(
      load({
        DEVICE_HOST: '127.0.0.1',
        DEVICE_PORT: '0',
        DEVICE_PASSWORD: 'a password',
        DEVICE_CONFIG: configFile,
        CLOUD_URL: 'https://cloud.example/',
        DEVICE_METRICS_FROM: '192.168.1.0/24',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      }),
    ).toMatchObject({
      metricsFrom: ['192.168.1.0/24'],
      openTelemetry: { endpoint: 'http://collector:4318', serviceName: 'heliograph-device' },
      host: '127.0.0.1',
      port: 0,
      initialPassword: 'a password',
      configFile,
      pollIntervalMs: 250,
      cloudUrl: 'https://cloud.example',
    });
  });

  it.each([
    ['DEVICE_PORT', '70000', /from 0 to 65535/],
    ['DEVICE_PASSWORD', 'secret', /must have at least 8 characters/],
    ['CLOUD_URL', 'ftp://cloud', /http or https URL/],
  ])('%s=%s is refused with the reason', (name, value, message) => {
    expect(() => load({ [name]: value })).toThrow(message);
    expect(() => load({ [name]: value })).toThrow(new RegExp(`^${name}`));
  });

  it('a file is refused with all its problems, in lines that lead there', () => {
    const path = file('wrong.yaml', 'poll_interval_s: soon\nenergy_periods: daily\n');
    expect(() => load({ DEVICE_CONFIG: path })).toThrow(
      [
        `${path}:1:18: poll_interval_s: must be a number, not "soon"`,
        `${path}:2:1: energy_periods: there is no setting of this name; did you mean "energy_period"?`,
      ].join('\n'),
    );
  });

  it('a path that is no text, or no file, is refused', () => {
    const bytes = file('bytes.yaml', Uint8Array.of(0x61, 0xff, 0xfe));
    expect(() => load({ DEVICE_CONFIG: bytes })).toThrow(`${bytes} is not text in UTF-8`);
    const long = file('long.yaml', '#\n'.repeat(256 * 512 + 1));
    expect(() => load({ DEVICE_CONFIG: long })).toThrow(
      `${long} is not a configuration file: it has more than 256 KiB`,
    );
    expect(() => load({ DEVICE_CONFIG: folder })).toThrow(/cannot be read: .*EISDIR/);
  });
});
