import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const NEW_PASSWORD = 'Another-horse-7';
const GUESSABLE = expect.stringMatching(/^is too easy to guess/);

let cloud: TestCloud;
let home: number;
let user: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  home = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await cloud.make.user({ customerOf: home });
});

const request = async (changes: object = {}, from?: string) => {
  const verification_token = await cloud.make.oneTimeToken('bot_check');
  const body = { email: user.email, verification_token, ...changes };
  return cloud.call('POST /api/v1/password/reset', from === undefined ? { body } : { body, from });
};
const signIn = (password: string) =>
  cloud.call('POST /api/v1/sign_in', { body: { email: user.email, password, organization_id: 'none' } });
const put = (route: string, changes: object = {}) =>
  cloud.call(`PUT /api/v1/password/${route}`, {
    body: { password: NEW_PASSWORD, organization_id: 'none', ...changes },
  });

describe('POST /password/reset', () => {
  it('a reset mails a link that sets a new password', async () => {
    expect(await request({ organization_id: home })).toMatchObject({ status: 200, body: {} });
    const { token, link } = await cloud.mail(user.email);
    expect(link).toMatch(/#password\/reset\//);
    const answer = await put(`reset/${token}`, { organization_id: home });
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: user.id, organization: { id: home } } },
    });
    expect((await signIn(NEW_PASSWORD)).status).toBe(200);
    expect((await signIn(PASSWORD)).status).toBe(401);
  });

  it('a reset of an unknown address gets the same answer as one of an account', async () => {
    const known = await request();
    const unknown = await request({ email: 'nobody@example.org' });
    expect(known).toMatchObject({ status: 200, body: {} });
    expect(unknown).toMatchObject({ status: known.status, body: known.body });
    await cloud.mail(user.email);
    const other = await cloud.make.user();
    await request({ email: other.email });
    await cloud.mail(other.email);
    expect(await cloud.mails('nobody@example.org')).toEqual([]);
  });

  it('a reset queues the same job and reads no account, with and without one', async () => {
    const requests: { readonly email: string; readonly verification_token: string }[] = [];
    for (const email of [user.email, `unknown-${user.email}`])
      requests.push({ email, verification_token: await cloud.make.oneTimeToken('bot_check') });
    await cloud.db.transaction().execute(async (tx) => {
      // A look-up would wait for it until the statement times out.
      await sql`lock table users in access exclusive mode`.execute(tx);
      for (const body of requests) {
        const { email } = body;
        expect((await cloud.call('POST /api/v1/password/reset', { body })).status).toBe(200);
        const { rows } = await sql<{ data: object }>`
          select payload as data from deliveries where payload->>'email' = ${email}`.execute(cloud.db);
        expect(rows).toEqual([{ data: { kind: 'reset', email, organizationId: null } }]);
      }
    });
    await cloud.mail(user.email);
  });

  it('a reset requires a passed bot check and spends it', async () => {
    const verification_token = await cloud.make.oneTimeToken('bot_check');
    expect((await request({ verification_token: 'hg1_nonsense' })).status).toBe(422);
    expect((await request({ verification_token })).status).toBe(200);
    expect((await request({ verification_token })).status).toBe(422);
  });

  it.each([
    ['no email', { email: undefined }, 400],
    ['no bot check', { verification_token: undefined }, 400],
    ['an email of another type', { email: 7 }, 400],
    ['an empty email', { email: ' ' }, 422],
    ['an email that is none', { email: 'ada' }, 422],
    ['an organization that there is not', { organization_id: 999_999 }, 422],
    ['an organization of another type', { organization_id: true }, 400],
    ['the organization none', { organization_id: 'none' }, 200],
  ] as const)('a reset with %s answers %i', async (_what, changes, expected) => {
    expect((await request(changes)).status).toBe(expected);
  });

  it('resets without a passed bot check use up no limit of their network or their address', async () => {
    const from = '192.0.2.40';
    for (let n = 0; n < 12; n++)
      expect((await request({ verification_token: 'hg1_nonsense' }, from)).status).toBe(422);
    expect((await request({}, from)).status).toBe(200);
  });

  it('resets from one network are limited, with and without an account', async () => {
    const requestOnce = async (email: string, from: string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++) statuses.push((await request({ email }, from)).status);
      return statuses;
    };
    const known = await requestOnce(user.email, '192.0.2.20');
    expect(known).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await requestOnce('nobody@example.org', '192.0.2.20')).toEqual(known);
    expect((await request({}, '192.0.2.21')).status).toBe(200);
  });

  it('resets from many networks stop the mails, and the owner still gets an answer', async () => {
    for (let n = 0; n < 12; n++) expect((await request()).status).toBe(200);
    const other = await cloud.make.user();
    await request({ email: other.email });
    await cloud.mail(other.email);
    const mails = await cloud.mails(user.email);
    expect(mails).toHaveLength(10);
    expect((await put(`reset/${mails.at(-1)?.token}`)).status).toBe(200);
  });
});

