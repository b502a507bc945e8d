import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefusal } from '../machine/start-refusal.ts';
import { writePrivateFile } from './private-file.ts';

/** Passwords and keys of one system; generated on the first start, the same ever after. */
export interface Secrets {
  readonly accountPassword: string;
  readonly apiToken: string;
  readonly devicePassword: string;
  readonly cloudSecret: string;
  /** The credentials of all proxies are derived from it. */
  readonly proxySecret: string;
  readonly databasePassword: string;
}

/** Letters and digits that are not mistaken for one another. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

function readablePassword(): string {
  const group = (): string => Array.from({ length: 4 }, () => READABLE[randomInt(READABLE.length)]).join('');
  return [group(), group(), group()].join('-');
}

const secret = (): string => randomBytes(32).toString('base64url');

const GENERATORS: { readonly [Name in keyof Secrets]: () => string } = {
  accountPassword: readablePassword,
  apiToken: () => `hga_${secret()}`,
  devicePassword: readablePassword,
  cloudSecret: secret,
  proxySecret: secret,
  databasePassword: secret,
};

/** A proxy of the system and the credential it authenticates with. */
export interface ProxyIdentity {
  readonly name: string;
  readonly credential: string;
}

/** @param index 0 for the first, `local-1` */
export function proxyIdentity({ proxySecret }: Secrets, index: number): ProxyIdentity {
  const name = `local-${index + 1}`;
  return { name, credential: `hgp_${createHmac('sha256', proxySecret).update(name).digest('base64url')}` };
}

/**
 * Reads `secrets.json` of a data folder, adding what is missing.
 *
 * @throws StartRefusal when the file is there but holds no secrets: new ones would not fit the data
 */
export async function ensureSecrets(dataFolder: string): Promise<Secrets> {
  const path = join(dataFolder, 'secrets.json');
  const stored = await readStored(path);
  const value = (name: keyof Secrets): string => stored[name] ?? GENERATORS[name]();
  const secrets: Secrets = {
    accountPassword: value('accountPassword'),
    apiToken: value('apiToken'),
    devicePassword: value('devicePassword'),
    cloudSecret: value('cloudSecret'),
    proxySecret: value('proxySecret'),
    databasePassword: value('databasePassword'),
  };
  if (Object.keys(secrets).some((name) => stored[name] === undefined)) {
    await writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
}

async function readStored(path: string): Promise<Record<string, string | undefined>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored === 'object' && stored !== null) {
      return Object.fromEntries(Object.entries(stored).filter((entry) => typeof entry[1] === 'string'));
    }
  } catch {
    // Reported below.
  }
  throw new StartRefusal(
    `${path} cannot be read as JSON: restore it, or delete the data folder for a fresh start`,
  );
}
