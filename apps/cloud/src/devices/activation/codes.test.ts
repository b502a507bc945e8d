import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let home: number;
let admin: TestUser;
let staff: TestUser;
let clerk: TestUser;
let user: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
  home = await cloud.make.organization();
  [admin, staff, clerk, user] = await Promise.all([
    cloud.make.employee(home, 'admin'),
    cloud.make.user({ staff: true }),
    cloud.make.employee(home, 'member'),
    cloud.make.user(),
  ]);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

interface Code {
  readonly id: number;
  readonly code: string;
  readonly uses_left: number;
  readonly expires_at: string | null;
}

const path = (id = home) => `/api/v1/organizations/${id}/activation_codes`;

const create = (body?: object, token = admin.token) => cloud.call<Code>(`POST ${path()}`, { token, body });

const list = async (token = admin.token) => (await cloud.call<Code[]>(`GET ${path()}`, { token })).body;

const redeem = (code: string, uid: string, token = user.token) =>
  cloud.call('POST /api/v1/sites/request_activation', { token, body: { uid, code } });

const waiting = (organizationId: number | null = null) =>
  cloud.make.device({ activated: false, organizationId });

const codeAudit = () =>
  cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id as actorId', 'organization_id as organizationId', 'details'])
    .where('action', 'in', ['activation_code.created', 'activation_code.revoked'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

describe('an activation code of an organization', () => {
  it('a code is shown once and not stored', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      code: expect.any(String),
      uses_left: 1,
      expires_at: null,
    });
    const [listed] = await list();
    expect(listed).toEqual({
      id: body.id,
      uses_left: 1,
      expires_at: null,
      created_at: new Date(cloud.clock.now()).toISOString(),
      created_by: admin.id,
    });
    const dump = JSON.stringify([
      await cloud.db.selectFrom('activation_codes').selectAll().execute(),
      await cloud.db.selectFrom('audit_events').selectAll().execute(),
    ]);
    expect(dump).not.toContain(body.code);
    expect(await codeAudit()).toEqual({
      action: 'activation_code.created',
      actorId: admin.id,
      organizationId: home,
      details: { code_id: body.id, uses: 1, expires_at: null },
    });
  });

  it('a code activates and registers a device for the organization of the code', async () => {
    const { body: made } = await create();
    const uid = await waiting();
    const answer = await redeem(made.code.toLowerCase().replaceAll('-', ' '), uid);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'activated', id: expect.any(Number), name: null, token: expect.any(String) },
    });
    const { body: device } = await cloud.call(`GET /api/v1/devices/${uid}`, { token: admin.token });
    expect(device).toMatchObject({ state: 'registered', organization_id: home, site_id: answer.body.id });
    const records = await auditOf(cloud, uid);
    expect(records.slice(0, 2)).toMatchObject([
      {
        action: 'device.activated',
        actorId: user.id,
        organizationId: home,
        details: { by: 'code', code_id: made.id },
      },
      { action: 'site.registered' },
    ]);
    expect((await list()).find(({ id }) => id === made.id)?.uses_left).toBe(0);
  });

  it('a code activates as many devices as it has uses under concurrent calls', async () => {
    const { body: made } = await create({ uses: 3 });
    const uids = await Promise.all(Array.from({ length: 8 }, () => waiting()));
    const answers = await Promise.all(uids.map((uid) => redeem(made.code, uid)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(5);
    for (const { status, body } of refused) {
      expect(status).toBe(422);
      expect(body).toEqual({ error: { message: 'The activation code is not valid or was used up' } });
    }
    const active = await cloud.db
      .selectFrom('devices')
      .select('uid')
      .where('uid', 'in', uids)
      .where('activated_at', 'is not', null)
      .execute();
    expect(active).toHaveLength(3);
  });

  it('repeated calls for one device take one use', async () => {
    const { body: made } = await create({ uses: 5 });
    const uid = await waiting();
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(made.code, uid)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await list()).find(({ id }) => id === made.id)?.uses_left).toBe(4);
  });

  it('a code is valid until it expires', async () => {
    const expires_at = new Date(cloud.clock.now() + 60_000).toISOString();
    const { body: made } = await create({ uses: 2, expires_at });
    expect(made.expires_at).toBe(expires_at);
    cloud.clock.advance(59_000);
    expect((await redeem(made.code, await waiting())).status).toBe(200);
    cloud.clock.advance(1_000);
    expect((await redeem(made.code, await waiting())).status).toBe(422);
  });

  it('a code is valid until it is revoked', async () => {
    const { body: made } = await create();
    expect((await cloud.call(`DELETE ${path()}/${made.id}`, { token: admin.token })).status).toBe(204);
    expect(await codeAudit()).toMatchObject({
      action: 'activation_code.revoked',
      details: { code_id: made.id },
    });
    expect((await redeem(made.code, await waiting())).status).toBe(422);
    expect((await cloud.call(`DELETE ${path()}/${made.id}`, { token: admin.token })).status).toBe(404);
  });

  it("a code is refused for another organization's device", async () => {
    const { body: made } = await create();
    const uid = await waiting(await cloud.make.organization());
    expect((await redeem(made.code, uid)).status).toBe(422);
    expect((await redeem(made.code, await waiting(home))).status).toBe(200);
  });

  it.each(['', '   ', 'AAAAA-BBBBB-CCCCC-DDDDD', "' or 1=1 --", 'x'.repeat(100)])(
    'the text %j is refused as a code',
    async (code) => {
      const { status, body } = await redeem(code, await waiting());
      if (code.trim() === '') expect(body.status).toBe('requested');
      else expect(status).toBe(422);
    },
  );
});

