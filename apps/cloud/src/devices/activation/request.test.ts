import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let automatic: TestCloud;
let home: number;
let admin: TestUser;
let staff: TestUser;
let user: TestUser;
beforeAll(async () => {
  [cloud, automatic] = await Promise.all([startTestCloud({ deviceActivation: 'manual' }), startTestCloud()]);
  home = await cloud.make.organization();
  [admin, staff, user] = await Promise.all([
    cloud.make.employee(home, 'admin'),
    cloud.make.user({ staff: true }),
    cloud.make.user(),
  ]);
});
afterAll(async () => {
  await Promise.all([cloud?.[Symbol.asyncDispose](), automatic?.[Symbol.asyncDispose]()]);
});

const request = (body: object, token: string | undefined = user.token) =>
  cloud.call('POST /api/v1/sites/request_activation', { token, body });

const waiting = () => cloud.make.device({ activated: false });

interface Waiting {
  readonly uid: string;
  readonly message: string;
}

const requests = (token = staff.token) =>
  cloud.call<Waiting[]>('GET /api/v1/activation_requests?limit=200', { token });

const requestFor = async (uid: string, token = staff.token) =>
  (await requests(token)).body.find((request) => request.uid === uid);

const REQUESTED = {
  status: 200,
  body: { status: 'requested', site_id: null, site_name: null, trial_expires_at: null },
};

describe('POST /sites/request_activation', () => {
  it('a request for a waiting device is listed for those who decide', async () => {
    const uid = await waiting();
    const answer = await request({ uid, message: 'Roof of 7 Hill Road' });
    expect({ status: answer.status, body: answer.body }).toEqual(REQUESTED);
    expect(await requestFor(uid)).toEqual({
      uid,
      user: { id: user.id, email: user.email, name: 'Ada Example' },
      organization_id: null,
      message: 'Roof of 7 Hill Road',
      requested_at: new Date(cloud.clock.now()).toISOString(),
      device: expect.objectContaining({ uid, state: 'inactive', arch: 'arm64' }),
    });
    expect(await auditOf(cloud, uid)).toMatchObject([
      { action: 'device.activation_requested', actorId: user.id },
    ]);
  });

  it('a second request replaces the first', async () => {
    const uid = await waiting();
    await request({ uid, message: 'first' });
    const other = await cloud.make.user();
    await request({ uid }, other.token);
    expect(await requestFor(uid)).toMatchObject({ user: { id: other.id }, message: '' });
  });

  it('a request for an active device registers it', async () => {
    const uid = await cloud.make.device();
    const first = await request({ uid });
    expect(first).toMatchObject({
      status: 200,
      body: { status: 'activated', owner: { id: user.id }, token: expect.any(String), url: null },
    });
    const again = await request({ uid, code: 'nonsense' });
    expect(again).toMatchObject({ status: 200, body: { status: 'activated', id: first.body.id } });
  });

  it('a request after the activation registers the device', async () => {
    const uid = await waiting();
    await request({ uid });
    await cloud.call(`POST /api/v1/devices/${uid}/activate`, { token: admin.token });
    expect(await requestFor(uid)).toBeUndefined();
    expect((await request({ uid })).body.status).toBe('activated');
  });

  it('a request concurrent with the activation leaves no request behind', async () => {
    const uids = await Promise.all(Array.from({ length: 12 }, waiting));
    const answers = await Promise.all(
      uids.flatMap((uid) => [
        request({ uid }),
        cloud.call(`POST /api/v1/devices/${uid}/activate`, { token: staff.token }),
      ]),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const left = (await requests()).body.filter(({ uid }) => uids.includes(uid));
    expect(left).toEqual([]);
  });

  it('a request is granted at once under the automatic policy', async () => {
    const uid = await automatic.make.device({ activated: false });
    const { id, token } = await automatic.make.user();
    const answer = await automatic.call('POST /api/v1/sites/request_activation', { token, body: { uid } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'activated', owner: { id } } });
    expect((await auditOf(automatic, uid))[0]).toMatchObject({
      action: 'device.activated',
      actorId: id,
      details: { by: 'policy' },
    });
  });
});

