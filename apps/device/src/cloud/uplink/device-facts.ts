import { readFileSync } from 'node:fs';
import type { DeviceFacts } from '@heliograph/contracts';
import { projectVersion } from '@heliograph/kit';
import { lanAddress } from '../../common/lan-address.ts';
import { SOFTWARE_VERSION } from '../../common/software-version.ts';
import type { Unit } from '../../drivers/driver.ts';

/** The file with the board's name on Linux, which ends with a NUL. */
const BOARD_MODEL = '/proc/device-tree/model';

/** Longest text that the cloud takes for a board or a model, in characters. */
const MAX_MODEL_LENGTH = 128;

/** Longest text that the cloud takes for a parameter, in characters. */
const MAX_PARAM_LENGTH = 64;

/** The port that need not be written in an address. */
const HTTP_PORT = 80;

/** A unit, and the driver family that reads it. */
export interface UnitOfFamily extends Unit {
  readonly family: string;
}

export interface FactsSource {
  readonly units: readonly UnitOfFamily[];
  /** When each connection to hardware that does not answer failed first, in milliseconds since the epoch. */
  readonly silentSince: readonly number[];
  /** Whether the device takes beta releases. */
  readonly beta: boolean;
  /** The address on which the API listens. */
  readonly host: string;
  readonly port: number;
}

/** The facts that the device reports to the cloud, for the list of sites. */
export function deviceFacts({ units, silentSince, beta, host, port }: FactsSource): DeviceFacts {
  const inverters = units.filter(({ kind }) => kind === 'inverters');
  const batteries = units.filter(({ kind }) => kind === 'batteries');
  const address = lanAddress(host);
  return {
    arch: process.arch,
    board: boardModel(),
    version: projectVersion(),
    build_date: `${SOFTWARE_VERSION}T00:00:00Z`,
    beta,
    local_ip: address === null || port === HTTP_PORT ? address : `${address}:${port}`,
    inverter: models(inverters),
    inverter_count: inverters.length,
    inverter_params: {
      ...families(inverters),
      ...counted(inverters, { phases: 'Grid voltage', pv_inputs: 'PV voltage' }),
    },
    battery: models(batteries),
    battery_count: batteries.length,
    battery_params: { ...families(batteries), ...counted(batteries, { cells: 'Cell voltage' }) },
    hardware_silent_since: silentSince.length === 0 ? null : new Date(Math.min(...silentSince)).toISOString(),
  };
}

/**
 * How many quantities of a name the unit with most of them has, numbered (`Grid voltage 1` to `3`) or a single one.
 * A key is left out where no unit has such a quantity.
 *
 * @param names of quantities by key
 */
function counted(units: readonly Unit[], names: Readonly<Record<string, string>>): Record<string, number> {
  const counts = Object.entries(names).map(([key, name]) => {
    const pattern = new RegExp(`^${name}(?: \\d+)?$`);
    const ofUnits = units.map(({ quantities }) => {
      const found = new Set(quantities.map((quantity) => quantity.name).filter((each) => pattern.test(each)));
      // A plain one beside numbered ones is their total.
      return found.size > 1 && found.has(name) ? found.size - 1 : found.size;
    });
    return [key, Math.max(0, ...ofUnits)] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Each family once, by which the search finds a site whose model it does not know. */
function families(units: readonly UnitOfFamily[]): { readonly family?: string } {
  const names = new Set(units.map(({ family }) => family));
  return names.size === 0 ? {} : { family: [...names].join(', ').slice(0, MAX_PARAM_LENGTH) };
}

/** Each model once; null when no unit reports one. */
function models(units: readonly Unit[]): string | null {
  const names = new Set(units.flatMap(({ model }) => model ?? []));
  return names.size === 0 ? null : [...names].join(', ').slice(0, MAX_MODEL_LENGTH);
}

/** @returns null where the system has no such file, or nothing in it */
export function boardModel(file = BOARD_MODEL): string | null {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', '').trim().slice(0, MAX_MODEL_LENGTH) || null;
  } catch {
    return null;
  }
}
