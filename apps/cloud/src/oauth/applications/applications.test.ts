import type { Application, ApplicationWithSecret } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';

let cloud: TestCloud;
let organizationId: number;
let manager: TestUser;
let token: string;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  organizationId = await cloud.make.organization();
  manager = await cloud.make.employee(organizationId, 'admin');
  token = manager.token;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const URI = 'https://app.example.org/signed-in';

const callApplications = <Body = Record<string, unknown>>(method: string, path = '', body?: unknown) =>
  cloud.call<Body>(`${method} /api/v1/organizations/${organizationId}/applications${path}`, { token, body });

const create = async (body: object = {}) =>
  (
    await callApplications<ApplicationWithSecret>('POST', '', {
      name: 'Roof planner',
      redirect_uris: [URI],
      ...body,
    })
  ).body;

const row = (clientId: string) =>
  cloud.db.selectFrom('oauth_clients').selectAll().where('client_id', '=', clientId).executeTakeFirst();

const recorded = async () => {
  const rows = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'details'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  return rows.map(({ action, actor_id, details }) => [action, actor_id, details]);
};

describe('the applications of an organization', () => {
  it('a new application has a secret that is shown once and stored as a digest', async () => {
    const { client_secret: secret, ...application } = await create();
    expect(application).toEqual({
      client_id: expect.stringMatching(/^app_[\w-]{22}$/),
      name: 'Roof planner',
      redirect_uris: [URI],
      browser_only: false,
      scopes: ['openid', 'sites:read_single'],
      client_secret_hint: `…${secret?.slice(-4)}`,
      created_at: new Date(cloud.clock.now()).toISOString(),
      last_used_at: null,
    });
    expect(secret).toMatch(/^hgc_[\w-]{43}$/);
    const path = `/${application.client_id}`;
    expect(await callApplications('GET', path)).toMatchObject({ status: 200, body: application });
    expect((await callApplications<Application[]>('GET')).body).toEqual([application]);
    const stored = await row(application.client_id);
    expect(stored?.secret_hash).toEqual(tokenHash(secret ?? ''));
    expect(stored?.created_by).toBe(manager.id);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(await recorded())).not.toContain(secret);
  });

  it('an application in the browser has no secret and gets none', async () => {
    const made = await create({ browser_only: true, scopes: ['openid'] });
    expect(made).toMatchObject({
      browser_only: true,
      scopes: ['openid'],
      client_secret: null,
      client_secret_hint: null,
    });
    expect((await callApplications('POST', `/${made.client_id}/secret`)).status).toBe(422);
  });

  it('a new secret replaces the one before', async () => {
    const before = await create();
    const { status, body: after } = await callApplications<ApplicationWithSecret>(
      'POST',
      `/${before.client_id}/secret`,
    );
    expect(status).toBe(200);
    expect(after.client_secret).not.toBe(before.client_secret);
    expect(after.client_secret_hint).toBe(`…${after.client_secret?.slice(-4)}`);
    expect((await row(before.client_id))?.secret_hash).toEqual(tokenHash(after.client_secret ?? ''));
  });

  it('a refusal names every field, whichever rule it breaks', async () => {
    const fault = {
      name: ["can't be blank"],
      redirect_uris: [expect.stringContaining('http://evil.example/cb')],
    };
    const wrong = { name: '', redirect_uris: ['http://evil.example/cb'] };
    const scopes = { scopes: ['admin'] };
    const refused = { status: 422, body: { errors: { ...fault, scopes: [expect.any(String)] } } };
    expect(await callApplications('POST', '', { ...wrong, ...scopes })).toMatchObject(refused);
    const { client_id: id } = await create();
    const answer = await callApplications('PATCH', `/${id}`, wrong);
    expect(answer).toMatchObject({ status: 422, body: { errors: fault } });
  });

  it('a change sets name and redirect URIs, also from form text, and nothing else', async () => {
    const { client_id: id } = await create();
    const text = ` ${URI}\r\nhttp://localhost:3000/cb\n\n`;
    const changed = await callApplications('PATCH', `/${id}`, { name: ' Planner ', redirect_uris: text });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Planner', redirect_uris: [URI, 'http://localhost:3000/cb'] },
    });
    expect(await callApplications('PATCH', `/${id}`, { name: 'Planner' })).toMatchObject({ status: 200 });
    for (const fixed of [{ scopes: ['openid'] }, { browser_only: true }, { client_id: 'app_other' }]) {
      const [field = ''] = Object.keys(fixed);
      const errors = { [field]: [expect.any(String)] };
      expect(await callApplications('PATCH', `/${id}`, fixed)).toMatchObject({
        status: 422,
        body: { errors },
      });
    }
    expect(await recorded()).toEqual([
      ['application.created', manager.id, expect.objectContaining({ client_id: id, name: 'Roof planner' })],
      [
        'application.changed',
        manager.id,
        {
          client_id: id,
          name: { from: 'Roof planner', to: 'Planner' },
          redirect_uris: { from: [URI], to: [URI, 'http://localhost:3000/cb'] },
        },
      ],
    ]);
  });

  it("other organizations' applications and agents are answered 404", async () => {
    const { client_id: id } = await create();
    organizationId = await cloud.make.organization();
    token = (await cloud.make.employee(organizationId, 'owner')).token;
    const agent = await cloud.make.application(null, { kind: 'agent' });
    for (const other of [id, agent]) {
      expect((await callApplications('GET', `/${other}`)).status).toBe(404);
      expect((await callApplications('PATCH', `/${other}`, { name: 'Mine' })).status).toBe(404);
      expect((await callApplications('POST', `/${other}/secret`)).status).toBe(404);
      expect((await callApplications('DELETE', `/${other}`)).status).toBe(404);
    }
    expect((await row(id))?.name).toBe('Roof planner');
  });

  it('deleting an application revokes its grants, and no others', async () => {
    const [{ client_id: clientId }, kept] = [await create(), await create()];
    const { id: siteId } = await cloud.make.site({ ownerId: manager.id });
    const tokenFor = async (client: string) => {
      const grantId = await cloud.make.grant(manager.id, { clientId: client, organizationId, siteId });
      return cloud.make.token(manager.id, {
        kind: 'oauth',
        scopes: ['openid', 'sites:read_single'],
        siteId,
        applicationOrganizationId: organizationId,
        grantId,
      });
    };
    const [ended, living] = [await tokenFor(clientId), await tokenFor(kept.client_id)];
    const read = async (bearer: string) =>
      (await cloud.call(`GET /api/v1/sites/${siteId}`, { token: bearer })).status;
    expect([await read(ended), await read(living)]).toEqual([200, 200]);
    expect((await callApplications('DELETE', `/${clientId}`)).status).toBe(204);
    expect([await read(ended), await read(living)]).toEqual([401, 200]);
    expect((await callApplications('DELETE', `/${clientId}`)).status).toBe(404);
    const events = (await recorded()).slice(-2);
    expect(events).toEqual([
      ['grant.ended', manager.id, expect.objectContaining({ client_id: clientId })],
      ['application.deleted', manager.id, { client_id: clientId, name: 'Roof planner', ended_grants: 1 }],
    ]);
  });
});

