import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let ada: TestUser;
let session: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
  session = await cloud.make.token(ada.id, { kind: 'session' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const READ = { name: 'Grafana', scopes: ['sites:read_all'] };
const create = (token = session) => cloud.call('POST /api/v1/user/tokens', { token, body: READ });
const revoke = (id: unknown, token = session) => cloud.call(`DELETE /api/v1/user/tokens/${id}`, { token });
const statusOf = async (token: unknown) =>
  (await cloud.call('GET /api/v1/user', { token: String(token) })).status;

describe('DELETE /user/tokens/:id', () => {
  it('an API token ends at once, and is revoked once', async () => {
    const { id, token } = (await create()).body;
    expect(await statusOf(token)).toBe(200);
    const answers = await Promise.all([revoke(id), revoke(id), revoke(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    expect(await statusOf(token)).toBe(401);
    const { body } = await cloud.call<{ id: number }[]>('GET /api/v1/user/tokens', { token: session });
    expect(body.map((listed) => listed.id)).not.toContain(id);
  });

  it.each(['0', '-1', 'x', '2147483648', '999999'])('the token %s is not found', async (id) => {
    expect(await revoke(id)).toMatchObject({ status: 404, body: { error: 'Not found' } });
  });

  it('tokens and sessions of other accounts are not found', async () => {
    const eve = await cloud.make.user();
    const { id, token } = (await create(await cloud.make.token(eve.id, { kind: 'session' }))).body;
    expect((await revoke(id)).status).toBe(404);
    expect(await statusOf(token)).toBe(200);
    const { body } = await cloud.call<{ id: number }[]>('GET /api/v1/user/sessions', { token: session });
    expect((await revoke(body[0]?.id)).status).toBe(404);
  });

  it('creation and revocation are recorded without the token', async () => {
    const { id, token } = (await create()).body;
    await revoke(id);
    const events = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'user_id', 'details'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(events).toMatchObject([
      { action: 'token.revoked', actor_id: ada.id, user_id: ada.id, details: { id, kind: 'api' } },
      {
        action: 'token.created',
        actor_id: ada.id,
        user_id: ada.id,
        details: { id, scopes: ['sites:read_all'] },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(String(token).slice(4));
  });
});

it.each([
  ['session', 'spends'],
  ['api', 'leaves'],
] as const)('the end of a token of kind %s %s the handovers of sessions', async (kind, effect) => {
  const { id: userId } = await cloud.make.user();
  const own = await cloud.make.token(userId, { kind: 'session' });
  await cloud.make.oneTimeToken('session', { userId });
  const path = kind === 'session' ? 'sessions' : 'tokens';
  const { body } = await cloud.call<{ id: number }[]>(`GET /api/v1/user/${path}`, { token: own });
  expect((await cloud.call(`DELETE /api/v1/user/${path}/${body[0]?.id}`, { token: own })).status).toBe(204);
  const handover = await cloud.db
    .selectFrom('one_time_tokens')
    .select('spent_at')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(handover.spent_at !== null).toBe(effect === 'spends');
});

it('an account has at most 100 live API tokens under concurrent requests', async () => {
  const { id } = await cloud.make.user();
  const own = await cloud.make.token(id, { kind: 'session' });
  const expiresAt = new Date(cloud.clock.now() + DAY_MS);
  for (let i = 0; i < 96; i++) await cloud.make.token(id, { expiresAt });
  // With the one that the factory gives every user there is room for three.
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(own)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.body).toEqual({
    error: expect.stringContaining('100'),
  });
  expect((await create(session)).status).toBe(201);
  const made = answers.find(({ status }) => status === 201)?.body.id;
  expect((await revoke(made, own)).status).toBe(204);
  expect((await create(own)).status).toBe(201);
  expect((await create(own)).status).toBe(422);
  cloud.clock.advance(DAY_MS);
  const freshly = await cloud.make.token(id, { kind: 'session' });
  expect((await create(freshly)).status).toBe(201);
});

describe('GET /user/sessions', () => {
  it('sessions are listed, the newest first, and can be ended', async () => {
    const { email, id } = await cloud.make.user();
    const signIn = async () =>
      (
        await cloud.call('POST /api/v1/sign_in', {
          body: { email, password: PASSWORD, organization_id: 'none' },
        })
      ).body;
    const phone = await signIn();
    const laptop = await signIn();
    const sessions = async () =>
      (
        await cloud.call<{ id: number; current: boolean }[]>('GET /api/v1/user/sessions', {
          token: String(laptop.token),
        })
      ).body;
    const listed = await sessions();
    expect(listed).toEqual([
      {
        id: expect.any(Number),
        current: true,
        organization: null,
        created_at: expect.any(String),
        expires_at: laptop.expires_at,
        last_used_at: expect.toBeOneOf([null, new Date(cloud.clock.now()).toISOString()]),
        last_used_address: expect.toBeOneOf([null, expect.any(String)]),
      },
      expect.objectContaining({ current: false }),
    ]);
    const end = (token: unknown) =>
      cloud.call(`DELETE /api/v1/user/sessions/${listed[1]?.id}`, { token: String(token) });
    expect((await end(session)).status).toBe(404);
    expect((await end(laptop.token)).status).toBe(204);
    expect((await end(laptop.token)).status).toBe(404);
    expect(await statusOf(phone.token)).toBe(401);
    expect(await sessions()).toHaveLength(1);
    expect(await statusOf(await cloud.make.token(id))).toBe(200);
  });
});
