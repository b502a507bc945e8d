import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { HashQueue } from '../../common/secrets/hash-queue.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let ada: TestUser;
let home: number;
let elsewhere: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user({ email: 'Ada@Example.org' });
  await cloud.make.user({ email: 'new@example.org', confirmed: false });
  await cloud.make.user({ email: 'operator@example.org', staff: true });
  home = await cloud.make.organization(ada.id);
  elsewhere = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const signIn = (body: unknown) => cloud.call('POST /api/v1/sign_in', { body });

describe('POST /sign_in', () => {
  it('a sign-in opens a session of 30 days without an organization', async () => {
    const { status, body } = await signIn({ email: ada.email, password: PASSWORD, organization_id: 'none' });
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^hgs_[\w-]{43}$/),
      expires_at: new Date(cloud.clock.now() + 30 * DAY_MS).toISOString(),
      user: {
        id: ada.id,
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Example',
        phone_number: null,
        locale: 'en',
        organization: null,
      },
    });
  });

  it('a sign-in to an organization names it, and the user of the session does later', async () => {
    const { body } = await signIn({ email: ada.email, password: PASSWORD, organization_id: home });
    const organization = { id: home, name: expect.stringMatching(/^Organization/) };
    expect(body.user).toMatchObject({ organization });
    const user = await cloud.call('GET /api/v1/user', { token: String(body.token) });
    expect(user).toMatchObject({ status: 200, body: { id: ada.id, organization } });
  });

  it('a session token is stored as a digest, with the scopes of a session', async () => {
    const { body } = await signIn({ email: ada.email, password: PASSWORD, organization_id: 'none' });
    const rows = await cloud.db.selectFrom('tokens').selectAll().where('kind', '=', 'session').execute();
    expect(rows.at(-1)?.scopes).toEqual(SESSION_SCOPES);
    expect(rows.map(({ hash }) => hash.length)).toEqual(rows.map(() => 32));
    expect(JSON.stringify(rows)).not.toContain(String(body.token).slice(4));
  });

  it('each sign-in has another token of 256 bits', async () => {
    const body = { email: ada.email, password: PASSWORD, organization_id: 'none' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(body)));
    const tokens = answers.map(({ body: { token } }) => Buffer.from(String(token).slice(4), 'base64url'));
    expect(tokens.map(({ length }) => length * 8)).toEqual([256, 256, 256, 256]);
    expect(new Set(tokens.map(String)).size).toBe(4);
  });

  it('a session token is refused after 30 days', async () => {
    const { body } = await signIn({ email: ada.email, password: PASSWORD, organization_id: 'none' });
    cloud.clock.advance(30 * DAY_MS);
    expect(await cloud.call('GET /api/v1/user', { token: String(body.token) })).toMatchObject({
      status: 401,
    });
  });

  const right = { email: 'ada@example.org', password: PASSWORD, organization_id: 'none' as unknown };
  it.each([
    ['an email in another case', {}, 200],
    ['an email with spaces around', { email: ' ada@example.org ' }, 200],
    [
      'an operator in any organization',
      { email: 'operator@example.org', organization_id: () => elsewhere },
      200,
    ],
    ['an unknown field', { remember_me: true }, 200],
    ['a wrong password', { password: 'wrong' }, 401],
    ['an empty password', { password: '' }, 401],
    ['an account that does not exist', { email: 'nobody@example.org' }, 401],
    [
      'an organization of others, wrong password',
      { organization_id: () => elsewhere, password: 'wrong' },
      401,
    ],
    ['an address not confirmed, wrong password', { email: 'new@example.org', password: 'wrong' }, 401],
    ['no email', { email: undefined }, 400],
    ['no password', { password: undefined }, 400],
    ['neither password nor pending token', { password: undefined, pending_token: undefined }, 400],
    ['an unknown pending token', { password: undefined, pending_token: 'hg1_nonsense' }, 401],
    ['an unknown session token', { password: undefined, session_token: 'hg1_nonsense' }, 401],
    ['a session token of another type', { session_token: 7 }, 400],
    ['nothing at all', { email: undefined, password: undefined, organization_id: undefined }, 400],
    ['an organization below every id', { organization_id: -1 }, 422],
    ['no organization', { organization_id: undefined }, 400],
    ['an organization of another type', { organization_id: true }, 400],
    ['an email of another type', { email: 7 }, 400],
    ['an organization that does not exist', { organization_id: 999_999 }, 422],
    ['an organization beyond every id', { organization_id: 1e300 }, 422],
  ] as const)('a sign-in with %s answers as expected', async (_what, changes, expected) => {
    const body: Record<string, unknown> = { ...right, ...changes };
    if (typeof body.organization_id === 'function') body.organization_id = body.organization_id();
    const answer = await signIn(body);
    expect(answer.status).toBe(expected);
    if (expected === 422) expect(answer.body).toEqual({ errors: { organization_id: ['does not exist'] } });
    else if (expected !== 200) expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('a wrong password and an unknown account get the same answer', async () => {
    const wrong = await signIn({ ...right, password: 'wrong' });
    const unknown = await signIn({ ...right, email: 'nobody@example.org' });
    expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body });
  });

  it('an unknown account costs one hash, like a wrong password', async () => {
    const hashing = vi.spyOn(HashQueue.prototype, 'run');
    await signIn({ ...right, password: 'wrong' });
    expect(hashing).toHaveBeenCalledTimes(1);
    await signIn({ ...right, email: 'nobody@example.org' });
    expect(hashing).toHaveBeenCalledTimes(2);
    hashing.mockRestore();
  });

  it('the error names a missing field', async () => {
    expect((await signIn({ password: 'x', organization_id: 'none' })).body.error).toMatch(/email/);
  });
});
