import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let application: ThirdParty;
let person: TestPerson;
let token: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  application = await ThirdParty.make(cloud);
  await cloud.announce('us-1');
});
beforeEach(async () => {
  person = await TestPerson.make(cloud);
  token = await newToken();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function newToken(): Promise<string> {
  const { body } = await application.redeem(await person.code(await application.authorizationUrl()));
  return body.access_token;
}

const statusOf = async (route: string, body?: object) => (await cloud.call(route, { token, body })).status;
const readsSite = () => statusOf(`GET /api/v1/sites/${person.site.id}`);

it('a token of an application reads the site, its members and its device, and nothing else', async () => {
  const path = `/api/v1/sites/${person.site.id}`;
  expect((await cloud.call(`GET ${path}`, { token })).body).toMatchObject({ id: person.site.id });
  expect((await cloud.call(`GET ${path}/users`, { token })).body).toMatchObject([{ role: 'owner' }]);
  const { body } = await cloud.call(`POST ${path}/authorize`, { token });
  expect(decodeJwt(String(body.token))).toMatchObject({ access: 'read' });

  const second = (await cloud.make.site({ ownerId: person.user.id })).id;
  for (const route of [`GET /api/v1/sites/${second}`, `GET /api/v1/sites/${second}/users`])
    expect([route, await statusOf(route)]).toEqual([route, 404]);
  expect(await statusOf(`POST /api/v1/sites/${second}/authorize`)).toBe(404);
  const forbidden = [
    'GET /api/v1/sites',
    'GET /api/v1/users',
    'GET /api/v1/user/tokens',
    'GET /api/v1/user/connections',
    `GET ${path}/connections`,
    `PATCH ${path}/name`,
    `POST ${path}/users`,
    'POST /api/v1/sites/register',
    'POST /api/v1/user/tokens',
    'POST /api/v1/session',
    'POST /api/v1/id_token',
  ];
  const answers = await Promise.all(
    forbidden.map((route) => statusOf(route, route.startsWith('GET') ? undefined : {})),
  );
  expect(answers).toEqual(forbidden.map(() => 403));
});

describe('tokens at another resource than their own (RFC 8707)', () => {
  it('the token of an application is refused at the MCP server', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { status, headers } = await cloud.call('POST /mcp', { token, body });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('the token of an agent is refused at the HTTP API', async () => {
    const agent = await cloud.make.token(person.user.id, {
      kind: 'mcp',
      scopes: ['openid', 'sites:read_all'],
      grantId: await cloud.make.grant(person.user.id),
    });
    for (const route of ['GET /api/v1/organizations', 'GET /api/v1/sites', 'GET /oauth/userinfo'])
      expect([route, (await cloud.call(route, { token: agent })).status]).toEqual([route, 401]);
  });

  it('own tokens of a user are refused at the userinfo endpoint', async () => {
    const session = await cloud.make.token(person.user.id, { kind: 'session' });
    for (const own of [person.user.token, session])
      expect((await cloud.call('GET /oauth/userinfo', { token: own })).status).toBe(401);
  });

  it('tokens in a URL are ignored (OAuth 2.1, 5.1.2)', async () => {
    for (const own of [token, person.user.token]) {
      const { status } = await cloud.call(`GET /api/v1/sites/${person.site.id}?access_token=${own}`);
      expect(status).toBe(401);
      const userinfo = await cloud.call(`GET /oauth/userinfo?access_token=${own}`);
      expect([userinfo.status, userinfo.body.error]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('end of tokens', () => {
  it('a token expires after a day', async () => {
    cloud.clock.advance(DAY_MS - 60_000);
    expect(await readsSite()).toBe(200);
    expect(await statusOf('GET /oauth/userinfo')).toBe(200);
    cloud.clock.advance(61_000);
    expect(await readsSite()).toBe(401);
    expect(await statusOf('GET /oauth/userinfo')).toBe(401);
  });

  it('a token and a pending code end when the user ends the connection', async () => {
    const code = await person.code(await application.authorizationUrl());
    const { body: connections } = await cloud.call<{ id: string; application: object }[]>(
      'GET /api/v1/user/connections',
      { token: person.user.token },
    );
    expect(connections).toHaveLength(2);
    for (const { id } of connections)
      await cloud.call(`DELETE /api/v1/user/connections/${id}`, { token: person.user.token });
    expect(await readsSite()).toBe(401);
    expect((await application.redeem(code)).body.error).toBe('invalid_grant');
  });

  it('a token ends when its own application revokes it (RFC 7009), and no other can', async () => {
    const revoke = (by: ThirdParty) => by.post('/oauth/revoke', { token, client_id: by.clientId });
    const stranger = await revoke(await ThirdParty.make(cloud));
    expect([stranger.status, stranger.body.error]).toEqual([400, 'invalid_request']);
    expect(await readsSite()).toBe(200);
    expect((await revoke(application)).status).toBe(200);
    expect(await readsSite()).toBe(401);
    // As if it had done something.
    expect((await revoke(application)).status).toBe(200);
  });

  it('a token ends when the application is deleted', async () => {
    const boss = await cloud.make.employee(application.organizationId, 'owner');
    const gone = await ThirdParty.make(cloud, { organizationId: application.organizationId });
    const { body } = await gone.redeem(await person.code(await gone.authorizationUrl()));
    const route = `DELETE /api/v1/organizations/${gone.organizationId}/applications/${gone.clientId}`;
    expect((await cloud.call(route, { token: boss.token })).status).toBe(204);
    token = body.access_token;
    expect(await readsSite()).toBe(401);
  });

  it('a token does not read a site that the user lost', async () => {
    const heir = await cloud.make.user();
    await cloud.db.updateTable('sites').set({ owner_id: heir.id }).where('id', '=', person.site.id).execute();
    expect(await readsSite()).toBe(404);
    expect(await statusOf(`POST /api/v1/sites/${person.site.id}/authorize`)).toBe(404);
    expect(await statusOf('POST /api/v1/organization_sites', { site_id: person.site.id })).toBe(404);
  });
});

it('a token adds the site to the organization of the application, until an operator removes it', async () => {
  const { organizationId } = application;
  const clerk = await cloud.make.employee(organizationId);
  const own = await cloud.make.token(clerk.id, { organizationId });
  const path = `/api/v1/sites/${person.site.id}`;
  expect((await cloud.call(`GET ${path}`, { token: own })).status).toBe(404);
  for (let time = 0; time < 2; time++)
    expect(await statusOf('POST /api/v1/organization_sites', { site_id: person.site.id })).toBe(200);

  expect((await cloud.call(`GET ${path}`, { token: own })).status).toBe(200);
  const { body } = await cloud.call(`POST ${path}/authorize`, { token: own });
  expect(decodeJwt(String(body.token))).toMatchObject({ access: 'read' });
  const seen = await cloud.call(`GET ${path}/connections`, { token: person.user.token });
  expect(seen.body).toMatchObject({
    organizations: [{ organization: { id: organizationId }, shared_by: { id: person.user.id } }],
    connections: [{ application: { client_id: application.clientId, kind: 'application' } }],
  });

  const staff = await cloud.make.user({ staff: true });
  const share = `DELETE /api/v1/organization_sites/${organizationId}/${person.site.id}`;
  expect((await cloud.call(share, { token: staff.token })).status).toBe(204);
  expect((await cloud.call(`GET ${path}`, { token: own })).status).toBe(404);
});
