import { CommandFailed } from '../terminal/failures.ts';
import type { RunFile } from './run-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The cloud, and the account's credentials. */
export interface CloudSettings {
  readonly url: string;
  readonly token: string;
}

/**
 * HELIOGRAPH_URL and HELIOGRAPH_TOKEN; what is not set comes from the running `npm start`. Its token is given
 * to its own cloud alone, never to another URL.
 *
 * @throws CommandFailed telling what to set
 */
export function cloudSettings(env: Environment, run: RunFile | null): CloudSettings {
  const url = withoutSlash(env.HELIOGRAPH_URL || run?.cloud.url);
  if (url === undefined) {
    throw new CommandFailed(
      'No cloud is known: start one with "heliograph start", or set HELIOGRAPH_URL and HELIOGRAPH_TOKEN',
    );
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandFailed(`HELIOGRAPH_URL must be an http or https URL, not "${url}"`);
  }
  const ownToken = url === withoutSlash(run?.cloud.url) ? run?.account.api_token : undefined;
  const token = env.HELIOGRAPH_TOKEN || ownToken;
  if (token === undefined) throw new CommandFailed(`HELIOGRAPH_TOKEN is not set; ${url} needs a token`);
  return { url, token };
}

/** A device on the local network. */
export interface LanSettings {
  readonly address: string;
  readonly password: string;
}

/**
 * @param device host, host:port or URL
 * @param password option; else HELIOGRAPH_PASSWORD, else that of the running `npm start` for its own device
 * @throws CommandFailed when there is no password
 */
export function lanSettings(
  device: string,
  password: string | undefined,
  env: Environment,
  run: RunFile | null,
): LanSettings {
  const address = hostOf(device);
  const ownPassword = run !== null && hostOf(run.device.url) === address ? run.device.password : undefined;
  const known = password ?? (env.HELIOGRAPH_PASSWORD || ownPassword);
  if (known === undefined) {
    throw new CommandFailed(`The device at ${address} needs --password or HELIOGRAPH_PASSWORD`);
  }
  return { address, password: known };
}

/** The scheme of the running `npm start`'s own proxy, which may serve plain HTTP under any address. */
export function proxySchemeOf(run: RunFile | null): (host: string) => 'http' | 'https' | undefined {
  return (host) => {
    if (run === null || host !== run.proxy.host) return undefined;
    return run.proxy.url.startsWith('http:') ? 'http' : 'https';
  };
}

function hostOf(device: string): string {
  const url = device.includes('://') ? device : `http://${device}`;
  if (!URL.canParse(url) || new URL(url).host === '')
    throw new CommandFailed(`"${device}" is not a host or host:port`);
  return new URL(url).host;
}

function withoutSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '');
}
