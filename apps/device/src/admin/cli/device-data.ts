import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Env } from '@heliograph/kit';
import { UsageError } from '@heliograph/kit/terminal';
import { configFileOf } from '../../config/config.ts';
import { DATABASE_FILE } from '../../storage/database.ts';
import { CommandFailed, type World } from './command.ts';

/** Options of commands that work on the data of the device on this computer. */
export const DATA_OPTIONS = {
  data: { type: 'string' },
  config: { type: 'string' },
  url: { type: 'string' },
} as const;

export const DATA_HELP = `  --data FOLDER  the data of the device (default: DEVICE_DATA)
  --config FILE  its configuration (default: DEVICE_CONFIG, or device.yaml in that folder)
  --url URL      the running device (default: http://127.0.0.1:4002, or the port DEVICE_PORT)`;

export const FILE_HELP =
  '  FILE           (default: DEVICE_CONFIG, or device.yaml in the folder DEVICE_DATA)';

/** The device on this computer, running or not. */
export interface LocalDevice {
  readonly dataFolder: string;
  readonly configFile: string;
  readonly url: string;
  readonly hasStore: boolean;
}

interface DataOptions {
  readonly data?: string | undefined;
  readonly config?: string | undefined;
  readonly url?: string | undefined;
}

/** @throws ConfigError; CommandFailed where the data may not be read */
export function localDevice(options: DataOptions, world: World): LocalDevice {
  const env = new Env(world.env);
  const dataFolder = options.data ?? env.string('DEVICE_DATA');
  return {
    dataFolder,
    configFile: options.config ?? configFileFor(dataFolder, env),
    url: options.url ?? deviceUrl(env),
    hasStore: statOf(join(dataFolder, DATABASE_FILE)) !== undefined,
  };
}

/** `DEVICE_CONFIG` belongs to `DEVICE_DATA`: another folder is another device. */
function configFileFor(dataFolder: string, env: Env): string {
  const usual = env.optional('DEVICE_DATA');
  const isOther = usual !== undefined && resolve(usual) !== resolve(dataFolder);
  return configFileOf(isOther ? new Env({}) : env, dataFolder);
}

/**
 * The configuration file that a command is about: the one that was typed, or that of the device on this computer.
 *
 * @throws UsageError where there is neither
 */
export function chosenConfigFile(typed: string | undefined, world: World): string {
  const env = new Env(world.env);
  const [file, folder] = [typed ?? env.optional('DEVICE_CONFIG'), env.optional('DEVICE_DATA')];
  if (file !== undefined) return file;
  if (folder !== undefined) return configFileOf(env, folder);
  throw new UsageError('<file> is missing, and neither DEVICE_CONFIG nor DEVICE_DATA names one');
}

/** Address of the device on this computer. @throws ConfigError */
export function deviceUrl(env: Env): string {
  const host = env.string('DEVICE_HOST', '0.0.0.0');
  const isEvery = host === '0.0.0.0' || host === '::';
  const shown = isEvery ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${env.port('DEVICE_PORT', 4002)}`;
}

/** @returns undefined where there is no such file @throws CommandFailed where it may not be seen */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    throw isDenied ? new CommandFailed(`${path} may not be read: run this command as root`) : error;
  }
}

/** From the variable, or typed. @throws CommandFailed without one */
export async function secretOf(world: World, variable: string, question: string): Promise<string> {
  const secret = world.env[variable] ?? (await world.readSecret(question));
  if (secret === undefined || secret === '')
    throw new CommandFailed(`${question.replace(/:? *$/, '')} is missing`);
  return secret;
}

/** The password of the device, as `admin` in HTTP Basic. */
export function passwordHeader(password: string): string {
  return `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
}

/** @throws CommandFailed with the reason that the device gives, or that it does not answer */
export async function callDevice(url: string, path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url + path, { ...init, redirect: 'error' }).catch(() => {
    throw new CommandFailed(
      `The device on this computer is running, but does not answer at ${url}: type its address with --url, or stop it`,
    );
  });
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => ({}));
  throw new CommandFailed(reasonIn(body) ?? `The device answers ${answer.status}`);
}

function reasonIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('error' in body && typeof body.error === 'string') return body.error;
  if (!('errors' in body) || typeof body.errors !== 'object' || body.errors === null) return undefined;
  // A message that begins in lower case goes on after the name of its field.
  return Object.entries(body.errors)
    .flatMap(([field, messages]) =>
      Array.isArray(messages)
        ? messages.map((each) => (/^\p{Lu}/u.test(each) ? each : `The ${field} ${each}`))
        : [],
    )
    .join('\n');
}
