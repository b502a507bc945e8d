import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '@heliograph/kit';
import { configFileOf } from '../config/config.ts';
import { DATABASE_FILE } from '../storage/database.ts';
import { CommandFailed, type World } from './command.ts';

/** Options of commands that work on the data of the device on this computer. */
export const DATA_OPTIONS = { data: { type: 'string' }, url: { type: 'string' } } as const;

export const DATA_HELP = `  --data FOLDER  the data of the device (default: DEVICE_DATA)
  --url URL      the running device (default: http://127.0.0.1:4002, or the port DEVICE_PORT)`;

/** The device on this computer, running or not. */
export interface LocalDevice {
  readonly dataFolder: string;
  readonly configFile: string;
  readonly url: string;
  readonly hasStore: boolean;
}

/** @throws ConfigError */
export function localDevice(
  options: { readonly data?: string | undefined; readonly url?: string | undefined },
  world: World,
): LocalDevice {
  const env = new Env(world.env);
  const dataFolder = options.data ?? env.string('DEVICE_DATA');
  return {
    dataFolder,
    configFile: configFileOf(env, dataFolder),
    url: options.url ?? `http://127.0.0.1:${env.port('DEVICE_PORT', 4002)}`,
    hasStore: existsSync(join(dataFolder, DATABASE_FILE)),
  };
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
