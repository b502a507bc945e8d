import { API_TOKEN_SCOPES } from '@heliograph/contracts';
import { createTestDatabase } from '@heliograph/dev/testing';
import { ConfigError } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { cloudDatabase, startTestCloud } from '../test/test-cloud.ts';
import { newToken } from './common/secrets/opaque-token.ts';
import { type ProvisionOptions, provision } from './provision.ts';

const optionsFor = (databaseUrl: string): ProvisionOptions => ({
  databaseUrl,
  organization: { name: 'Demo' },
  account: {
    email: 'demo@example.org',
    password: 'Sunlit-roof-1',
    firstName: 'Demo',
    lastName: 'Account',
    apiToken: newToken('api'),
  },
});

it('provision makes an organization and an account that can sign in there, with an API token of every scope', async () => {
  await using database = await createTestDatabase();
  const options = optionsFor(database.url);
  const { organizationId, userId } = await provision(options);
  await using cloud = await startTestCloud({ databaseUrl: database.url });

  const { email, password, apiToken } = options.account;
  const session = await cloud.call('POST /api/v1/sign_in', {
    body: { email, password, organization_id: organizationId },
  });
  expect(session).toMatchObject({
    status: 200,
    body: { user: { id: userId, organization: { id: organizationId, name: 'Demo' } } },
  });
  const user = await cloud.call('GET /api/v1/user', { token: apiToken });
  expect(user).toMatchObject({ status: 200, body: { email, first_name: 'Demo', organization: null } });
  const tokens = await cloud.db.selectFrom('tokens').select('scopes').where('kind', '=', 'api').execute();
  expect(tokens).toEqual([{ scopes: API_TOKEN_SCOPES }]);

  const uid = await cloud.make.device();
  await cloud.call('POST /api/v1/sites/register', { token: apiToken, body: { uid, name: 'demo' } });
  const sites = await cloud.call('GET /api/v1/sites', { token: String(session.body.token) });
  expect(sites.body).toMatchObject([{ name: 'demo' }]);
});

it('provision changes nothing when it runs again, even several at once', async () => {
  await using database = await createTestDatabase();
  const options = optionsFor(database.url);
  const all = await Promise.all([1, 2, 3].map(() => provision(options)));
  expect(new Set(all.map((made) => JSON.stringify(made))).size).toBe(1);
  expect(await provision(options)).toEqual(all[0]);
  await using cloud = await startTestCloud({ databaseUrl: database.url });
  for (const table of ['users', 'organizations', 'organization_members', 'tokens'] as const) {
    expect(await cloud.db.selectFrom(table).selectAll().execute()).toHaveLength(1);
  }
  const audit = await cloud.call<{ action: string; via: string }[]>('GET /api/v1/audit', {
    token: options.account.apiToken,
  });
  expect(audit.body.map(({ action, via }) => `${via} ${action}`)).toEqual([
    'service token.created',
    'service organization_member.added',
    'service account.created',
    'service organization.created',
  ]);
});

it('provision sets a new password, and makes a revoked token valid again', async () => {
  await using database = await cloudDatabase();
  const options = optionsFor(database.url);
  await provision(options);
  await using cloud = await startTestCloud({ databaseUrl: database.url });
  await cloud.db
    .updateTable('tokens')
    .set({ revoked_at: new Date(0) })
    .execute();
  await provision({ ...options, account: { ...options.account, password: 'Moonlit-roof-2' } });

  const signIn = (password: string) =>
    cloud.call('POST /api/v1/sign_in', {
      body: { email: 'DEMO@example.org', password, organization_id: 'none' },
    });
  expect((await signIn('Sunlit-roof-1')).status).toBe(401);
  expect((await signIn('Moonlit-roof-2')).status).toBe(200);
  expect((await cloud.call('GET /api/v1/user', { token: options.account.apiToken })).status).toBe(200);
});

it.each(['', 'demo', 'hga_short', `hgs_${'x'.repeat(43)}`])(
  'the API token "%s" is refused',
  async (apiToken) => {
    const options = optionsFor('postgres://nobody@localhost:1/none');
    const attempt = provision({ ...options, account: { ...options.account, apiToken } });
    await expect(attempt).rejects.toThrow(ConfigError);
  },
);
