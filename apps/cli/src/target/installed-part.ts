import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironmentFile } from '@heliograph/kit';
import { CommandFailed } from '../terminal/failures.ts';
import { CHECKOUT, programAt } from './run-file.ts';

export type PartName = 'device' | 'cloud';

type Environment = Readonly<Record<string, string | undefined>>;

/** Part of the system that has a command-line program of its own, installed beside this command or by another package. */
export interface InstalledPart {
  /** Of Node. */
  readonly node: string;
  readonly main: string;
  /** Variables of the program: those of this process come before those of the service. */
  readonly env: Environment;
}

interface PartFacts {
  /** Path of the program below the root of the part, without its ending. */
  readonly program: string;
  /** Roots that Debian packages and release archives have. */
  readonly roots: readonly string[];
  /** The variables that systemd units of the part set; a test compares them. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The `EnvironmentFile=` of those units. */
  readonly environmentFile: string;
}

export const PARTS: Readonly<Record<PartName, PartFacts>> = {
  device: {
    program: 'apps/device/src/admin/cli/main',
    roots: ['/usr/lib/heliograph-device', '/opt/heliograph/current'],
    defaults: { DEVICE_DATA: '/var/lib/heliograph', DEVICE_CONFIG: '/etc/heliograph/device.yaml' },
    environmentFile: '/etc/default/heliograph-device',
  },
  cloud: {
    program: 'apps/cloud/src/operator/admin/main',
    roots: ['/usr/lib/heliograph-cloud'],
    defaults: {},
    environmentFile: '/etc/heliograph-cloud/cloud.env',
  },
};

/** The first password, which may have been changed since: a running device asks for the present one. */
const NOT_OF_COMMANDS = ['DEVICE_PASSWORD', 'DEVICE_PASSWORD_FILE'];

/** Releases of archives have folders of their own, which `current` leads to. */
const OF_PACKAGE = /^(?:\/usr\/lib\/heliograph-(?:device|cloud)|\/opt\/heliograph\/releases\/[^/]+)$/;

/**
 * Finds a part, the one beside this command first. A checkout and an image have no service whose variables count.
 *
 * @returns undefined where it is not installed
 * @throws CommandFailed where its environment file may not be read, ConfigError where that is not text
 */
export function findPart(name: PartName, env: Environment): InstalledPart | undefined {
  const { program, roots } = PARTS[name];
  const own = programAt(program);
  if (existsSync(own)) {
    const isService = OF_PACKAGE.test(CHECKOUT);
    const variables = isService ? serviceEnvironment(name, env) : env;
    return { node: process.execPath, main: own, env: withCache(variables, CHECKOUT) };
  }
  const root = roots.find((folder) => existsSync(join(folder, `${program}.js`)));
  if (root === undefined) return undefined;
  return {
    node: join(root, 'bin/node'),
    main: join(root, `${program}.js`),
    env: withCache(serviceEnvironment(name, env), root),
  };
}

/** Compiled code that Node keeps: the next command starts in half the time. */
function withCache(env: Environment, root: string): Environment {
  return { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'), ...env };
}

/**
 * The variables of a service, for a command on the same data.
 *
 * @param systemRoot the machine's root folder
 */
export function serviceEnvironment(name: PartName, env: Environment, systemRoot = '/'): Environment {
  const { defaults, environmentFile } = PARTS[name];
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  // Another database is another cloud.
  if (name === 'cloud' && (given.DATABASE_URL ?? given.DATABASE_URL_FILE) !== undefined) return env;
  const service: Record<string, string> = {
    ...defaults,
    ...variablesIn(join(systemRoot, environmentFile), name),
  };
  for (const variable of NOT_OF_COMMANDS) delete service[variable];
  // Another data folder is another device, with a configuration of its own.
  const isOther = given.DEVICE_DATA !== undefined && given.DEVICE_DATA !== service.DEVICE_DATA;
  if (isOther) delete service.DEVICE_CONFIG;
  return { ...service, ...given };
}

function variablesIn(file: string, name: PartName): Readonly<Record<string, string>> {
  try {
    return readEnvironmentFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return {};
    if (code !== 'EACCES') throw error;
    // Commands that read what a device keeps from other users report that themselves.
    if (name === 'device') return {};
    throw new CommandFailed(`${file} may not be read: run this command as root`);
  }
}