describe.each([
  ['reset', 'reset', 'reset'],
  ['set', 'invite', 'invitation'],
] as const)('PUT password/%s', (path, purpose, means) => {
  const link = (lifetimeMs?: number) =>
    cloud.make.oneTimeToken(purpose, { userId: user.id, ...(lifetimeMs !== undefined && { lifetimeMs }) });

  it('a link confirms the address, ends older sessions and links, and opens a session', async () => {
    user = await cloud.make.user({ confirmed: false });
    const session = await cloud.make.token(user.id, { kind: 'session' });
    const older = await Promise.all(
      (['confirm', 'reset', 'invite', 'pending', 'session'] as const).map((kind) =>
        cloud.make.oneTimeToken(kind, { userId: user.id }),
      ),
    );
    const [confirmation, reset, invitation, pending_token, session_token] = older;
    const answer = await put(`${path}/${await link()}`);
    expect(answer.status).toBe(200);
    expect((await cloud.call('GET /api/v1/user', { token: String(answer.body.token) })).status).toBe(200);
    expect((await signIn(NEW_PASSWORD)).status).toBe(200);
    expect((await cloud.call('GET /api/v1/user', { token: session })).status).toBe(401);
    const email = user.email;
    const used = await Promise.all([
      put(`reset/${reset}`),
      put(`set/${invitation}`),
      cloud.call('POST /api/v1/user/confirm', { body: { token: confirmation, organization_id: 'none' } }),
      cloud.call('POST /api/v1/sign_in', { body: { email, pending_token, organization_id: 'none' } }),
      cloud.call('POST /api/v1/sign_in', { body: { session_token } }),
    ]);
    expect(used.map(({ status }) => status)).toEqual([422, 422, 422, 401, 401]);
    // API tokens of other programs remain valid.
    expect((await cloud.call('GET /api/v1/user', { token: user.token })).status).toBe(200);
  });

  it('a password of any length and characters counts as it was typed, also years later', async () => {
    const typed = ` ${'Vexquilt-7 Ünï 日本 '.repeat(20)} `;
    expect((await put(`${path}/${await link()}`, { password: typed })).status).toBe(200);
    cloud.clock.advance(5 * 365 * 24 * 60 * 60 * 1000);
    expect((await signIn(typed)).status).toBe(200);
    for (const other of [typed.trim(), typed.trimEnd(), typed.slice(0, 72), typed.toLowerCase()])
      expect((await signIn(other)).status).toBe(401);
  });

  it('a password change leaves an audit record', async () => {
    await put(`${path}/${await link()}`);
    const events = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'details'])
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { action: 'account.password_changed', actor_id: user.id, details: { link: purpose } },
      { action: 'account.signed_in', actor_id: user.id, details: { means } },
    ]);
  });

  it.each<[string, object, number, Record<string, readonly string[]>?]>([
    ['a weak password', { password: 'weak' }, 422, { password: [expect.any(String)] }],
    ['a password that breaches have', { password: 'Summer2026!' }, 422, { password: [GUESSABLE] }],
    ['a password made of the own name', { password: 'Ada-Example-7' }, 422, { password: [GUESSABLE] }],
    ['an empty password', { password: '' }, 422, { password: ["can't be blank"] }],
    [
      'another password the second time',
      { password_confirmation: PASSWORD },
      422,
      { password_confirmation: ["doesn't match the password"] },
    ],
    [
      'an organization that there is not',
      { organization_id: 999_999 },
      422,
      { organization_id: ['does not exist'] },
    ],
    ['no password', { password: undefined }, 400],
    ['no organization', { organization_id: undefined }, 400],
    ['a password of another type', { password: 7 }, 400],
    ['an organization of another type', { organization_id: [] }, 400],
  ])('a link refuses %s without being spent', async (_what, changes, status, errors) => {
    const token = await link();
    const answer = await put(`${path}/${token}`, changes);
    expect(answer.status).toBe(status);
    if (errors?.password === undefined && errors !== undefined) expect(answer.body).toEqual({ errors });
    else if (errors !== undefined) expect(answer.body.errors).toHaveProperty('password');
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect((await put(`${path}/${token}`, { password_confirmation: NEW_PASSWORD })).status).toBe(200);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['a token that was never issued', () => 'hg1_nonsense'],
    ['an expired token', () => link(0)],
    ['a token for something else', () => cloud.make.oneTimeToken('confirm', { userId: user.id })],
    ['a token of no account', () => cloud.make.oneTimeToken(purpose)],
  ])('a link refuses %s', async (_what, token) => {
    expect(await put(`${path}/${await token()}`)).toMatchObject({
      status: 422,
      body: { error: expect.any(String) },
    });
  });

  it('one of concurrent password changes wins, with one link and with two', async () => {
    const [one, two] = await Promise.all([link(), link()]);
    const answers = await Promise.all([one, one, two, two].map((token) => put(`${path}/${token}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });
});

describe('PUT /password/set', () => {
  const accept = async (accepted_terms: boolean | undefined) => {
    const token = await cloud.make.oneTimeToken('invite', { userId: user.id });
    const answer = await put(`set/${token}`, { accepted_terms });
    const row = await cloud.db
      .selectFrom('users')
      .select('terms_accepted_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    return [answer.status, answer.body.errors, row.terms_accepted_at?.getTime()];
  };

  it('a first password stores the acceptance of the terms, and is refused without it', async () => {
    expect(await accept(undefined)).toEqual([200, undefined, undefined]);
    expect(await accept(false)).toEqual([422, { accepted_terms: ['must be accepted'] }, undefined]);
    expect(await accept(true)).toEqual([200, undefined, cloud.clock.now()]);
  });
});
