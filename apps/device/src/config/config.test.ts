import { ConfigError, Env } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { configFromEnv } from './config.ts';

const config = (values: Record<string, string> = {}) =>
  configFromEnv(new Env({ DEVICE_DATA: '/data', ...values }));

const refusal = (values: Record<string, string>): string => {
  try {
    config(values);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('the configuration of a device', () => {
  it('needs a data folder and has a default for the rest', () => {
    expect(config({ TZ: 'ignored' })).toEqual({
      dataFolder: '/data',
      host: '0.0.0.0',
      port: 4002,
      initialPassword: undefined,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      energyPeriod: 'weekly',
      connections: [],
      pollIntervalMs: 2000,
      cloudUrl: undefined,
    });
    expect(() => configFromEnv(new Env({}))).toThrow(new ConfigError('DEVICE_DATA is not set'));
  });

  it('reads every variable', () => {
    expect(
      config({
        DEVICE_HOST: '127.0.0.1',
        DEVICE_PORT: '0',
        DEVICE_PASSWORD: 'secret',
        DEVICE_TIME_ZONE: 'Australia/Lord_Howe',
        DEVICE_ENERGY_PERIOD: 'daily',
        DEVICE_CONNECTIONS: 'sunspec+tcp://10.0.0.2:1502?unit=3, sunspec+tcp://inverter.local',
        DEVICE_POLL_INTERVAL_MS: '250',
        CLOUD_URL: 'https://cloud.example/',
      }),
    ).toEqual({
      dataFolder: '/data',
      host: '127.0.0.1',
      port: 0,
      initialPassword: 'secret',
      timeZone: 'Australia/Lord_Howe',
      energyPeriod: 'daily',
      connections: [
        {
          driver: 'sunspec',
          address: { transport: 'modbus-tcp', host: '10.0.0.2', port: 1502 },
          unit: 3,
          options: {},
          url: 'sunspec+tcp://10.0.0.2:1502?unit=3',
        },
        {
          driver: 'sunspec',
          address: { transport: 'modbus-tcp', host: 'inverter.local', port: 502 },
          unit: 1,
          options: {},
          url: 'sunspec+tcp://inverter.local:502?unit=1',
        },
      ],
      pollIntervalMs: 250,
      cloudUrl: 'https://cloud.example',
    });
  });

  it('takes an IPv6 host without its brackets', () => {
    const [connection] = config({ DEVICE_CONNECTIONS: 'sunspec+tcp://[fe80::1]:502' }).connections;
    expect(connection?.address).toMatchObject({ host: 'fe80::1' });
    expect(connection?.url).toBe('sunspec+tcp://[fe80::1]:502?unit=1');
  });

  it.each([
    ['DEVICE_TIME_ZONE', 'Berlin', /must be a time zone such as Europe\/Berlin, not "Berlin"/],
    ['DEVICE_ENERGY_PERIOD', 'yearly', /must be one of daily, weekly, monthly, not "yearly"/],
    ['DEVICE_POLL_INTERVAL_MS', '10', /from 50 to 3600000/],
    ['DEVICE_POLL_INTERVAL_MS', '1.5', /whole number/],
    ['DEVICE_PORT', '70000', /from 0 to 65535/],
    ['CLOUD_URL', 'ftp://cloud', /http or https URL/],
    ['DEVICE_CONNECTIONS', 'inverter', /"inverter" is not a connection/],
    ['DEVICE_CONNECTIONS', 'http://10.0.0.2', /does not start with <family>\+tcp:\/\//],
    ['DEVICE_CONNECTIONS', 'sunspec+udp://10.0.0.2', /does not start with/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://', /is not a connection|names no host/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2:0', /has port 0/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2:99999', /is not a connection/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://me:pw@10.0.0.2', /names a user/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2/bus', /has more after the port/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2#1', /has more after the port/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2?unit=256', /has a unit outside 0 to 255/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2?unit=-1', /has a unit outside/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2?unit=', /has a unit outside/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2?unit=1&unit=2', /names its unit twice/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2?slave=1', /has an unknown parameter "slave"/],
    ['DEVICE_CONNECTIONS', 'sunspec+tcp://10.0.0.2,', /"" is not a connection/],
    [
      'DEVICE_CONNECTIONS',
      'sunspec+tcp://10.0.0.2,sunspec+tcp://10.0.0.2:502?unit=1',
      /sunspec\+tcp:\/\/10\.0\.0\.2:502\?unit=1 is there twice/,
    ],
  ])('refuses %s=%s and says so', (name, value, message) => {
    expect(refusal({ [name]: value })).toMatch(message);
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}`));
  });
});
