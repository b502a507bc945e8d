import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { DeviceFacts } from '@heliograph/contracts';
import { SOFTWARE_VERSION } from '../common/software-version.ts';
import type { Unit } from '../drivers/driver.ts';

/** The file with the board's name on Linux, which ends with a NUL. */
const BOARD_MODEL = '/proc/device-tree/model';

/** Longest text that the cloud takes for a board or a model, in characters. */
const MAX_MODEL_LENGTH = 128;

/** The port that need not be written in an address. */
const HTTP_PORT = 80;

export interface FactsSource {
  readonly units: readonly Unit[];
  /** The address on which the API listens. */
  readonly host: string;
  readonly port: number;
}

/** The facts that the device reports to the cloud, for the list of sites. */
export function deviceFacts({ units, host, port }: FactsSource): DeviceFacts {
  const inverters = units.filter(({ kind }) => kind === 'inverters');
  const batteries = units.filter(({ kind }) => kind === 'batteries');
  const address = lanAddress(host);
  return {
    arch: process.arch,
    board: boardModel(),
    version: SOFTWARE_VERSION,
    build_date: `${SOFTWARE_VERSION}T00:00:00Z`,
    local_ip: address === null || port === HTTP_PORT ? address : `${address}:${port}`,
    inverter: models(inverters),
    inverter_count: inverters.length,
    battery: models(batteries),
    battery_count: batteries.length,
  };
}

/** Each model once; null when no unit reports one. */
function models(units: readonly Unit[]): string | null {
  const names = new Set(units.flatMap(({ model }) => model ?? []));
  return names.size === 0 ? null : [...names].join(', ').slice(0, MAX_MODEL_LENGTH);
}

/** The address at which other computers of the LAN reach this one: its first IPv4 address unless it listens on one alone. */
function lanAddress(host: string): string | null {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

function boardModel(): string | null {
  try {
    return readFileSync(BOARD_MODEL, 'utf8').replaceAll('\0', '').trim().slice(0, MAX_MODEL_LENGTH) || null;
  } catch {
    return null;
  }
}
