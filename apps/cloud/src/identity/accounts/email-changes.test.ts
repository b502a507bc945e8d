import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { addApp } from '../../../test/second-factor.ts';
import { type Call, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { requireEmail } from '../../common/require-email.ts';

const HOUR_MS = 60 * 60 * 1000;
const LINK_EXPIRED = { status: 422, body: { error: expect.stringMatching(/^The link is invalid/) } };
const TAKEN = { status: 422, body: { errors: { email: ['has already been taken'] } } };

let cloud: TestCloud;
let ada: TestUser;
let session: string;
let wanted: string;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await cloud.make.user();
  session = await sessionOf(ada);
  wanted = newAddress();
});

const newAddress = () => `new-address-${++count}@example.org`;
const sessionOf = ({ id }: TestUser) => cloud.make.token(id, { kind: 'session' });
const request = (body: object = {}, call: Call = {}) =>
  cloud.call('POST /api/v1/user/email', {
    token: session,
    body: { email: wanted, password: PASSWORD, ...body },
    ...call,
  });
const confirm = (token: string) => cloud.call('POST /api/v1/user/email/confirm', { body: { token } });
const cancel = (token = session) => cloud.call('DELETE /api/v1/user/email/pending', { token });
const described = async (token = session) => (await cloud.call('GET /api/v1/user/email', { token })).body;
const signIn = (email: string, password = PASSWORD) =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' } });
const emailOf = async (token: string) => (await cloud.call('GET /api/v1/user', { token })).body.email;

/** The token of the link that a request mails. */
async function linkTo(email = wanted): Promise<string> {
  expect((await request({ email })).status).toBe(200);
  return (await cloud.mail(email)).token;
}

const audited = async ({ id }: TestUser) =>
  cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'details'])
    .where('user_id', '=', id)
    .where('action', 'in', [
      'account.email_change_requested',
      'account.email_change_cancelled',
      'account.email_changed',
    ])
    .orderBy('id')
    .execute();

describe('a change of the email address', () => {
  it('an address stays in force until the link to the new one is opened, and sessions and API tokens outlive it', async () => {
    const expires_at = new Date(cloud.clock.now() + 24 * HOUR_MS).toISOString();
    const requested = await request({ email: ` ${wanted} ` });
    const pending = { email: wanted, expires_at };
    expect(requested).toMatchObject({ status: 200, body: { email: ada.email, pending } });
    expect(await described()).toEqual({ email: ada.email, pending });
    expect((await signIn(wanted)).status).toBe(401);
    expect((await signIn(ada.email.toUpperCase())).status).toBe(200);

    const mail = await cloud.mail(wanted);
    expect(mail.subject).toBe('Confirm your new email address for Heliograph');
    expect(mail.link).toBe(`${cloud.url}/sign_in#email/${mail.token}`);
    expect(await confirm(mail.token)).toMatchObject({ status: 200, body: { email: wanted } });

    expect(await described()).toEqual({ email: wanted, pending: null });
    expect(await emailOf(ada.token)).toBe(wanted);
    expect((await signIn(wanted)).status).toBe(200);
    expect((await signIn(ada.email)).status).toBe(401);
  });

  it('the present address is mailed about the request and about the change, with what to do', async () => {
    const from = '203.0.113.7';
    await request({}, { from });
    const requested = await cloud.mail(ada.email);
    expect(requested.subject).toBe('A new email address was requested for your Heliograph account');
    expect(requested.text).toContain(`the email address ${wanted}`);
    expect(requested.text).toContain(`Address: ${from}`);
    expect(requested.text).toContain('choose another password at once: that cancels the change');
    expect(requested.text).toContain(`${cloud.url}/password`);
    await confirm((await cloud.mail(wanted)).token);
    const changed = await cloud.mail(ada.email);
    expect(changed.subject).toBe('The email address of your Heliograph account was changed');
    expect(changed.text).toContain(`now has the email address ${wanted}`);
    expect(changed.text).toContain('If this was not you, contact us at once');
    expect(requested.text + changed.text).not.toContain('#email/');
  });

  it("the mails are in the account's language and in its organization's name", async () => {
    const organization = await cloud.make.organization();
    await cloud.db
      .updateTable('users')
      .set({ locale: 'de', organization_id: organization })
      .where('id', '=', ada.id)
      .execute();
    await request();
    expect((await cloud.mail(wanted)).subject).toMatch(
      /^Bestätigen Sie Ihre neue E-Mail-Adresse für Organization \d+$/,
    );
    expect((await cloud.mail(ada.email)).subject).toMatch(/^Für Ihr Konto bei Organization \d+ wurde/);
  });

  it('requests, cancellations and changes are recorded', async () => {
    await request();
    await cancel();
    const email = newAddress();
    await confirm(await linkTo(email));
    const own = { actor_id: ada.id };
    expect(await audited(ada)).toEqual([
      { ...own, action: 'account.email_change_requested', details: { email: wanted } },
      { ...own, action: 'account.email_change_cancelled', details: { email: wanted } },
      { ...own, action: 'account.email_change_requested', details: { email } },
      { ...own, action: 'account.email_changed', details: { email: { from: ada.email, to: email } } },
    ]);
  });

  it('a changed account keeps its invitations, and loses the links that were mailed to its former address', async () => {
    const organization = await cloud.make.organization();
    await cloud.make.teamInvitation(organization, ada.id);
    const reset = await cloud.make.oneTimeToken('reset', { userId: ada.id });
    await confirm(await linkTo());
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    expect((await cloud.call(`PUT /api/v1/password/reset/${reset}`, { body })).status).toBe(422);
    const invitations = await cloud.call<{ organization: { id: number } }[]>('GET /api/v1/user/invitations', {
      token: session,
    });
    expect(invitations.body).toMatchObject([{ organization: { id: organization } }]);
    // Links to the new address set a password.
    const verification_token = await cloud.make.oneTimeToken('bot_check');
    await cloud.call('POST /api/v1/password/reset', { body: { email: wanted, verification_token } });
    const { token } = await cloud.mail(wanted);
    expect((await cloud.call(`PUT /api/v1/password/reset/${token}`, { body })).status).toBe(200);
  });
});

