import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let home: number;
let staff: TestUser;
let admin: TestUser;
let clerk: TestUser;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  home = await cloud.make.organization();
  [staff, admin, clerk, owner] = await Promise.all([
    cloud.make.user({ staff: true }),
    cloud.make.employee(home, 'admin'),
    cloud.make.employee(home, 'member'),
    cloud.make.user(),
  ]);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const change = (what: 'revoke' | 'restore', uid: string, token = admin.token) =>
  cloud.call(`POST /api/v1/devices/${uid}/${what}`, { token });

/** A device at home, registered and on a proxy. */
async function installed(): Promise<TestDevice & { readonly session: { uid: string; site_id: number } }> {
  const device = await newDevice();
  await connect(cloud, device);
  const token = await cloud.make.token(owner.id);
  const { body } = await cloud.call('POST /api/v1/sites/register', { token, body: { uid: device.uid } });
  const siteId = Number(body.id);
  await cloud.db.updateTable('sites').set({ organization_id: home }).where('id', '=', siteId).execute();
  return { ...device, session: { uid: device.uid, site_id: siteId } };
}

describe('a revoked device', () => {
  it('a revoked device is refused with a valid proof until it is restored', async () => {
    const device = await installed();
    await cloud.announce('a-1');
    expect((await connect(cloud, device)).status).toBe(200);
    expect(await change('revoke', device.uid)).toMatchObject({
      status: 200,
      body: { state: 'revoked', revoked_at: new Date(cloud.clock.now()).toISOString() },
    });
    const before = await cloud.db
      .selectFrom('devices')
      .selectAll()
      .where('uid', '=', device.uid)
      .executeTakeFirst();
    const refused = await connect(cloud, device, { facts: { inverter: 'changed' } });
    expect(refused).toMatchObject({ status: 403, body: { error: 'The device was revoked' } });
    const after = await cloud.db
      .selectFrom('devices')
      .selectAll()
      .where('uid', '=', device.uid)
      .executeTakeFirst();
    expect(after).toEqual(before);
    expect(await change('restore', device.uid)).toMatchObject({
      status: 200,
      body: { state: 'registered', revoked_at: null },
    });
    expect((await connect(cloud, device)).body.status).toBe('ready');
  });

  it('a revoked device goes offline, its proxy ends its session, and last_seen_at is unchanged', async () => {
    const [device, other] = [await installed(), await installed()];
    const sessions = [device.session, other.session];
    const connected = await cloud.announce('b-1', { sessions });
    expect(connected.body.revoked).toEqual([]);
    const show = () => cloud.call(`GET /api/v1/devices/${device.uid}`, { token: admin.token });
    expect((await show()).body).toMatchObject({ online: true, proxy: 'b-1' });
    const seen = new Date(cloud.clock.now()).toISOString();
    cloud.clock.advance(5_000);
    expect((await change('revoke', device.uid)).body).toMatchObject({ online: false, last_seen_at: seen });
    expect((await cloud.announce('b-1', { sessions })).body.revoked).toEqual([device.uid]);
    expect((await show()).body).toMatchObject({ online: false, last_seen_at: seen });
    expect((await cloud.announce('b-1', { sessions: [other.session] })).body.revoked).toEqual([]);
    await change('restore', device.uid);
    expect((await cloud.announce('b-1', { sessions })).body.revoked).toEqual([]);
    expect((await show()).body).toMatchObject({ online: true });
  });

  it('a revoked device cannot be registered', async () => {
    const uid = await cloud.make.device();
    await change('revoke', uid, staff.token);
    for (const path of ['register', 'request_activation']) {
      const answer = await cloud.call(`POST /api/v1/sites/${path}`, { token: owner.token, body: { uid } });
      expect(answer.status).toBe(404);
    }
  });

  it('each revocation and restoration is recorded once', async () => {
    const uid = (await cloud.make.site({ organizationId: home })).uid;
    for (const what of ['revoke', 'revoke', 'restore', 'restore'] as const) {
      expect((await change(what, uid)).status).toBe(200);
    }
    const record = { via: 'api', actorId: admin.id, organizationId: home };
    expect(await auditOf(cloud, uid)).toMatchObject([
      { ...record, action: 'device.revoked' },
      { ...record, action: 'device.restored' },
    ]);
  });
});

describe('POST /devices/:uid/revoke and /restore', () => {
  it.each<[string, () => Promise<string> | string, number]>([
    ['an operator', () => staff.token, 200],
    ["the organization's admin", () => admin.token, 200],
    ["the organization's employee", () => clerk.token, 403],
    ["the site's owner", () => owner.token, 403],
    ["another organization's admin", foreignAdmin, 404],
    ['a stranger', async () => (await cloud.make.user()).token, 404],
    ['the admin with a token of another organization', elsewhere, 404],
    ['an operator without the scope', withoutScope, 403],
  ])('the role decides the answer to a call by %s', async (_who, token, status) => {
    const { uid } = await cloud.make.site({ ownerId: owner.id, organizationId: home });
    const given = await token();
    expect((await change('revoke', uid, given)).status).toBe(status);
    expect((await change('restore', uid, given)).status).toBe(status);
  });

  it('an unknown device is answered 404', async () => {
    for (const uid of ['nosuchdevice', 'x'.repeat(65), '%00', '..%2f..']) {
      expect([400, 404]).toContain((await change('revoke', uid, staff.token)).status);
    }
  });

  async function foreignAdmin(): Promise<string> {
    return (await cloud.make.employee(await cloud.make.organization(), 'owner')).token;
  }
  async function elsewhere(): Promise<string> {
    return cloud.make.token(admin.id, { organizationId: await cloud.make.organization() });
  }
  function withoutScope(): Promise<string> {
    return cloud.make.token(staff.id, { scopes: ['sites:read_all'] });
  }
});
