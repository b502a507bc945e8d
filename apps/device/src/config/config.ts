import { ConfigError, type Env } from '@heliograph/kit';
import { ENERGY_PERIODS, type EnergyPeriod } from '../energy/period.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { parseConnections } from './connection-url.ts';

/** Everything a device is told from outside. */
export interface DeviceConfig {
  /** The folder that keeps what must survive a restart. */
  readonly dataFolder: string;
  /** Where the local API listens; port 0 lets the system pick one. */
  readonly host: string;
  readonly port: number;
  /** Becomes the device's password when it has none yet. */
  readonly initialPassword: string | undefined;
  /** IANA name, such as `Europe/Berlin`: where a day begins for the energy totals. */
  readonly timeZone: string;
  readonly energyPeriod: EnergyPeriod;
  /** In the order in which inverters and batteries are numbered. */
  readonly connections: readonly ConnectionConfig[];
  readonly pollIntervalMs: number;
  /** Without a cloud the device serves the local network alone. */
  readonly cloudUrl: string | undefined;
}

/** A bus needs time to answer; an hour between two readings is the other end of sense, in milliseconds. */
const POLL_INTERVAL_MS = { fallback: 2_000, min: 50, max: 60 * 60 * 1000 };

/** @throws ConfigError naming the variable that cannot be used */
export function configFromEnv(env: Env): DeviceConfig {
  return {
    dataFolder: env.string('DEVICE_DATA'),
    host: env.string('DEVICE_HOST', '0.0.0.0'),
    port: env.port('DEVICE_PORT', 4002),
    initialPassword: env.optional('DEVICE_PASSWORD'),
    timeZone: timeZone(env, 'DEVICE_TIME_ZONE'),
    energyPeriod: env.oneOf('DEVICE_ENERGY_PERIOD', ENERGY_PERIODS, 'weekly'),
    connections: parseConnections(env.optional('DEVICE_CONNECTIONS'), 'DEVICE_CONNECTIONS'),
    pollIntervalMs: env.integer('DEVICE_POLL_INTERVAL_MS', POLL_INTERVAL_MS),
    cloudUrl: env.optional('CLOUD_URL') === undefined ? undefined : env.url('CLOUD_URL'),
  };
}

function timeZone(env: Env, name: string): string {
  const text = env.optional(name);
  try {
    return new Intl.DateTimeFormat('en', text === undefined ? {} : { timeZone: text }).resolvedOptions()
      .timeZone;
  } catch {
    throw new ConfigError(`${name} must be a time zone such as Europe/Berlin, not "${text}"`);
  }
}
