import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let home: number;
let abroad: number;
let staff: TestUser;
let owner: TestUser;
let admin: TestUser;
let clerk: TestUser;
let rival: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
  [home, abroad] = await Promise.all([cloud.make.organization(), cloud.make.organization()]);
  [staff, owner, admin, clerk, rival, stranger] = await Promise.all([
    cloud.make.user({ staff: true }),
    cloud.make.employee(home, 'owner'),
    cloud.make.employee(home, 'admin'),
    cloud.make.employee(home, 'member'),
    cloud.make.employee(abroad, 'admin'),
    cloud.make.user(),
  ]);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const waiting = (organizationId: number | null = null) =>
  cloud.make.device({ activated: false, organizationId });

const activate = (uid: string, token: string, body?: object) =>
  cloud.call(`POST /api/v1/devices/${uid}/activate`, { token, body });

describe('POST /devices/:uid/activate', () => {
  it.each<[string, () => string, object | undefined, () => number | null]>([
    ['an operator, for no organization', () => staff.token, undefined, () => null],
    ['the owner of an organization, for it', () => owner.token, undefined, () => home],
    ['an admin of an organization, for it', () => admin.token, {}, () => home],
  ])('a device is activated by %s', async (_who, token, body, organization) => {
    const uid = await waiting();
    const answer = await activate(uid, token(), body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        uid,
        state: 'unregistered',
        activated_at: new Date(cloud.clock.now()).toISOString(),
        organization_id: organization(),
        site_id: null,
        online: false,
        last_seen_at: null,
        revoked_at: null,
      },
    });
    expect(await auditOf(cloud, uid)).toMatchObject([
      { action: 'device.activated', via: 'api', organizationId: organization(), details: { by: 'person' } },
    ]);
  });

  it('an operator activates a device for a named organization, which must exist', async () => {
    const uid = await waiting();
    for (const organization_id of [2_000_000_000, 3_000_000_000, 0, -1]) {
      expect(await activate(uid, staff.token, { organization_id })).toMatchObject({
        status: 422,
        body: { errors: { organization_id: ['does not exist'] } },
      });
    }
    const named = await activate(uid, staff.token, { organization_id: abroad });
    expect(named.body).toMatchObject({ organization_id: abroad });
  });

  it('an activated device can be registered', async () => {
    const uid = await waiting();
    const register = () =>
      cloud.call('POST /api/v1/sites/register', { token: stranger.token, body: { uid } });
    expect((await register()).status).toBe(422);
    await activate(uid, admin.token);
    expect((await register()).status).toBe(200);
  });

  it('a second activation changes nothing', async () => {
    const uid = await waiting();
    const first = await activate(uid, admin.token);
    cloud.clock.advance(1000);
    expect((await activate(uid, admin.token)).body).toEqual(first.body);
    expect((await activate(uid, staff.token, { organization_id: abroad })).body).toEqual(first.body);
    expect(await auditOf(cloud, uid)).toHaveLength(1);
  });

  it('concurrent activations are recorded once', async () => {
    const uid = await waiting();
    const answers = await Promise.all(
      [owner, admin, staff, owner, admin, staff].map(({ token }) => activate(uid, token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await auditOf(cloud, uid)).toHaveLength(1);
  });

  it('an activation removes the request for it', async () => {
    const uid = await waiting();
    const body = { uid, message: 'please' };
    await cloud.call('POST /api/v1/sites/request_activation', { token: stranger.token, body });
    await activate(uid, staff.token);
    const { body: requests } = await cloud.call<{ uid: string }[]>(
      'GET /api/v1/activation_requests?limit=200',
      {
        token: staff.token,
      },
    );
    expect(requests.map((request) => request.uid)).not.toContain(uid);
  });
});

describe('refused calls of POST /devices/:uid/activate', () => {
  it.each<[string, () => string]>([
    ['an account without an organization', () => stranger.token],
    ['an employee who is no admin', () => clerk.token],
  ])('a call by %s gets the same answer for known and unknown devices', async (_who, token) => {
    const uid = await waiting();
    const known = await activate(uid, token());
    const unknown = await activate('nosuchdevice', token());
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect(known.body).toEqual(unknown.body);
  });

  it("a call by another organization's admin is refused", async () => {
    const provisioned = await waiting(home);
    const taken = (await cloud.make.site({ organizationId: home })).uid;
    const somebodys = (await cloud.make.site()).uid;
    for (const uid of [provisioned, taken, somebodys, 'nosuchdevice']) {
      expect((await activate(uid, rival.token)).status).toBe(404);
    }
    expect((await activate(provisioned, admin.token)).body.organization_id).toBe(home);
  });

  it('a call for an organization that the caller does not manage, or that the device is not of, is refused', async () => {
    const uid = await waiting();
    expect((await activate(uid, admin.token, { organization_id: abroad })).status).toBe(403);
    expect((await activate(await waiting(home), staff.token, { organization_id: abroad })).status).toBe(422);
  });

  it('a call with a token of another organization is refused', async () => {
    const posted = await cloud.make.token(staff.id, { organizationId: abroad });
    expect((await activate(await waiting(home), posted)).status).toBe(404);
    expect((await activate(await waiting(), posted)).body.organization_id).toBe(abroad);
    const elsewhere = await cloud.make.token(admin.id, { organizationId: abroad });
    expect((await activate(await waiting(), elsewhere)).status).toBe(403);
  });

  it('a call without the scope is refused', async () => {
    const token = await cloud.make.token(staff.id, { scopes: ['sites:read_all'] });
    expect((await activate(await waiting(), token)).status).toBe(403);
  });
});

it('an activation by a manager of several organizations needs organization_id', async () => {
  const other = await cloud.make.organization();
  const busy = await cloud.make.employee(home, 'admin');
  await cloud.db
    .insertInto('organization_members')
    .values({ organization_id: other, user_id: busy.id, role: 'owner' })
    .execute();
  const uid = await waiting();
  expect(await activate(uid, busy.token)).toMatchObject({
    status: 422,
    body: { errors: { organization_id: ["can't be blank"] } },
  });
  expect((await activate(uid, busy.token, { organization_id: other })).body.organization_id).toBe(other);
});

describe('the limit on unknown uids', () => {
  const tries = async (token: string, count: number, from?: string) => {
    const at = from === undefined ? {} : { from };
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        cloud.call(`POST /api/v1/devices/guess-${i}/activate`, { token, ...at }),
      ),
    );
    return answers.filter(({ status }) => status === 429);
  };

  it('an account that tries uids is refused, and no other account is', async () => {
    const guesser = await cloud.make.employee(abroad, 'admin');
    const [refused] = await tries(guesser.token, 70);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const uid = await waiting();
    expect((await activate(uid, guesser.token)).status).toBe(429);
    expect((await activate(uid, admin.token)).status).toBe(200);
  });

  it('look-ups of visible devices do not count', async () => {
    const installer = await cloud.make.employee(abroad, 'admin');
    const uid = await waiting();
    for (let round = 0; round < 7; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => activate(uid, installer.token)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    }
  });
});
