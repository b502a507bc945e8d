import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
let home: number;
let email: string;
let userId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  home = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  ({ email, id: userId } = await cloud.make.user({ confirmed: false, customerOf: home }));
});

const signIn = (changes: object = {}) =>
  cloud.call('POST /api/v1/sign_in', {
    body: { email, password: PASSWORD, organization_id: home, ...changes },
  });
const poll = (pending_token: unknown, changes: object = {}) =>
  signIn({ password: undefined, pending_token, ...changes });
const confirm = (body: object) => cloud.call('POST /api/v1/user/confirm', { body });

describe('POST /sign_in with an unconfirmed address', () => {
  it('an unconfirmed sign-in answers 412 with a pending token and mails the link', async () => {
    const { status, body } = await signIn();
    expect(status).toBe(412);
    expect(body).toEqual({
      error: expect.any(String),
      next_step: 'click_email_link',
      pending_token: expect.stringMatching(/^hg1_/),
    });
    expect((await cloud.mail(email)).link).toMatch(/#confirm\//);
  });

  it('each unconfirmed sign-in gets a new pending token, and one mail a minute at most is sent', async () => {
    const first = await signIn();
    const second = await signIn();
    expect(second.status).toBe(412);
    expect(second.body.pending_token).not.toBe(first.body.pending_token);
    cloud.clock.advance(MINUTE_MS);
    await Promise.all([signIn(), signIn(), signIn()]);
    await cloud.mail(email);
    await cloud.mail(email);
    // Mails leave in turn: one that is not there when a later one has come never was queued.
    const other = await cloud.make.user({ confirmed: false });
    await signIn({ email: other.email, organization_id: 'none' });
    await cloud.mail(other.email);
    expect(await cloud.mails(email)).toHaveLength(2);
  });

  it('a pending token opens one session once the address is confirmed', async () => {
    const { pending_token } = (await signIn()).body;
    expect(await poll(pending_token)).toMatchObject({ status: 412, body: { pending_token } });
    expect(await poll(pending_token)).toMatchObject({ status: 412, body: { pending_token } });
    await confirm({ token: (await cloud.mail(email)).token, organization_id: 'none' });
    const answers = await Promise.all([poll(pending_token), poll(pending_token), poll(pending_token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const session = answers.find(({ status }) => status === 200)?.body;
    expect(session).toMatchObject({ user: { id: userId, organization: { id: home } } });
    expect((await poll(pending_token)).status).toBe(401);
  });

  it('a client can poll every three seconds for ten minutes', async () => {
    const from = '192.0.2.77';
    const { pending_token } = (await signIn()).body;
    const body = { email, pending_token, organization_id: home };
    const poll = async () => (await cloud.call('POST /api/v1/sign_in', { body, from })).status;
    expect(await poll()).toBe(412);
    await cloud.multiplyCounts(199);
    expect(await poll()).toBe(412);
  });

  it.each([
    ['after ten minutes', 10 * MINUTE_MS, {}, 401],
    ['before ten minutes have passed', 10 * MINUTE_MS - 1, {}, 200],
    ['with another email', 0, { email: 'other@example.org' }, 401],
    ['with the email in another case', 0, { email: () => email.toUpperCase() }, 200],
    ['with an empty password beside', 0, { password: '' }, 200],
    ['without an email', 0, { email: undefined }, 400],
    ['without an organization', 0, { organization_id: undefined }, 400],
    ['with an organization that there is not', 0, { organization_id: 999_999 }, 422],
    ['with an organization of others', 0, { organization_id: () => cloud.make.organization() }, 401],
    ['with no organization', 0, { organization_id: 'none' }, 200],
  ] as const)(
    'a pending token of a confirmed account, used %s, gets its answer',
    async (_what, laterMs, changes, expected) => {
      const { pending_token } = (await signIn()).body;
      await confirm({ token: (await cloud.mail(email)).token, organization_id: 'none' });
      cloud.clock.advance(laterMs);
      const fields: Record<string, unknown> = { ...changes };
      for (const [field, value] of Object.entries(fields)) {
        if (typeof value === 'function') fields[field] = await value();
      }
      expect((await poll(pending_token, fields)).status).toBe(expected);
    },
  );

  it('a wrong password does not reveal that an address is unconfirmed', async () => {
    expect((await signIn({ password: 'Wrong-horse-7' })).status).toBe(401);
  });
});

describe('POST /user/confirm', () => {
  it('a confirmation link confirms the address and opens a session', async () => {
    await signIn();
    const { token } = await cloud.mail(email);
    const { status, body } = await confirm({ token, organization_id: home });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: userId, organization: { id: home } });
    expect((await cloud.call('GET /api/v1/user', { token: String(body.token) })).status).toBe(200);
    expect((await signIn()).status).toBe(200);
  });

  it('a confirmation link is accepted once under concurrent use, and spends the links of other mails', async () => {
    await signIn();
    const first = await cloud.mail(email);
    cloud.clock.advance(MINUTE_MS);
    await signIn();
    const second = await cloud.mail(email);
    const body = { token: second.token, organization_id: 'none' };
    const answers = await Promise.all([confirm(body), confirm(body), confirm(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await confirm({ token: first.token, organization_id: 'none' })).status).toBe(422);
  });

  it.each([
    ['an unknown token', { token: 'hg1_nonsense' }, 422],
    ['a token for something else', { token: () => cloud.make.oneTimeToken('reset', { userId }) }, 422],
    ['an expired token', { token: () => cloud.make.oneTimeToken('confirm', { userId, lifetimeMs: 0 }) }, 422],
    ['an organization that there is not', { organization_id: 999_999 }, 422],
    ['an organization of others', { organization_id: () => cloud.make.organization() }, 422],
    ['no organization', { organization_id: undefined }, 400],
    ['no token', { token: undefined }, 400],
    ['a token of another type', { token: 7 }, 400],
  ] as const)('a confirmation with %s is refused', async (_what, changes, expected) => {
    const good = await cloud.make.oneTimeToken('confirm', { userId });
    const fields: Record<string, unknown> = { token: good, organization_id: 'none', ...changes };
    for (const [field, value] of Object.entries(fields)) {
      if (typeof value === 'function') fields[field] = await value();
    }
    expect((await confirm(fields)).status).toBe(expected);
    expect((await confirm({ token: good, organization_id: 'none' })).status).toBe(200);
  });

  it('registration, confirmation and sign-in leave audit records', async () => {
    await signIn();
    await confirm({ token: (await cloud.mail(email)).token, organization_id: home });
    const events = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'organization_id', 'address'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    const expected = { actor_id: userId, organization_id: home, address: expect.stringMatching(/^10\./) };
    expect(events).toEqual([
      { action: 'account.confirmed', ...expected },
      { action: 'account.signed_in', ...expected },
    ]);
  });
});

describe('POST /user/confirm with an optional organization', () => {
  it('a confirmation without an organization uses that of the mail', async () => {
    await using lenient = await startTestCloud({ confirmWithoutOrganization: true });
    const organizationId = await lenient.make.organization();
    const user = await lenient.make.user({ confirmed: false, customerOf: organizationId });
    const token = await lenient.make.oneTimeToken('confirm', { userId: user.id, organizationId });
    const answer = await lenient.call('POST /api/v1/user/confirm', { body: { token } });
    expect(answer).toMatchObject({ status: 200, body: { user: { organization: { id: organizationId } } } });
  });
});
