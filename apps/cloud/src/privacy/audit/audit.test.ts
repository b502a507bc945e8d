import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp } from '../../../test/second-factor.ts';
import { type Scene, setScene } from '../../../test/sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let scene: Scene;
let other: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
  scene = await setScene(cloud);
  other = await setScene(cloud);
  await change(scene, 'PATCH', scene.member.id, { role: 'admin' });
  await change(scene, 'DELETE', scene.guest.id);
  await change(other, 'PATCH', other.guest.id, { role: 'owner' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const FROM = '203.0.113.7';

const change = ({ site, owner }: Scene, method: string, userId: number, body?: object) =>
  cloud.call(`${method} /api/v1/sites/${site}/users/${userId}`, { token: owner.token, body, from: FROM });

interface Entry {
  readonly id: number;
  readonly action: string;
}
const read = (path: string, token: string) => cloud.call<Entry[]>(`GET /api/v1${path}`, { token });
const actions = async (path: string, token = scene.operator.token) =>
  (await read(path, token)).body.map(({ action }) => action);

it('each change has its actor, action, time and address, the newest first', async () => {
  const { status, body } = await read(`/sites/${scene.site}/audit`, scene.owner.token);
  expect(status).toBe(200);
  const common = {
    id: expect.any(Number),
    at: new Date(cloud.clock.now()).toISOString(),
    actor: { id: scene.owner.id, email: scene.owner.email, name: 'Ada Example' },
    via: 'api',
    address: FROM,
    site_id: scene.site,
    site_name: expect.any(String),
    organization_id: scene.organization,
    organization_name: expect.any(String),
    device_uid: null,
  };
  const person = ({ id, email }: { id: number; email: string }) => ({ id, email, name: expect.any(String) });
  expect(body).toEqual([
    {
      ...common,
      action: 'site_member.removed',
      user_id: scene.guest.id,
      user: person(scene.guest),
      details: { from: 'member', to: null },
    },
    {
      ...common,
      action: 'site_member.changed',
      user_id: scene.member.id,
      user: person(scene.member),
      details: { from: 'member', to: 'admin' },
    },
  ]);
});

it('a change from an unreadable address is recorded with that of the proxy which sent it', async () => {
  const { site, owner, member } = await setScene(cloud);
  const { status } = await cloud.call(`DELETE /api/v1/sites/${site}/users/${member.id}`, {
    token: owner.token,
    from: 'nowhere',
  });
  expect(status).toBe(204);
  expect((await read(`/sites/${site}/audit`, owner.token)).body).toMatchObject([{ address: '127.0.0.1' }]);
});

it('a transfer of a site is recorded with both owners', async () => {
  const { body } = await read(`/sites/${other.site}/audit`, other.owner.token);
  expect(body).toMatchObject([
    {
      action: 'site.ownership_transferred',
      user_id: other.guest.id,
      details: { from: other.owner.id, to: other.guest.id, former_role: 'member' },
    },
  ]);
});

it('an invitation of a new account makes two records, of which the site has one', async () => {
  const { site, owner } = await setScene(cloud);
  await cloud.call(`POST /api/v1/sites/${site}/users`, {
    token: owner.token,
    body: { email: 'two-records@example.org', role: 'admin', first_name: 'Grace', last_name: 'Hopper' },
  });
  const { body } = await read(`/sites/${site}/audit`, owner.token);
  expect(body).toMatchObject([{ action: 'site_member.added', details: { from: null, to: 'admin' } }]);
  const created = await read(`/audit?actor_id=${owner.id}&action=account.created`, scene.operator.token);
  expect(created.body).toMatchObject([{ site_id: null, organization_id: null, actor: { id: owner.id } }]);
});

it('a refused change and one without effect make no records', async () => {
  const quiet = await setScene(cloud);
  await change(quiet, 'PATCH', quiet.admin.id, { role: 'admin' });
  await change(quiet, 'PATCH', quiet.owner.id, { role: 'admin' });
  await change(quiet, 'DELETE', quiet.stranger.id);
  expect(await actions(`/sites/${quiet.site}/audit`)).toEqual([]);
});

it('the audit of the own account lists changes, uses and failures of the second factor', async () => {
  const user = await cloud.make.user();
  const { app, token } = await addApp(cloud, user);
  const confirm = (otp: string) => cloud.call('POST /api/v1/session/confirm', { token, body: { otp } });
  expect((await confirm('wrong')).status).toBe(422);
  expect((await confirm(await app.code())).status).toBe(200);
  const { body } = await read('/user/audit', token);
  expect(body).toMatchObject([
    { action: 'session.confirmed' },
    { action: 'second_factor.refused' },
    { action: 'authenticator_app.added' },
  ]);
});

it('the address of a member who leaves a site is hidden', async () => {
  const { site, owner, guest } = await setScene(cloud);
  const left = await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: guest.token });
  expect(left.status).toBe(204);
  const { body } = await read(`/sites/${site}/audit`, owner.token);
  expect(body).toMatchObject([{ action: 'site_member.removed', actor: { id: guest.id }, address: null }]);
});

