import { API_TOKEN_SCOPES, type ApiToken, type Scope } from '@heliograph/contracts';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller } from '../../../access/caller.ts';
import { createToken } from '../../../identity/tokens/create-token.ts';
import { listTokens, ownerOfApiToken, revokeOwnToken } from '../../../identity/tokens/own-tokens.ts';
import { endOf, idOf, onlyEmail, optionalId, required } from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import { accountOf } from './accounts.ts';

const create: AdminCommand = {
  name: 'tokens create',
  usage: 'EMAIL --name NAME --scopes SCOPES [--organization ID] [--expires DAYS]',
  summary: 'make an API token for an account, which is printed this once',
  help: `  --name NAME        what it is for
  --scopes SCOPES    all, or some of these with commas between:
                     ${API_TOKEN_SCOPES.join(' ')}
  --organization ID  the only organization that it is good for
  --expires DAYS     how long it is good (default for ever)`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      name: { type: 'string' },
      scopes: { type: 'string' },
      organization: { type: 'string' },
      expires: { type: 'string' },
    });
    const email = onlyEmail(positionals);
    const name = required('--name', values.name);
    const scopes = scopesOf(required('--scopes', values.scopes));
    const organizationId = optionalId('--organization', values.organization);
    const expiresAt = endOf(values.expires, Date.now());
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    const token = await createToken(platform, consoleCaller(id), {
      body: {
        name,
        scopes,
        organization_id: organizationId ?? 'none',
        expires_at: expiresAt?.toISOString() ?? null,
      },
    });
    return record(token, {
      id: token.id,
      name: token.name,
      scopes: token.scopes.join(' '),
      organization: token.organization?.name ?? null,
      expires: minuteOf(token.expires_at),
      token: token.token,
    });
  },
};

const list: AdminCommand = {
  name: 'tokens list',
  usage: 'EMAIL',
  summary: 'list the API tokens of an account that are good',
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    const email = onlyEmail(positionals);
    const platform = await context.openPlatform();
    const { id } = await accountOf(platform, email);
    return listing(await listTokens(platform, consoleCaller(id)), COLUMNS, 'tokens');
  },
};

const revoke: AdminCommand = {
  name: 'tokens revoke',
  usage: 'ID',
  summary: 'revoke an API token',
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, ['id']);
    const id = idOf('<id>', positionals[0] ?? '');
    const platform = await context.openPlatform();
    const userId = await ownerOfApiToken(platform, id);
    if (userId === undefined) throw new CommandFailed(`There is no API token ${id} that is good`);
    await revokeOwnToken(platform, consoleCaller(userId), 'api', id);
    return record({ id, user_id: userId, revoked: true }, { id, user: userId, revoked: true });
  },
};

const COLUMNS: Columns<ApiToken> = [
  ['ID', ({ id }) => id, 'right'],
  ['NAME', ({ name }) => name],
  ['ORGANIZATION', ({ organization }) => organization?.name ?? null],
  ['CREATED', (token) => minuteOf(token.created_at)],
  ['EXPIRES', (token) => minuteOf(token.expires_at)],
  ['USED', (token) => minuteOf(token.last_used_at)],
  ['SCOPES', ({ scopes }) => scopes.join(' ')],
];

/** @throws UsageError */
function scopesOf(text: string): Scope[] {
  if (text === 'all') return [...API_TOKEN_SCOPES];
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return names.map((name) => {
    const scope = API_TOKEN_SCOPES.find((candidate) => candidate === name);
    if (scope !== undefined) return scope;
    throw new UsageError(`"${name}" is no scope: all, or some of ${API_TOKEN_SCOPES.join(', ')}`);
  });
}

export const tokenCommands: readonly AdminCommand[] = [create, list, revoke];
