import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
  bob = await cloud.make.user();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const register = (body: unknown, token = ada.token) =>
  cloud.call('POST /api/v1/sites/register', { token, body });

describe('POST /sites/register', () => {
  it('an activated device becomes a site of the caller', async () => {
    const uid = await cloud.make.device({ inverter: 'SunSpec' });
    const { status, body } = await register({ uid, name: 'Meadow-1', description: 'South roof' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Meadow-1',
      description: 'South roof',
      inverter: 'SunSpec',
      owner: { id: ada.id, role: 'owner' },
      url: 'https://meadow-1.us.example.org',
    });
  });

  it('the case of a uid and spaces around it do not matter', async () => {
    const uid = await cloud.make.device();
    const written = ` ${uid.toUpperCase()} `;
    const { status, body } = await register({ uid: written });
    expect(status).toBe(200);
    for (const q of [`uid:${uid.toUpperCase()}`, `uid:" ${uid.toUpperCase()} "`]) {
      const path = `/api/v1/sites?q=${encodeURIComponent(q)}`;
      expect((await cloud.call(`GET ${path}`, { token: ada.token })).body).toMatchObject([{ id: body.id }]);
    }
    const staff = await cloud.make.user({ staff: true });
    const device = `GET /api/v1/devices/${encodeURIComponent(written)}`;
    expect((await cloud.call(device, { token: staff.token })).body).toMatchObject({ uid });
    const list = `GET /api/v1/devices?q=${uid.toUpperCase()}`;
    expect((await cloud.call(list, { token: staff.token })).body).toMatchObject([{ uid }]);
  });

  it('a second registration by the owner returns the site unchanged', async () => {
    const uid = await cloud.make.device();
    const first = await register({ uid, name: 'first' });
    const again = await register({ uid, name: 'not a hostname', description: 'changed' });
    expect(again).toMatchObject({ status: 200, body: { ...first.body, token: expect.any(String) } });
  });

  it('the answer has a token for the new site', async () => {
    const { body } = await register({ uid: await cloud.make.device() });
    expect(decodeJwt(String(body.token))).toMatchObject({
      sub: String(ada.id),
      site: body.id,
      access: 'write',
    });
    const blind = await cloud.make.token(ada.id, { scopes: ['sites:write_all'] });
    const { status, body: withoutToken } = await register({ uid: await cloud.make.device() }, blind);
    expect(status).toBe(200);
    expect(withoutToken).not.toHaveProperty('token');
  });

  it('an activated device that never called can be registered', async () => {
    await cloud.db
      .insertInto('devices')
      .values({ uid: 'provisioned', activated_at: new Date(cloud.clock.now()) })
      .execute();
    expect(await register({ uid: 'provisioned' })).toMatchObject({ status: 200, body: { arch: null } });
  });

  it('a revoked device is answered 404', async () => {
    const uid = await cloud.make.device();
    await cloud.db
      .updateTable('devices')
      .set({ revoked_at: new Date(cloud.clock.now()) })
      .where('uid', '=', uid)
      .execute();
    expect((await register({ uid })).status).toBe(404);
  });

  it('a registration is recorded once', async () => {
    const uid = await cloud.make.device();
    const { body } = await register({ uid, name: 'recorded' });
    await register({ uid, name: 'recorded' });
    const records = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'site_id', 'details'])
      .where('device_uid', '=', uid)
      .execute();
    const [record] = records;
    expect(records).toHaveLength(1);
    expect(record).toEqual({
      action: 'site.registered',
      actor_id: ada.id,
      site_id: body.id,
      details: { name: 'recorded' },
    });
  });

  it('a site registered without a name is unnamed', async () => {
    for (const name of [undefined, null]) {
      const { status, body } = await register({ uid: await cloud.make.device(), name });
      expect({ status, name: body.name, url: body.url }).toEqual({ status: 200, name: null, url: null });
    }
  });

  it('a token with the write scope alone can register a site', async () => {
    const token = await cloud.make.token(ada.id, { scopes: ['sites:write_all'] });
    expect(await register({ uid: await cloud.make.device() }, token)).toMatchObject({
      status: 200,
      body: { owner: { id: ada.id } },
    });
  });

  it("another account's device is answered 404", async () => {
    const uid = await cloud.make.device();
    await register({ uid, name: 'adas' });
    const answer = await register({ uid, name: 'bobs' }, bob.token);
    const unknown = await register({ uid: 'nobody' }, bob.token);
    expect(answer).toMatchObject({ status: 404, body: unknown.body });
    const operator = await cloud.make.user({ staff: true });
    expect((await register({ uid }, operator.token)).status).toBe(404);
  });

  it.each<[string, () => Promise<object>, number, object]>([
    [
      'an unknown uid',
      async () => ({ uid: 'nobody' }),
      404,
      { error: 'No device with this uid is known here, or it belongs to another account' },
    ],
    ['no uid', async () => ({ name: 'x' }), 400, { error: expect.stringMatching(/uid/) }],
    ['an empty uid', async () => ({ uid: '' }), 422, { errors: { uid: expect.any(Array) } }],
    ['a uid of another type', async () => ({ uid: 7 }), 400, { error: expect.any(String) }],
    [
      'a device that is not activated',
      async () => ({ uid: await cloud.make.device({ activated: false }), name: 'later' }),
      422,
      { error: expect.stringMatching(/not activated/) },
    ],
    [
      'a name that is taken, in another case',
      async () => {
        await register({ uid: await cloud.make.device(), name: 'taken' });
        return { uid: await cloud.make.device(), name: 'TAKEN' };
      },
      422,
      { errors: { name: ['is already taken'] } },
    ],
  ])('a registration with %s is refused', async (_what, body, status, answer) => {
    expect(await register(await body())).toMatchObject({ status, body: answer });
  });

  it.each([
    '',
    ' ',
    'my site',
    '-a',
    'a-',
    'a.b',
    'a_b',
    'ä',
    'a/b',
    '../x',
    `${'a'.repeat(64)}`,
    'a'.repeat(5000),
  ])('the name "%.20s", which is no hostname label, is refused with 422', async (name) => {
    const uid = await cloud.make.device();
    const { status, body } = await register({ uid, name });
    expect(status).toBe(422);
    expect(body).toEqual({ errors: { name: [expect.stringMatching(/hostname label/)] } });
    expect((await register({ uid, name: 'a'.repeat(63) }, ada.token)).status).toBeOneOf([200, 422]);
  });

  it.each(['www', 'api', 'Admin', 'login'])('the reserved name "%s" is refused with 422', async (name) => {
    const uid = await cloud.make.device();
    expect(await register({ uid, name })).toMatchObject({
      status: 422,
      body: { errors: { name: ['is reserved for the service, choose another'] } },
    });
    expect((await register({ uid, name: `${name}-home` })).status).toBe(200);
  });

  it('a new site belongs to the organization of the token, or of its owner', async () => {
    const carol = await cloud.make.user();
    const first = await cloud.make.organization(carol.id);
    const second = await cloud.make.organization(carol.id);
    const scoped = await cloud.make.token(carol.id, { organizationId: second });
    const organizationOf = async (token: string) => {
      const { body } = await register({ uid: await cloud.make.device() }, token);
      const site = await cloud.call(`GET /api/v1/sites/${body.id}`, { token });
      return (site.body.organization as { id: number } | null)?.id;
    };
    expect(await organizationOf(carol.token)).toBe(first);
    expect(await organizationOf(scoped)).toBe(second);
    expect(await organizationOf(bob.token)).toBeUndefined();
  });

  it('exactly one of many concurrent registrations gets the device', async () => {
    const uid = await cloud.make.device();
    const users = await Promise.all(Array.from({ length: 4 }, () => cloud.make.user()));
    // The row of the device is locked until all four wait for it.
    const answers = await cloud.db.transaction().execute(async (tx) => {
      await sql`select from devices where uid = ${uid} for update`.execute(tx);
      const registering = Promise.all(users.map(({ token }) => register({ uid }, token)));
      await expect.poll(() => cloud.waitingForLocks()).toBe(users.length);
      return { registering };
    });
    const statuses = (await answers.registering).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 404, 404, 404]);
  });

  it('exactly one of many concurrent registrations gets the name', async () => {
    const uids = await Promise.all(Array.from({ length: 6 }, () => cloud.make.device()));
    const answers = await Promise.all(uids.map((uid) => register({ uid, name: 'wanted' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});