describe('the validation of applications', () => {
  it.each([
    ['a name of spaces', { name: '  ' }, 'name'],
    ['no name', { name: undefined }, 'name'],
    ['a name that shows nothing', { name: '\u200d' }, 'name'],
    ['a name of more than 100 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name that turns the line around', { name: 'safe\u202eevil' }, 'name'],
    ['a space that is none', { name: 'Roof\u200bplanner' }, 'name'],
    ['a soft hyphen', { name: 'Roof plan\u00adner' }, 'name'],
    ['a joiner that joins nothing', { name: 'Roof\u200d planner' }, 'name'],
    ['a letter without a shape', { name: '\u3164' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope of agents', { scopes: ['openid', 'sites:read_all'] }, 'scopes'],
    ['an address without https', { redirect_uris: ['http://app.example.org/'] }, 'redirect_uris'],
    ['an empty address', { redirect_uris: [''] }, 'redirect_uris'],
    ['addresses that are none', { redirect_uris: [7] }, 'redirect_uris'],
    ['a maybe', { browser_only: 'yes' }, 'browser_only'],
  ])('an application with %s is refused', async (_what, body, field) => {
    const answer = await callApplications('POST', '', { name: 'Roof planner', ...body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  it.each(['Roof ☀️', '👩‍🔧 Ada', 'می‌خواهم'])('the name %s is accepted', async (name) => {
    expect(await create({ name })).toMatchObject({ name });
  });

  it('the error for unknown scopes names the known ones', async () => {
    const { body } = await callApplications('POST', '', { name: 'Roof planner', scopes: ['sites:read_all'] });
    expect(body.errors).toEqual({ scopes: ['may be openid and sites:read_single'] });
  });

  it('the answer names every field at fault, and redirect URIs are optional', async () => {
    const fieldsOf = async (body: object) =>
      Object.keys((await callApplications('POST', '', body)).body.errors as object).toSorted();
    expect(await fieldsOf({ name: '', redirect_uris: 'x\ny', scopes: [] })).toEqual([
      'name',
      'redirect_uris',
      'scopes',
    ]);
    expect(await fieldsOf({ name: 'A', redirect_uris: 'x\ny', scopes: ['nothing'] })).toEqual([
      'redirect_uris',
      'scopes',
    ]);
    expect(await create({ redirect_uris: undefined })).toMatchObject({ redirect_uris: [] });
  });

  it('an organization has a hundred applications at most under concurrent calls', async () => {
    for (let made = 0; made < 99; made++) await cloud.make.application(organizationId);
    const answers = await Promise.all(
      [1, 2, 3].map(() => callApplications('POST', '', { name: 'One more' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });
});