describe('a request for another email address', () => {
  it('a request gets the same answer and the same mail whether or not the address has an account', async () => {
    const other = await cloud.make.user();
    const free = await request();
    // A later request takes the place of one whose mail was not written yet.
    const freeMail = await cloud.mail(wanted);
    const taken = await request({ email: other.email.toUpperCase() });
    const answer = (email: string) => ({
      email: ada.email,
      pending: { email, expires_at: expect.any(String) },
    });
    expect(free).toMatchObject({ status: 200, body: answer(wanted) });
    expect(taken).toMatchObject({ status: 200, body: answer(other.email) });
    const mails = [freeMail, await cloud.mail(other.email)];
    expect(new Set(mails.map(({ text, token }) => text.replace(token, ''))).size).toBe(1);
  });

  it.each<[string, object, object]>([
    ['a wrong password', { password: 'Wrong-horse-7' }, { password: ['is wrong'] }],
    ['an empty password', { password: '' }, { password: ['is wrong'] }],
    ['no email address', { email: 'ada' }, { email: [expect.any(String)] }],
    ['no password', { password: undefined }, { password: [expect.any(String)] }],
  ])('a request with %s is refused, and nothing is mailed', async (_what, body, errors) => {
    expect(await request(body)).toMatchObject({ status: 422, body: { errors } });
    expect(await described()).toEqual({ email: ada.email, pending: null });
    expect(await audited(ada)).toEqual([]);
  });

  it('a request for the address that the account has is refused, whatever its case', async () => {
    expect(await request({ email: ada.email.toUpperCase() })).toMatchObject({
      status: 422,
      body: { errors: { email: ['is the address of the account already'] } },
    });
  });

  it('tokens of programs, applications and agents change no email address', async () => {
    const application = await cloud.make.token(ada.id, { kind: 'oauth', scopes: ['openid'] });
    const agent = await cloud.make.token(ada.id, { kind: 'mcp', scopes: ['openid'] });
    const statuses = [];
    for (const token of [ada.token, application, agent, undefined])
      statuses.push((await request({}, { token })).status);
    expect(statuses).toEqual([403, 403, 401, 401]);
  });

  it('an account with a second factor shows it again after a quarter of an hour, besides the password', async () => {
    const { app, token } = await addApp(cloud, ada);
    expect((await request({ password: 'Wrong-horse-7' }, { token })).status).toBe(422);
    expect((await request({}, { token })).status).toBe(200);
    cloud.clock.advance(HOUR_MS);
    expect(await request({}, { token })).toMatchObject({ status: 403, body: { next_step: 'sign_in' } });
    await cloud.call('POST /api/v1/session/confirm', { token, body: { otp: await app.code() } });
    expect((await request({}, { token })).status).toBe(200);
  });

  it('ten wrong passwords from one network lock the change of the address there', async () => {
    const wrong = { password: 'Wrong-horse-7' };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await request(wrong, { from: '198.51.100.9' })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it('ten requests an hour are served, and more are refused', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await request({ email: newAddress() })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });

  it('an address that many accounts ask for gets ten mails an hour, and every request the usual answer', async () => {
    const askers = await Promise.all(Array.from({ length: 11 }, () => cloud.make.user()));
    for (const asker of askers)
      expect((await request({}, { token: await sessionOf(asker) })).status).toBe(200);
    await expect.poll(async () => (await cloud.mails(wanted)).length).toBe(10);
    // Mails leave in turn: one that is not there when a later one has come never was queued.
    await linkTo(newAddress());
    expect(await cloud.mails(wanted)).toHaveLength(10);
  });
});

describe('the link to a new email address', () => {
  it('a link is accepted once, also when it is used several times at once', async () => {
    const token = await linkTo();
    const answers = await Promise.all([token, token, token].map(confirm));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    expect(await confirm(token)).toMatchObject(LINK_EXPIRED);
    expect(await described()).toEqual({ email: wanted, pending: null });
  });

  it.each<[string, () => Promise<unknown> | unknown]>([
    ['a day', () => cloud.clock.advance(24 * HOUR_MS)],
    ['a later request', () => linkTo(newAddress())],
    ['a later request for the same address', () => request()],
    ['a cancellation', () => cancel()],
    ['a new password from a mailed link', () => choosePassword()],
  ])('a link ends with %s', async (_what, happens) => {
    const token = await linkTo();
    await happens();
    expect(await confirm(token)).toMatchObject(LINK_EXPIRED);
    expect(await emailOf(ada.token)).toBe(ada.email);
  });

  it('unknown tokens and tokens of other links are refused', async () => {
    expect(await confirm('hg1_nonsense')).toMatchObject(LINK_EXPIRED);
    const other = await cloud.make.oneTimeToken('confirm', { userId: ada.id });
    expect(await confirm(other)).toMatchObject(LINK_EXPIRED);
    const withoutRequest = await cloud.make.oneTimeToken('email_change', { userId: ada.id });
    expect(await confirm(withoutRequest)).toMatchObject(LINK_EXPIRED);
  });

  it('a link to an address that another account has is refused, and works once the address is free', async () => {
    const other = await cloud.make.user();
    const token = await linkTo(other.email.toUpperCase());
    expect(await confirm(token)).toMatchObject(TAKEN);
    expect(await described()).toMatchObject({
      email: ada.email,
      pending: { email: other.email },
    });
    await cloud.db
      .updateTable('users')
      .set({ email: requireEmail(newAddress()) })
      .where('id', '=', other.id)
      .execute();
    expect((await confirm(token)).status).toBe(200);
  });

  it('one of two accounts that confirm one address at once gets it, and the other a clear refusal', async () => {
    const bob = await cloud.make.user();
    const first = await linkTo();
    session = await sessionOf(bob);
    const second = await linkTo();
    const answers = await collide([first, second]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(won).toMatchObject({ status: 200, body: { email: wanted } });
    expect(lost).toMatchObject(TAKEN);
    const emails = [await emailOf(ada.token), await emailOf(bob.token)];
    expect(emails.filter((email) => email === wanted)).toHaveLength(1);
  });

  it('a link is refused once a new password is set during its use', async () => {
    const token = await linkTo();
    const reset = await cloud.make.oneTimeToken('reset', { userId: ada.id });
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    const answers = await cloud.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${ada.id} for no key update`.execute(tx);
      const changing = cloud.call(`PUT /api/v1/password/reset/${reset}`, { body });
      await expect.poll(() => cloud.waitingForLocks()).toBe(1);
      const confirming = confirm(token);
      await expect.poll(() => cloud.waitingForLocks()).toBe(2);
      return [changing, confirming];
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([200, 422]);
    expect(await emailOf(ada.token)).toBe(ada.email);
  });

  it('a registration of an address that an account confirms at the same moment is refused or wins', async () => {
    const organization_id = await cloud.make.organization();
    const verification_token = await cloud.make.oneTimeToken('bot_check');
    const token = await linkTo();
    const body = { email: wanted, password: 'Another-horse-7', verification_token, organization_id };
    const [confirmed, registered] = await Promise.all([
      confirm(token),
      cloud.call('POST /api/v1/register', { body }),
    ]);
    expect([
      [200, 422],
      [422, 201],
    ]).toContainEqual([confirmed.status, registered.status]);
  });

  /** Uses links at one moment. */
  async function collide(tokens: readonly string[]) {
    const using = await cloud.db.transaction().execute(async (tx) => {
      await sql`lock table email_changes in exclusive mode`.execute(tx);
      const calls = tokens.map(confirm);
      await expect.poll(() => cloud.waitingForLocks()).toBe(tokens.length);
      return calls;
    });
    return Promise.all(using);
  }
});

describe('a pending email address', () => {
  it('a pending address is cancelled once', async () => {
    await request();
    expect((await cancel()).status).toBe(204);
    expect(await described()).toEqual({ email: ada.email, pending: null });
    expect((await cancel()).status).toBe(404);
  });

  it('a pending address is gone a day after its mail', async () => {
    await linkTo();
    cloud.clock.advance(24 * HOUR_MS);
    const later = await sessionOf(ada);
    expect(await described(later)).toEqual({ email: ada.email, pending: null });
    expect((await cancel(later)).status).toBe(404);
  });

  it('a new password cancels a pending address', async () => {
    await request();
    await choosePassword();
    expect(await described(await sessionOf(ada))).toEqual({ email: ada.email, pending: null });
  });
});

async function choosePassword(): Promise<void> {
  const token = await cloud.make.oneTimeToken('reset', { userId: ada.id });
  const body = { password: 'Another-horse-7', organization_id: 'none' };
  expect((await cloud.call(`PUT /api/v1/password/reset/${token}`, { body })).status).toBe(200);
}