describe('the activation codes of an organization', () => {
  it.each<[object, number, object]>([
    [{ uses: 0 }, 422, { errors: { uses: ['must be at least 1, not 0'] } }],
    [{ uses: -1 }, 422, { errors: { uses: ['must be at least 1, not -1'] } }],
    [{ uses: 4_000_000_000 }, 422, { errors: { uses: ['must be at most 100000, not 4000000000'] } }],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 422, { errors: { expires_at: ['must be in the future'] } }],
    [{ uses: 1.5 }, 422, { errors: { uses: ['must be a whole number, not 1.5'] } }],
    [{ uses: '1' }, 422, { errors: { uses: ['must be a whole number, not a text'] } }],
    [{ expires_at: 'tomorrow' }, 422, { errors: { expires_at: [expect.any(String)] } }],
    [[], 400, {}],
  ])('a code with %j is refused', async (terms, status, body) => {
    expect(await create(terms)).toMatchObject({ status, body });
  });

  it.each<[string, () => Promise<string> | string, number, number]>([
    ["the organization's admin", () => admin.token, 201, 200],
    ['an operator', () => staff.token, 201, 200],
    ["the organization's employee", () => clerk.token, 403, 403],
    ['another account', () => user.token, 403, 403],
    ['the admin with a token of another organization', elsewhere, 403, 403],
    ['the admin with a token that only reads', reading, 403, 200],
  ])('codes are created and listed by role: %s', async (_who, token, made, listed) => {
    const given = await token();
    expect((await create({}, given)).status).toBe(made);
    expect((await cloud.call(`GET ${path()}`, { token: given })).status).toBe(listed);
    const { body } = await create();
    const removed = await cloud.call(`DELETE ${path()}/${body.id}`, { token: given });
    expect(removed.status).toBe(made === 201 ? 204 : 403);
  });

  it('codes are listed by page, the newest first', async () => {
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await create()).body.id);
    const page = async (query: string) => {
      const { body } = await cloud.call<Code[]>(`GET ${path()}?${query}`, { token: admin.token });
      return body.map(({ id }) => id);
    };
    expect(await page('limit=2')).toEqual([codes[2], codes[1]]);
    expect(await page('limit=1&offset=2')).toEqual([codes[0]]);
  });

  it('an organization lists its own codes, and an unknown one is answered 404', async () => {
    const elsewhere = await cloud.make.organization();
    const { body: made } = await create();
    for (const id of [999_999, 2_147_483_648]) {
      expect((await cloud.call(`POST ${path(id)}`, { token: staff.token })).status).toBe(404);
    }
    expect((await cloud.call(`DELETE ${path(elsewhere)}/${made.id}`, { token: staff.token })).status).toBe(
      404,
    );
    expect((await cloud.call(`DELETE ${path()}/2147483648`, { token: staff.token })).status).toBe(404);
  });

  async function elsewhere(): Promise<string> {
    return cloud.make.token(admin.id, { organizationId: await cloud.make.organization() });
  }
  function reading(): Promise<string> {
    return cloud.make.token(admin.id, { scopes: ['sites:read_all'] });
  }
});

describe('an activation code of the service', () => {
  const OF_SERVICE = '/api/v1/activation_codes';

  it("a code of the service activates devices of no organization and is in no organization's list", async () => {
    const { status, body } = await cloud.call<Code>(`POST ${OF_SERVICE}`, {
      token: staff.token,
      body: { uses: 2 },
    });
    expect([status, body.uses_left]).toEqual([201, 2]);
    const uid = await waiting();
    expect(await redeem(body.code, uid)).toMatchObject({ status: 200, body: { status: 'activated' } });
    const { body: device } = await cloud.call(`GET /api/v1/devices/${uid}`, { token: staff.token });
    expect(device).toMatchObject({ organization_id: null, state: 'registered' });
    const listed = await cloud.call<Code[]>(`GET ${OF_SERVICE}`, { token: staff.token });
    expect(listed.body).toMatchObject([{ id: body.id, uses_left: 1 }]);
    expect((await list()).map(({ id }) => id)).not.toContain(body.id);
  });

  it('operators revoke codes of the service, and no other, by that path', async () => {
    const { body: own } = await cloud.call<Code>(`POST ${OF_SERVICE}`, { token: staff.token });
    const { body: homes } = await create();
    const withdraw = (id: number) => cloud.call(`DELETE ${OF_SERVICE}/${id}`, { token: staff.token });
    expect([(await withdraw(homes.id)).status, (await withdraw(own.id)).status]).toEqual([404, 204]);
    expect(await codeAudit()).toMatchObject({ action: 'activation_code.revoked', organizationId: null });
    expect(await redeem(own.code, await waiting())).toMatchObject({ status: 422 });
  });
});
