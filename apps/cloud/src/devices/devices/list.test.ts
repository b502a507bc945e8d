import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, connect, newDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const UIDS = ['a-home', 'b-nobodys', 'c-site', 'd-private', 'e-lent', 'f_%odd', 'g-new'];

let cloud: TestCloud;
let home: number;
let staff: TestUser;
let clerk: TestUser;
let owner: TestUser;
let member: TestUser;
let site: { id: number; uid: string };
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
  home = await cloud.make.organization();
  [staff, clerk, owner, member] = await Promise.all([
    cloud.make.user({ staff: true }),
    cloud.make.employee(home),
    cloud.make.user(),
    cloud.make.user(),
  ]);
  await cloud.make.device({ uid: 'a-home', organizationId: home });
  await cloud.make.device({ uid: 'b-nobodys', activated: false });
  site = await cloud.make.site({ ownerId: owner.id, organizationId: home, device: { uid: 'c-site' } });
  await cloud.make.member(site.id, member.id, 'member');
  await cloud.make.site({ ownerId: owner.id, device: { uid: 'd-private' } });
  await cloud.make.site({ organizationId: home, device: { uid: 'e-lent', organizationId: await other() } });
  await cloud.make.device({ uid: 'f_%odd' });
  await cloud.call('POST /api/v1/devices', { token: staff.token, body: { uid: 'g-new', activate: true } });
  await cloud.call('POST /api/v1/devices/f_%25odd/revoke', { token: staff.token });
});
/** Every test finds the same devices. */
afterEach(() => cloud.db.deleteFrom('devices').where('uid', 'not in', UIDS).execute());
afterAll(() => cloud?.[Symbol.asyncDispose]());

const other = () => cloud.make.organization();

async function list(query = '', token = staff.token): Promise<string[]> {
  const { status, body } = await cloud.call<{ uid: string }[]>(`GET /api/v1/devices${query}`, { token });
  expect(status).toBe(200);
  return body.map(({ uid }) => uid);
}

describe('GET /devices', () => {
  it.each<[string, () => Promise<string> | string, string[]]>([
    ['operators', () => staff.token, UIDS],
    ['employees', () => clerk.token, ['a-home', 'c-site']],
    ['the owner of sites', () => owner.token, ['c-site', 'd-private']],
    ['a member of a site', () => member.token, ['c-site']],
    ['a stranger', async () => (await cloud.make.user()).token, []],
    [
      'operators with a token of the organization',
      () => cloud.make.token(staff.id, { organizationId: home }),
      ['a-home', 'c-site'],
    ],
    [
      'employees with a token of another',
      async () => cloud.make.token(clerk.id, { organizationId: await other() }),
      [],
    ],
    [
      'owners with a token of the organization',
      () => cloud.make.token(owner.id, { organizationId: home }),
      ['c-site'],
    ],
    ['owners with a token of one site', () => cloud.make.token(owner.id, { siteId: site.id }), ['c-site']],
  ])('the list and GET /devices/:uid of %s show the same devices', async (_who, token, expected) => {
    const given = await token();
    expect(await list('', given)).toEqual(expected);
    for (const uid of await list()) {
      const { status } = await cloud.call(`GET /api/v1/devices/${encodeURIComponent(uid)}`, { token: given });
      expect([uid, status]).toEqual([uid, expected.includes(uid) ? 200 : 404]);
    }
  });

  it.each([
    ['?q=c-', ['c-site']],
    ['?q=%20c-%20', ['c-site']],
    ['?q=f_%25', ['f_%odd']],
    ['?q=%25', []],
    ['?q=_', []],
    ['?q=%5C', []],
    ['?q=site', []],
    ['?state=provisioned', ['g-new']],
    ['?state=inactive', ['b-nobodys']],
    ['?state=unregistered', ['a-home']],
    ['?state=registered', ['c-site', 'd-private', 'e-lent']],
    ['?state=revoked', ['f_%odd']],
    ['?state=registered&q=d', ['d-private']],
    ['?offset=1&limit=2', ['b-nobodys', 'c-site']],
    ['?limit=0', []],
    ['?limit=100000&offset=5', ['f_%odd', 'g-new']],
    ['?offset=99999999999', []],
  ])('the query %s finds %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
    const shown = await cloud.call<{ state: string }[]>(`GET /api/v1/devices${query}`, {
      token: staff.token,
    });
    const state = new URLSearchParams(query).get('state');
    if (state !== null) expect(shown.body.every((device) => device.state === state)).toBe(true);
  });

  it.each(['?state=broken', '?limit=-1', '?limit=x', '?state=', '?q=%00'])(
    'the query %s is refused with 400',
    async (query) => {
      expect((await cloud.call(`GET /api/v1/devices${query}`, { token: staff.token })).status).toBe(400);
    },
  );

  it('operators read the names of organization, site and owner, and no other caller does', async () => {
    const named = await cloud.make.site({
      name: 'barn',
      ownerId: owner.id,
      organizationId: home,
      device: { uid: 'h-barn' },
    });
    const namesFor = async (token: string) => {
      const { body } = await cloud.call<Record<string, unknown>[]>('GET /api/v1/devices?q=h-barn', { token });
      return body.map((device) => [
        device.site_id,
        device.site_name,
        device.organization_name,
        device.owner_name,
      ]);
    };
    const { name: organization } = await cloud.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', home)
      .executeTakeFirstOrThrow();
    const [names] = await namesFor(staff.token);
    expect(names).toEqual([named.id, 'barn', organization, expect.stringMatching(/\S/)]);
    for (const token of [clerk.token, owner.token])
      expect(await namesFor(token)).toEqual([[named.id, null, null, null]]);
  });

  it('every public field of a device is present, and no secret', async () => {
    const device = await newDevice();
    await connect(cloud, device);
    const { body } = await cloud.call(`GET /api/v1/devices/${device.uid}`, { token: staff.token });
    const now = new Date(cloud.clock.now()).toISOString();
    expect(body).toEqual({
      uid: device.uid,
      state: 'inactive',
      organization_id: null,
      site_id: null,
      enrolled_at: now,
      activated_at: null,
      revoked_at: null,
      online: false,
      presence: 'never_seen',
      last_seen_at: null,
      proxy: null,
      arch: 'arm64',
      board: 'Raspberry Pi 5',
      version: '0.1.0',
      build_date: '2026-06-01T00:00:00.000Z',
      local_ip: '192.168.1.7',
      inverter: 'SunSpec',
      inverter_count: 1,
      battery: null,
      battery_count: 0,
    });
  });

  it('a device has the state of its silent hardware, and is offline after its proxy fell silent', async () => {
    await cloud.announce('us-1', { sessions: [{ uid: site.uid, site_id: site.id }] });
    const show = async () => {
      const { body } = await cloud.call(`GET /api/v1/devices/${site.uid}`, { token: staff.token });
      return body;
    };
    const seen = new Date(cloud.clock.now()).toISOString();
    expect(await show()).toMatchObject({ online: true, presence: 'online', last_seen_at: seen });
    await cloud.db
      .updateTable('devices')
      .set({ hardware_silent_since: new Date(cloud.clock.now()) })
      .where('uid', '=', site.uid)
      .execute();
    expect(await show()).toMatchObject({ online: true, presence: 'hardware_silent' });
    cloud.clock.advance(60_000);
    expect(await show()).toMatchObject({ online: false, presence: 'offline', last_seen_at: seen });
  });
});