describe('a refused request for activation', () => {
  it.each<[string, () => Promise<object>, number]>([
    ['an unknown uid', async () => ({ uid: 'nosuchdevice' }), 404],
    ["another account's device", async () => ({ uid: (await cloud.make.site()).uid }), 404],
    ['no uid', async () => ({}), 400],
    ['an empty uid', async () => ({ uid: '' }), 400],
    ['a uid that is a list', async () => ({ uid: [] }), 400],
    ['a message without end', async () => ({ uid: await waiting(), message: 'x'.repeat(10_000) }), 400],
    ['a wrong code', async () => ({ uid: await waiting(), code: 'AAAAA' }), 422],
  ])('a request with %s has its reason in the nested error message', async (_what, body, status) => {
    expect(await request(await body())).toMatchObject({
      status,
      body: { error: { message: expect.any(String) } },
    });
  });

  it('a request without a token or the scope has its reason in the nested error message', async () => {
    const body = { uid: await waiting() };
    const without = await cloud.make.token(user.id, { scopes: ['sites:read_all'] });
    const nested = { error: { message: expect.any(String) } };
    expect(await cloud.call('POST /api/v1/sites/request_activation', { body })).toMatchObject({
      status: 401,
      body: nested,
    });
    expect(await request(body, without)).toMatchObject({ status: 403, body: nested });
  });

  it('a caller at the limit is refused, and no other caller is', async () => {
    const [uid, hasty] = [await waiting(), await cloud.make.user()];
    const answers = await Promise.all(Array.from({ length: 25 }, () => request({ uid }, hasty.token)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body).toEqual({ error: { message: expect.any(String) } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await request({ uid })).body.status).toBe('requested');
  });
});

describe('GET /activation_requests', () => {
  it('admins list the requests of customers and employees of their organization', async () => {
    const customer = await cloud.make.user();
    await cloud.db
      .updateTable('users')
      .set({ organization_id: home })
      .where('id', '=', customer.id)
      .execute();
    const [mine, others, provisioned] = await Promise.all([
      waiting(),
      waiting(),
      cloud.make.device({ activated: false, organizationId: home }),
    ]);
    await request({ uid: mine }, customer.token);
    await request({ uid: others });
    await request({ uid: provisioned });
    const seen = (await requests(admin.token)).body.map(({ uid }) => uid);
    expect(seen).toContain(mine);
    expect(seen).toContain(provisioned);
    expect(seen).not.toContain(others);
    const posted = await cloud.make.token(staff.id, { organizationId: await cloud.make.organization() });
    expect((await requests(posted)).body).toEqual([]);
  });

  it('other accounts are refused', async () => {
    const clerk = await cloud.make.employee(home);
    for (const { token } of [user, clerk]) expect((await requests(token)).status).toBe(403);
  });
});

describe('DELETE /activation_requests/:uid', () => {
  const decline = (uid: string, token = staff.token) =>
    cloud.call(`DELETE /api/v1/activation_requests/${uid}`, { token });

  it('a declined request is gone and can be made again', async () => {
    const uid = await waiting();
    await request({ uid });
    expect(await decline(uid)).toMatchObject({ status: 204 });
    expect(await requestFor(uid)).toBe(undefined);
    const [declined] = (await auditOf(cloud, uid)).toReversed();
    expect(declined).toMatchObject({ action: 'device.activation_declined', actorId: staff.id });
    expect(await decline(uid)).toMatchObject({ status: 404 });
    expect((await request({ uid })).body).toEqual(REQUESTED.body);
    expect(await requestFor(uid)).toMatchObject({ uid });
  });

  it('an admin can decline requests of the own organization only', async () => {
    const [own, other] = [
      await cloud.make.device({ activated: false, organizationId: home }),
      await waiting(),
    ];
    await request({ uid: own });
    await request({ uid: other });
    expect(await decline(other, admin.token)).toMatchObject({ status: 404 });
    expect(await decline(own, user.token)).toMatchObject({ status: 403 });
    expect(await decline(own, admin.token)).toMatchObject({ status: 204 });
    expect([await requestFor(own), await requestFor(other)]).toEqual([undefined, expect.anything()]);
  });
});
