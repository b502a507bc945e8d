import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let user: TestUser;
let home: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  user = await cloud.make.user();
  home = await cloud.make.organization(user.id);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const openSession = async (organization_id: number | 'none' = 'none'): Promise<string> => {
  const body = { email: user.email, password: PASSWORD, organization_id };
  return String((await cloud.call('POST /api/v1/sign_in', { body })).body.token);
};
const createHandover = (token: string): Promise<Answer> => cloud.call('POST /api/v1/session', { token });
const take = (session_token: unknown): Promise<Answer> =>
  cloud.call('POST /api/v1/sign_in', { body: { session_token } });

describe('POST /session', () => {
  it.each([
    ['an organization', true],
    ['no organization', false],
  ])('a handover opens another session of %s', async (_what, restricted) => {
    const id = restricted ? home : null;
    const { status, body } = await createHandover(await openSession(id ?? 'none'));
    expect(status).toBe(200);
    expect(body).toEqual({ session_token: expect.stringMatching(/^hg1_/) });
    const session = await take(body.session_token);
    const organization = id === null ? null : { id, name: expect.any(String) };
    expect(session).toMatchObject({ status: 200, body: { user: { id: user.id, organization } } });
  });

  it('a handed-over session expires with the original one', async () => {
    const first = await cloud.call('POST /api/v1/sign_in', {
      body: { email: user.email, password: PASSWORD, organization_id: 'none' },
    });
    cloud.clock.advance(60 * 60_000);
    const { session_token } = (await createHandover(String(first.body.token))).body;
    expect((await take(session_token)).body.expires_at).toBe(first.body.expires_at);
  });

  it('a handover token is accepted once under concurrent use', async () => {
    const { session_token } = (await createHandover(await openSession())).body;
    const answers = await Promise.all([take(session_token), take(session_token), take(session_token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('a handover token needs no other field and ignores others', async () => {
    for (const others of [
      { email: user.email, organization_id: home, password: '' },
      { pending_token: 'x' },
    ]) {
      const { session_token } = (await createHandover(await openSession())).body;
      const session = await cloud.call('POST /api/v1/sign_in', { body: { session_token, ...others } });
      expect(session).toMatchObject({ status: 200, body: { user: { id: user.id, organization: null } } });
    }
  });

  it('a handover token expires after sixty seconds', async () => {
    const session = await openSession();
    const [late, timely] = [await createHandover(session), await createHandover(session)];
    cloud.clock.advance(59_999);
    expect((await take(timely.body.session_token)).status).toBe(200);
    cloud.clock.advance(1);
    expect((await take(late.body.session_token)).status).toBe(401);
  });

  it('a handover token is refused once the account has lost its access to the organization', async () => {
    const { session_token } = (await createHandover(await openSession(home))).body;
    await cloud.db.deleteFrom('organization_members').where('user_id', '=', user.id).execute();
    expect((await take(session_token)).status).toBe(401);
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: home, user_id: user.id, role: 'member' })
      .execute();
  });

  it.each(['', ' ', 'a\0b', '\ud800', 'hg1_nonsense', 0, true, null, [], {}])(
    'an invalid handover token is refused: %.20s',
    async (session_token) => {
      expect([400, 401]).toContain((await take(session_token)).status);
    },
  );

  it.each(['api', 'oauth'] as const)('an %s token cannot hand a session over', async (kind) => {
    const token = await cloud.make.token(user.id, { kind });
    expect((await createHandover(token)).status).toBe(403);
    expect((await cloud.call('DELETE /api/v1/session', { token })).status).toBe(403);
  });
});

describe('DELETE /session', () => {
  it('a sign-out ends its own session and no other', async () => {
    const [one, other] = [await openSession(), await openSession()];
    expect((await cloud.call('DELETE /api/v1/session', { token: one })).status).toBe(204);
    expect((await cloud.call('GET /api/v1/user', { token: one })).status).toBe(401);
    expect((await cloud.call('DELETE /api/v1/session', { token: one })).status).toBe(401);
    expect((await cloud.call('GET /api/v1/user', { token: other })).status).toBe(200);
  });

  it('a sign-out revokes the handover tokens of its session', async () => {
    const session = await openSession();
    const { session_token } = (await createHandover(session)).body;
    expect((await cloud.call('DELETE /api/v1/session', { token: session })).status).toBe(204);
    expect((await take(session_token)).status).toBe(401);
  });
});

it('a password change leaves no session of a concurrent sign-in with the old password', async () => {
  const person = await cloud.make.user();
  const reset = await cloud.make.oneTimeToken('reset', { userId: person.id });
  const body = { email: person.email, password: PASSWORD, organization_id: 'none' };
  const [changed, ...signedIn] = await Promise.all([
    cloud.call(`PUT /api/v1/password/reset/${reset}`, {
      body: { password: 'Another-horse-7', organization_id: 'none' },
    }),
    ...Array.from({ length: 8 }, () => cloud.call('POST /api/v1/sign_in', { body })),
  ]);
  expect(changed.status).toBe(200);
  for (const { status, body: session } of signedIn) {
    if (status !== 200) continue;
    expect((await cloud.call('GET /api/v1/user', { token: String(session.token) })).status).toBe(401);
  }
});