describe('POST /devices', () => {
  const provision = (body: object, token = staff.token) =>
    cloud.call('POST /api/v1/devices', { token, body });

  it('an operator provisions a device before its first call, with or without an organization', async () => {
    const answer = await provision({ uid: ' h-made ', organization_id: home });
    const expected = { uid: 'h-made', state: 'provisioned', organization_id: home, activated_at: null };
    expect(answer).toMatchObject({ status: 201, body: expected });
    expect(await auditOf(cloud, 'h-made')).toMatchObject([
      { action: 'device.provisioned', actorId: staff.id, organizationId: home },
    ]);
    expect(await provision({ uid: 'h-made' })).toMatchObject({ status: 200, body: expected });
    expect(await provision({ uid: 'h-made', activate: true })).toMatchObject({
      status: 200,
      body: { activated_at: expect.any(String), organization_id: home },
    });
    expect(await auditOf(cloud, 'h-made')).toMatchObject([
      { action: 'device.provisioned' },
      { action: 'device.activated' },
    ]);
  });

  it.each<[object, number]>([
    [{}, 400],
    [{ uid: 7 }, 400],
    [{ uid: ['x'] }, 400],
    [{ uid: 'i-x', activate: 'yes' }, 400],
    [{ uid: 'i-x', organization_id: 'none' }, 400],
    [{ uid: '' }, 422],
    [{ uid: '  ' }, 422],
    [{ uid: 'x'.repeat(65) }, 422],
    [{ uid: 'x'.repeat(10_000) }, 422],
    [{ uid: 'with space' }, 422],
    [{ uid: "'; drop table devices" }, 422],
    [{ uid: 'i-x', organization_id: 4_000_000_000 }, 422],
  ])('the body %j is refused', async (body, status) => {
    expect((await provision(body)).status).toBe(status);
  });

  it('a call by an account other than an operator is refused', async () => {
    const admin = await cloud.make.employee(home, 'owner');
    const posted = await cloud.make.token(staff.id, { organizationId: home });
    for (const token of [admin.token, owner.token, posted]) {
      expect((await provision({ uid: 'j-made' }, token)).status).toBe(403);
    }
  });
});