it('an organization reads no names that another one has entered', async () => {
  const manager = await cloud.make.user();
  const organization = await cloud.make.organization();
  await cloud.db
    .insertInto('organization_members')
    .values({ organization_id: organization, user_id: manager.id, role: 'owner' })
    .execute();
  const email = 'named-by-another@example.org';
  const invite = (first_name: string) => ({ email, role: 'member', first_name, last_name: 'X' });
  const route = `POST /api/v1/organizations/${organization}/users`;
  expect((await cloud.call(route, { token: manager.token, body: invite('Unknown') })).status).toBe(200);
  const { site, owner } = await setScene(cloud);
  const elsewhere = { token: owner.token, body: invite('Grace') };
  expect((await cloud.call(`POST /api/v1/sites/${site}/users`, elsewhere)).status).toBe(200);
  const { body } = await read(`/organizations/${organization}/audit`, manager.token);
  expect(body).toMatchObject([
    { action: 'organization_member.invited', user: { email, name: '' } },
    { action: 'account.created', user: { email, name: '' } },
  ]);
});

describe('access to the audit log', () => {
  it.each<[keyof Scene['tokens'], number, number, number]>([
    ['owner', 200, 403, 403],
    ['admin', 200, 403, 403],
    ['member', 403, 403, 403],
    ["organization's owner", 200, 200, 403],
    ["organization's admin", 200, 200, 403],
    ["organization's employee", 403, 403, 403],
    ["another organization's admin", 404, 403, 403],
    ['customer', 404, 403, 403],
    ['stranger', 404, 403, 403],
    ['operator', 200, 200, 200],
    ['operator for the organization', 200, 200, 403],
    ['operator for another organization', 404, 403, 403],
    ['owner for another organization', 404, 403, 403],
  ])(
    'a caller as %s reads a site: %i, an organization: %i, everything: %i',
    async (who, ofSite, ofOrganization, all) => {
      const { site, organization, tokens } = await setScene(cloud);
      expect((await read(`/sites/${site}/audit`, tokens[who])).status).toBe(ofSite);
      expect((await read(`/organizations/${organization}/audit`, tokens[who])).status).toBe(ofOrganization);
      expect((await read('/audit', tokens[who])).status).toBe(all);
    },
  );

  it('the audit log requires the scope sites:read_all', async () => {
    const token = await cloud.make.token(scene.operator.id, {
      scopes: ['sites:write_all', 'users:read_all'],
    });
    for (const path of [`/sites/${scene.site}/audit`, `/organizations/${scene.organization}/audit`, '/audit'])
      expect((await read(path, token)).status).toBe(403);
  });

  it.each(['/sites/999999/audit', '/organizations/999999/audit', '/organizations/2147483648/audit'])(
    'the audit log %s does not exist',
    async (path) => {
      expect((await read(path, scene.operator.token)).status).toBe(404);
    },
  );
});

it('the records of an organization are filtered, and never those of another', async () => {
  const path = `/organizations/${scene.organization}/audit`;
  expect(await actions(`${path}?user_id=${scene.guest.id}`)).toEqual(['site_member.removed']);
  expect(await actions(`${path}?actor_id=${scene.owner.id}&action=site_member.changed`)).toEqual([
    'site_member.changed',
  ]);
  expect(await actions(`${path}?site_id=${other.site}`)).toEqual([]);
  expect(await actions(`${path}?organization_id=${other.organization}`)).toEqual([]);
  expect((await read(`${path}?actor_id=0`, scene.operator.token)).status).toBe(400);
});

describe('GET /audit', () => {
  it('records are filtered by site, organization, actor, account, action and device', async () => {
    await cloud.db
      .insertInto('audit_events')
      .values({
        at: new Date(cloud.clock.now()),
        action: 'device.enrolled',
        via: 'device',
        device_uid: 'uid-of-audit',
      })
      .execute();
    const mine = ['site_member.removed', 'site_member.changed'];
    expect(await actions(`/audit?site_id=${scene.site}`)).toEqual(mine);
    expect(await actions(`/audit?organization_id=${scene.organization}`)).toEqual(mine);
    expect(await actions(`/audit?user_id=${scene.guest.id}`)).toEqual(['site_member.removed']);
    expect(await actions(`/audit?action=site_member.changed&user_id=${scene.member.id}`)).toHaveLength(1);
    expect(await actions(`/audit?action=nonsense`)).toEqual([]);
    expect(await actions(`/audit?actor_id=${scene.owner.id}&site_id=${scene.site}`)).toEqual(mine);
    expect(await actions(`/audit?actor_id=${scene.guest.id}`)).toEqual([]);
    const { body } = await read('/audit?device_uid=uid-of-audit', scene.operator.token);
    expect(body).toMatchObject([{ action: 'device.enrolled', via: 'device', actor: null, address: null }]);
  });

  it('records are paged, at most 200 at a time', async () => {
    const path = `/sites/${scene.site}/audit`;
    expect(await actions(`${path}?limit=1`)).toEqual(['site_member.removed']);
    expect(await actions(`${path}?limit=1&offset=1`)).toEqual(['site_member.changed']);
    expect(await actions(`${path}?limit=0`)).toEqual([]);
    expect(await actions(`${path}?offset=99999999999999999999`)).toEqual([]);
    await cloud.db
      .insertInto('audit_events')
      .values(
        Array.from({ length: 210 }, () => ({
          at: new Date(cloud.clock.now()),
          action: 'site.renamed' as const,
          via: 'admin' as const,
          site_id: other.site,
        })),
      )
      .execute();
    expect(await actions(`/sites/${other.site}/audit?limit=1000`)).toHaveLength(200);
    expect(await actions(`/sites/${other.site}/audit`)).toHaveLength(20);
  });

  it.each([
    'limit=x',
    'limit=-1',
    'site_id=0',
    'site_id=2147483648',
    'user_id=me',
    `action=${'x'.repeat(65)}`,
  ])('the query ?%s answers 400', async (query) => {
    expect((await read(`/audit?${query}`, scene.operator.token)).status).toBe(400);
  });
});
