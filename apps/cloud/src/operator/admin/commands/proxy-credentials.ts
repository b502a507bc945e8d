import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { OPERATOR } from '../../../access/caller.ts';
import {
  addProxyCredential,
  listProxyCredentials,
  type NewProxyCredential,
  type ProxyCredentialRecord,
  revokeProxyCredentials,
  rotateProxyCredential,
} from '../../../devices/proxies/credentials.ts';
import type { Platform } from '../../../platform.ts';
import { optionalId } from '../arguments.ts';
import { type AdminCommand, CommandFailed, type CommandResult } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';

const add = creating('add', 'make the credential of a new proxy, which is printed this once', {
  help: `NAME is the proxy's PROXY_NAME, and the credential its PROXY_CREDENTIAL. The proxy may announce itself by that name
and by no other.`,
  create: (platform, name) => addProxyCredential(platform, OPERATOR, name),
});

const rotate = creating('rotate', 'make another credential of a proxy, which is printed this once', {
  help: `Both are valid until the older one is revoked: give the proxy the new one, restart it, see in "proxies credentials"
that it is used, then "proxies revoke NAME --credential ID" the older one. A proxy has two credentials at most.`,
  create: (platform, name) => rotateProxyCredential(platform, OPERATOR, name),
});

const list: AdminCommand = {
  name: 'proxies credentials',
  usage: '[NAME]',
  summary: 'list the credentials of proxies, and when and from where each was last used',
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    const [name] = positionals;
    if (name !== undefined) expectArguments(positionals, ['name']);
    const { db } = await context.openPlatform();
    return listing(
      (await listProxyCredentials(db, name)).map(presentProxyCredential),
      COLUMNS,
      'credentials',
    );
  },
};

const revoke: AdminCommand = {
  name: 'proxies revoke',
  usage: 'NAME [--credential ID]',
  summary: 'revoke one credential of a proxy, or all',
  help: `  --credential ID  only this one

What the proxy asks with it is refused from now on. Without any credential no device and no client is sent to the proxy
within a second, and those that it holds count as offline until they have dialled another one.`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { credential: { type: 'string' } });
    expectArguments(positionals, ['name']);
    const [name = ''] = positionals;
    const id = optionalId('--credential', values.credential);
    const platform = await context.openPlatform();
    const revoked = await orNoCredential(
      name,
      revokeProxyCredentials(platform, OPERATOR, name, id ?? undefined),
    );
    return record({ name, revoked }, { name, revoked: revoked.join(' ') });
  },
};

function creating(
  verb: string,
  summary: string,
  {
    help,
    create,
  }: { help: string; create: (platform: Platform, name: string) => Promise<NewProxyCredential> },
): AdminCommand {
  return {
    name: `proxies ${verb}`,
    usage: 'NAME',
    summary,
    help,
    async run(args, context): Promise<CommandResult> {
      const { positionals } = parseArguments(args, {});
      expectArguments(positionals, ['name']);
      const [name = ''] = positionals;
      const { id, credential } = await orNoCredential(name, create(await context.openPlatform(), name));
      return record({ id, name, credential }, { id, name, credential });
    },
  };
}

function orNoCredential<T>(name: string, job: Promise<T>): Promise<T> {
  return job.catch((error: unknown) => {
    throw error instanceof NotFound
      ? new CommandFailed(`The proxy ${printable(name)} has no such credential`)
      : error;
  });
}

export type PresentedProxyCredential = ReturnType<typeof presentProxyCredential>;

export function presentProxyCredential(credential: ProxyCredentialRecord) {
  return {
    id: credential.id,
    name: credential.proxyName,
    created_at: credential.createdAt.toISOString(),
    last_used_at: credential.lastUsedAt?.toISOString() ?? null,
    last_used_from: credential.lastUsedFrom,
  };
}

const COLUMNS: Columns<PresentedProxyCredential> = [
  ['ID', ({ id }) => id, 'right'],
  ['PROXY', ({ name }) => name],
  ['CREATED', (credential) => minuteOf(credential.created_at)],
  ['USED', (credential) => minuteOf(credential.last_used_at)],
  ['FROM', (credential) => credential.last_used_from],
];

export const proxyCredentialCommands: readonly AdminCommand[] = [add, rotate, list, revoke];
