import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withoutWritesTo } from '../../test/oauth/failing-database.ts';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let application: ThirdParty;
let person: TestPerson;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  application = await ThirdParty.make(cloud);
  person = await TestPerson.make(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const newCode = async () => person.code(await application.authorizationUrl());

/** The table is missing while a job runs. */
async function withoutTable<T>(table: string, job: () => Promise<T>): Promise<T> {
  await sql`alter table ${sql.id(table)} rename to hidden`.execute(cloud.db);
  try {
    return await job();
  } finally {
    await sql`alter table hidden rename to ${sql.id(table)}`.execute(cloud.db);
  }
}

describe('the OAuth server without its database', () => {
  it('a token request is answered with Retry-After, and its code is not spent', async () => {
    const code = await newCode();
    const { status, headers, body } = await withoutWritesTo(cloud, 'oauth_records', 'outage', () =>
      application.redeem(code),
    );
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect((await application.redeem(code)).status).toBe(200);
  });

  it('a token that could not be stored is not sent, and the code is not spent', async () => {
    const code = await newCode();
    const { status, body } = await withoutWritesTo(cloud, 'tokens', 'outage', () => application.redeem(code));
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await application.redeem(code)).status).toBe(200);
  });

  it('the page for the person does not blame the application', async () => {
    const url = await application.authorizationUrl();
    const visit = () => fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const shown = await withoutWritesTo(cloud, 'oauth_records', 'outage', visit);
    expect([shown.status, shown.headers.get('location')]).toEqual([503, null]);
    expect(Number(shown.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await shown.text()).toContain('not with the application');
    expect((await visit()).status).toBe(303);
  });
});

it('a returning browser gets the same page, though its session is stored last', async () => {
  await newCode();
  const url = await application.authorizationUrl();
  const visit = () => person.browser.go('GET', url);
  const { status, headers } = await withoutWritesTo(cloud, 'oauth_records', 'outage', visit);
  expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([503, null, '2']);
  expect((await visit()).status).toBe(303);
});

describe('the OAuth server with a failing statement', () => {
  it('the answer discloses nothing of the failure, neither as JSON nor as a page', async () => {
    const code = await newCode();
    const answer = await withoutTable('oauth_clients', () => application.redeem(code));
    expect([answer.status, answer.body]).toEqual([
      500,
      { error: 'server_error', error_description: expect.not.stringContaining('oauth_clients') },
    ]);
    const url = await application.authorizationUrl();
    const visit = () => fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const shown = await withoutTable('oauth_clients', visit);
    const page = await shown.text();
    expect([shown.status, shown.headers.get('location')]).toEqual([500, null]);
    expect(page).toContain('not with the application');
    expect(page).not.toMatch(/oauth_clients|relation|node_modules/);
  });
});

describe('records deleted between consent and token', () => {
  it.each([
    [
      'the application',
      'invalid_client',
      () => cloud.db.deleteFrom('oauth_clients').where('client_id', '=', application.clientId),
    ],
    [
      'the organization',
      'invalid_client',
      () => cloud.db.deleteFrom('organizations').where('id', '=', application.organizationId),
    ],
    ['the site', 'invalid_grant', () => cloud.db.deleteFrom('sites').where('id', '=', person.site.id)],
    [
      'the consent',
      'invalid_grant',
      () => cloud.db.deleteFrom('oauth_grants').where('user_id', '=', person.user.id),
    ],
  ] as const)('a code is refused after the deletion of %s', async (_what, error, removal) => {
    const code = await newCode();
    await removal().execute();
    expect((await application.redeem(code)).body.error).toBe(error);
  });

  it('a code is refused after the deletion of the person', async () => {
    const code = await newCode();
    const heir = await cloud.make.user();
    await cloud.db.updateTable('sites').set({ owner_id: heir.id }).where('id', '=', person.site.id).execute();
    await cloud.db.deleteFrom('users').where('id', '=', person.user.id).execute();
    expect((await application.redeem(code)).body.error).toBe('invalid_grant');
  });

  it('a code is refused after the removal of its redirect URI', async () => {
    const url = await application.authorizationUrl();
    const code = await person.code(url);
    await cloud.db
      .updateTable('oauth_clients')
      .set({ redirect_uris: ['https://other.example.org/callback'] })
      .where('client_id', '=', application.clientId)
      .execute();
    const answer = await person.browser.go('GET', url);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    // The code was sent there when it was right, and is worth something to its own application alone.
    const { status, headers } = await application.redeem(code);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://other.example.org']);
  });

  it('a code is refused with a replaced secret', async () => {
    const boss = await cloud.make.employee(application.organizationId, 'owner');
    const server = await ThirdParty.make(cloud, {
      kind: 'confidential',
      organizationId: application.organizationId,
    });
    const code = await person.code(await server.authorizationUrl());
    const route = `POST /api/v1/organizations/${server.organizationId}/applications/${server.clientId}/secret`;
    const replaced = await cloud.call(route, { token: boss.token });
    expect(replaced.status).toBe(200);
    expect((await server.redeem(code)).body.error).toBe('invalid_client');
    expect((await server.redeem(code, { client_secret: String(replaced.body.client_secret) })).status).toBe(
      200,
    );
  });
});
