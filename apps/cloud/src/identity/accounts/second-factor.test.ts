import type { PasskeyRequestOptions } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { addApp, addPasskey } from '../../../test/second-factor.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const signIn = ({ email }: TestUser, more: object = { password: PASSWORD }): Promise<Answer> =>
  cloud.call('POST /api/v1/sign_in', { body: { email, organization_id: 'none', ...more } });

const show = (pendingToken: unknown, shown: object): Promise<Answer> =>
  cloud.call('POST /api/v1/sign_in/second_factor', { body: { pending_token: pendingToken, ...shown } });

const optionsFor = (pendingToken: unknown): Promise<Answer> =>
  cloud.call('POST /api/v1/sign_in/second_factor/options', { body: { pending_token: pendingToken } });

async function pendingTokenOf(user: TestUser): Promise<string> {
  const { status, body } = await signIn(user);
  expect(status).toBe(412);
  return String(body.pending_token);
}

async function personWithApp() {
  const user = await cloud.make.user();
  return { user, ...(await addApp(cloud, user)) };
}

async function personWithPasskey() {
  const user = await cloud.make.user();
  return { user, ...(await addPasskey(cloud, user)) };
}

const passkeyOf = ({ body }: Answer) => body.passkey as PasskeyRequestOptions;

function auditOf({ id }: TestUser) {
  return cloud.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();
}

describe('POST /sign_in of an account with an authenticator app', () => {
  it('the right password answers 412 with the pending token, the methods and the page', async () => {
    const { user } = await personWithApp();
    const { status, body } = await signIn(user);
    expect(status).toBe(412);
    expect(body).toEqual({
      error: expect.stringContaining(`${cloud.url}/sign_in#second_factor/hg1_`),
      next_step: 'second_factor',
      pending_token: expect.stringMatching(/^hg1_/),
      methods: ['totp', 'recovery_code'],
      second_factor_url: `${cloud.url}/sign_in#second_factor/${body.pending_token}`,
    });
  });

  it('a wrong password answers 401, with a code and without', async () => {
    const { user, app } = await personWithApp();
    expect((await signIn(user, { password: 'wrong', otp: await app.code() })).status).toBe(401);
  });

  it('the password and a code sign in with one request', async () => {
    const { user, app } = await personWithApp();
    const session = await signIn(user, { password: PASSWORD, otp: await app.code() });
    expect(session).toMatchObject({ status: 200, body: { user: { id: user.id } } });
    expect(await auditOf(user)).toContainEqual({
      action: 'account.signed_in',
      details: { means: 'password', factor: 'totp' },
    });
  });

  it.each<[string, (code: string) => string]>([
    ['full width', (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
    ['a hyphen', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['an en dash', (code) => `${code.slice(0, 3)}–${code.slice(3)}`],
    ['a no-break space', (code) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
    ['marks of direction', (code) => `\u202a${code}\u202c`],
  ])('a code that is typed with %s signs in', async (_kind, typed) => {
    const { user, app, recoveryCodes } = await personWithApp();
    expect((await signIn(user, { password: PASSWORD, otp: typed(await app.code()) })).status).toBe(200);
    const recoveryCode = recoveryCodes?.[0]?.replace('-', '') ?? '';
    expect((await signIn(user, { password: PASSWORD, otp: typed(recoveryCode) })).status).toBe(200);
  });

  it('the pending token and a code sign in once', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    const otp = await app.code();
    expect((await signIn(user, { pending_token, otp })).status).toBe(200);
    expect((await signIn(user, { pending_token, otp: await app.nextCode() })).status).toBe(401);
  });

  it('a polling client gets a session once a page has verified the second factor', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    expect(await signIn(user, { pending_token })).toMatchObject({ status: 412, body: { pending_token } });
    expect((await show(pending_token, { otp: await app.code() })).status).toBe(204);
    expect((await signIn(user, { pending_token })).status).toBe(200);
    expect((await signIn(user, { pending_token })).status).toBe(401);
  });

  it('a pending token opens one session under concurrent use', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    await show(pending_token, { otp: await app.code() });
    const answers = await Promise.all([1, 2, 3].map(() => signIn(user, { pending_token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('a pending sign-in expires after ten minutes', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    cloud.clock.advance(10 * MINUTE_MS - 1);
    expect((await signIn(user, { pending_token })).status).toBe(412);
    cloud.clock.advance(1);
    expect((await signIn(user, { pending_token, otp: await app.code() })).status).toBe(401);
    expect((await show(pending_token, { otp: await app.code() })).status).toBe(401);
  });

  it('the page of a pending sign-in gets its account and its address', async () => {
    const { user } = await personWithApp();
    const { body } = await cloud.call('POST /api/v1/sign_in', {
      from: '203.0.113.9',
      body: { email: user.email, organization_id: 'none', password: PASSWORD },
    });
    expect((await optionsFor(body.pending_token)).body).toEqual({
      email: user.email,
      requested_at: new Date(cloud.clock.now()).toISOString(),
      address: '203.0.113.9',
      methods: ['totp', 'recovery_code'],
      passkey: null,
      passkey_hosts: [],
    });
  });

  it.each([
    [-1, 200],
    [0, 200],
    [1, 200],
    [-2, 401],
    [2, 401],
  ])('a code of an app that is %i steps off answers %i', async (steps, expected) => {
    const { user, app } = await personWithApp();
    // The step of enrolment is spent, and one of drift must not lead back to it.
    cloud.clock.advance(10 * MINUTE_MS);
    expect((await signIn(user, { password: PASSWORD, otp: await app.code(steps) })).status).toBe(expected);
  });

  it('a code is accepted once under concurrent use', async () => {
    const { user, app } = await personWithApp();
    const otp = await app.code();
    const answers = await Promise.all([1, 2].map(() => signIn(user, { password: PASSWORD, otp })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signIn(user, { password: PASSWORD, otp })).status).toBe(401);
  });

  it('a code of an older step than the last one is refused', async () => {
    const { user, app } = await personWithApp();
    cloud.clock.advance(MINUTE_MS);
    const older = await app.code();
    expect((await signIn(user, { password: PASSWORD, otp: await app.code(1) })).status).toBe(200);
    expect((await signIn(user, { password: PASSWORD, otp: older })).status).toBe(401);
  });

  it('a code of another account is refused', async () => {
    const [ada, bob] = [await personWithApp(), await personWithApp()];
    expect((await signIn(ada.user, { password: PASSWORD, otp: await bob.app.code() })).status).toBe(401);
  });

  it("a pending token of another account is refused, even with that account's email address", async () => {
    const [ada, bob] = [await personWithApp(), await personWithApp()];
    const pending_token = await pendingTokenOf(ada.user);
    expect((await signIn(bob.user, { pending_token, otp: await bob.app.code() })).status).toBe(401);
    expect((await signIn(ada.user, { pending_token, otp: await bob.app.code() })).status).toBe(401);
    expect((await show(pending_token, { otp: await bob.app.nextCode() })).status).toBe(401);
    expect((await signIn(ada.user, { pending_token })).status).toBe(412);
  });

  it('ten wrong codes from one network lock the second factor for fifteen minutes', async () => {
    const { user, app } = await personWithApp();
    const from = '198.51.100.7';
    const body = { email: user.email, organization_id: 'none', password: PASSWORD };
    const attempt = async (otp: string) =>
      (await cloud.call('POST /api/v1/sign_in', { from, body: { ...body, otp } })).status;
    const wrong = await Promise.all(Array.from({ length: 12 }, () => attempt('000000')));
    expect(wrong.filter((status) => status === 401)).toHaveLength(10);
    expect(wrong.filter((status) => status === 429)).toHaveLength(2);
    expect(await attempt(await app.code())).toBe(429);
    expect((await signIn(user, { password: PASSWORD, otp: await app.code() })).status).toBe(200);
    const lockouts = cloud.db
      .selectFrom('audit_events')
      .select('address')
      .where('action', '=', 'account.locked_out')
      .where('user_id', '=', user.id);
    await expect.poll(() => lockouts.execute()).toEqual([{ address: from }]);
  });

  it('thirty wrong codes from many networks lock the second factor', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    for (let i = 0; i < 30; i++) expect((await show(pending_token, { otp: '000000' })).status).toBe(401);
    expect((await show(pending_token, { otp: await app.code() })).status).toBe(429);
  });

  it('refused codes leave audit records', async () => {
    const { user } = await personWithApp();
    await signIn(user, { password: PASSWORD, otp: '123456' });
    expect(await auditOf(user)).toContainEqual({
      action: 'second_factor.refused',
      details: { with: 'code' },
    });
  });

  it('a password change ends pending sign-ins', async () => {
    const { user, app } = await personWithApp();
    const pending_token = await pendingTokenOf(user);
    await show(pending_token, { otp: await app.code() });
    const reset = await cloud.make.oneTimeToken('reset', { userId: user.id });
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    await cloud.call(`PUT /api/v1/password/reset/${reset}`, { body });
    expect((await signIn(user, { pending_token })).status).toBe(401);
  });
});

describe('POST /sign_in with a recovery code', () => {
  it('a recovery code replaces the second factor once, in any spelling, and the account is mailed', async () => {
    const { user, recoveryCodes } = await personWithApp();
    const [code = ''] = recoveryCodes ?? [];
    const otp = ` ${code.toUpperCase().replace('-', ' ').replaceAll('0', 'O')} `;
    expect((await signIn(user, { password: PASSWORD, otp })).status).toBe(200);
    expect((await signIn(user, { password: PASSWORD, otp })).status).toBe(401);
    await expect
      .poll(async () => (await cloud.mails(user.email)).map(({ subject }) => subject))
      .toContain('A recovery code was used for your Heliograph account');
    const mail = (await cloud.mails(user.email)).find(({ subject }) => subject.includes('was used'));
    expect(mail?.text).toContain('Unused codes left: 9.');
    expect(mail?.text).toContain(`${cloud.url}/user/security`);
  });

  it('a recovery code is accepted once under concurrent use', async () => {
    const { user, recoveryCodes } = await personWithApp();
    const otp = recoveryCodes?.[1];
    const answers = await Promise.all([1, 2, 3].map(() => signIn(user, { password: PASSWORD, otp })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('a recovery code of another account is refused', async () => {
    const [ada, bob] = [await personWithApp(), await personWithApp()];
    const otp = bob.recoveryCodes?.[0];
    expect((await signIn(ada.user, { password: PASSWORD, otp })).status).toBe(401);
  });

  it('recovery codes are stored as digests', async () => {
    const { user, app, recoveryCodes } = await personWithApp();
    const codes = await cloud.db
      .selectFrom('recovery_codes')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    const apps = await cloud.db
      .selectFrom('authenticator_apps')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    expect(codes).toHaveLength(10);
    const stored = Buffer.concat([...codes.map(({ hash }) => hash), ...apps.map(({ sealed }) => sealed)]);
    for (const secret of [...(recoveryCodes ?? []), app.secret]) expect(stored.includes(secret)).toBe(false);
  });
});

describe('POST /sign_in of an account with a passkey', () => {
  it('the password, the passkey and the pending token sign in', async () => {
    const { user, authenticator } = await personWithPasskey();
    const { body } = await signIn(user);
    expect(body.methods).toEqual(['passkey', 'recovery_code']);
    const { pending_token } = body;
    const passkey = authenticator.get(passkeyOf(await optionsFor(pending_token)), { verifiesUser: false });
    expect((await show(pending_token, { passkey })).status).toBe(204);
    expect((await signIn(user, { pending_token })).status).toBe(200);
  });

  it('an assertion is accepted once', async () => {
    const { user, authenticator } = await personWithPasskey();
    const pending_token = await pendingTokenOf(user);
    const passkey = authenticator.get(passkeyOf(await optionsFor(pending_token)));
    expect((await show(pending_token, { passkey })).status).toBe(204);
    expect((await show(await pendingTokenOf(user), { passkey })).status).toBe(401);
  });

  it('an assertion of a challenge that is five minutes old is refused', async () => {
    const { user, authenticator } = await personWithPasskey();
    const pending_token = await pendingTokenOf(user);
    const passkey = authenticator.get(passkeyOf(await optionsFor(pending_token)));
    cloud.clock.advance(5 * MINUTE_MS);
    expect((await show(pending_token, { passkey })).status).toBe(401);
  });

  it("an assertion of another account's passkey is refused, for any account's challenge", async () => {
    const [ada, eve] = [await personWithPasskey(), await personWithPasskey()];
    const pending_token = await pendingTokenOf(ada.user);
    const { challenge } = passkeyOf(await optionsFor(pending_token));
    expect((await show(pending_token, { passkey: eve.authenticator.answer(challenge) })).status).toBe(401);
    const hers = passkeyOf(await optionsFor(await pendingTokenOf(eve.user)));
    expect((await show(pending_token, { passkey: eve.authenticator.get(hers) })).status).toBe(401);
    const foreign = passkeyOf(await optionsFor(await pendingTokenOf(eve.user)));
    const passkey = ada.authenticator.answer(foreign.challenge);
    expect((await show(pending_token, { passkey })).status).toBe(401);
  });

  it('an assertion for another page is refused', async () => {
    const { user, authenticator } = await personWithPasskey();
    const pending_token = await pendingTokenOf(user);
    const options = passkeyOf(await optionsFor(pending_token));
    const passkey = authenticator.get(options, { origin: 'https://evil.example' });
    expect((await show(pending_token, { passkey })).status).toBe(401);
  });

  it('an assertion with a changed signature is refused', async () => {
    const { user, authenticator } = await personWithPasskey();
    const pending_token = await pendingTokenOf(user);
    const passkey = authenticator.get(passkeyOf(await optionsFor(pending_token)));
    const bytes = Buffer.from(passkey.response.signature, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const response = { ...passkey.response, signature: bytes.toString('base64url') };
    expect((await show(pending_token, { passkey: { ...passkey, response } })).status).toBe(401);
  });

  it('ten wrong passkeys lock the second factor, codes included', async () => {
    const { user, authenticator } = await personWithPasskey();
    const { app } = await addApp(cloud, user);
    const attempt = async (origin?: string) => {
      const pending_token = await pendingTokenOf(user);
      const options = passkeyOf(await optionsFor(pending_token));
      const passkey = authenticator.get(options, origin === undefined ? {} : { origin });
      const body = { pending_token, passkey };
      return (await cloud.call('POST /api/v1/sign_in/second_factor', { from: '198.51.100.8', body })).status;
    };
    for (let i = 0; i < 10; i += 1) expect(await attempt('https://evil.example')).toBe(401);
    expect(await attempt()).toBe(429);
    const body = { pending_token: await pendingTokenOf(user), otp: await app.code() };
    const coded = await cloud.call('POST /api/v1/sign_in/second_factor', { from: '198.51.100.8', body });
    expect(coded.status).toBe(429);
  });

  it('a copied passkey is refused by its signature counter', async () => {
    const { user, authenticator } = await personWithPasskey();
    const copy = authenticator.clone();
    const first = await pendingTokenOf(user);
    expect(
      (await show(first, { passkey: authenticator.get(passkeyOf(await optionsFor(first))) })).status,
    ).toBe(204);
    const second = await pendingTokenOf(user);
    const refused = await show(second, { passkey: copy.get(passkeyOf(await optionsFor(second))) });
    expect(refused).toMatchObject({ status: 401, body: { error: expect.stringContaining('copy') } });
    expect(await auditOf(user)).toContainEqual({
      action: 'passkey.clone_refused',
      details: { name: 'Laptop' },
    });
  });
});

describe('other sign-ins of an account with a second factor', () => {
  it('a reset link sets the password, and then requires the second factor', async () => {
    const { user, app } = await personWithApp();
    const link = await cloud.make.oneTimeToken('reset', { userId: user.id });
    const password = 'Another-horse-7';
    const answer = await cloud.call(`PUT /api/v1/password/reset/${link}`, {
      body: { password, organization_id: 'none' },
    });
    expect(answer).toMatchObject({ status: 412, body: { next_step: 'second_factor' } });
    expect((await signIn(user)).status).toBe(401);
    const { pending_token } = answer.body;
    expect((await signIn(user, { pending_token })).status).toBe(412);
    expect((await signIn(user, { pending_token, otp: await app.code() })).status).toBe(200);
  });

  it.each([
    ['an invitation', 'invite', 'PUT /api/v1/password/set/', { password: 'Another-horse-7' }],
    ['a confirmation', 'confirm', 'POST /api/v1/user/confirm', {}],
  ] as const)('the second factor is required after %s', async (_what, purpose, route, more) => {
    const { user } = await personWithApp();
    const token = await cloud.make.oneTimeToken(purpose, { userId: user.id });
    const path = purpose === 'invite' ? route + token : route;
    const body = { token, organization_id: 'none', ...more };
    expect(await cloud.call(path, { body })).toMatchObject({
      status: 412,
      body: { next_step: 'second_factor' },
    });
  });

  it('the pending token of an unconfirmed sign-in requires the second factor after the confirmation', async () => {
    const { user } = await personWithApp();
    const pending_token = await cloud.make.oneTimeToken('pending', { userId: user.id });
    expect(await signIn(user, { pending_token })).toMatchObject({
      status: 412,
      body: { next_step: 'second_factor' },
    });
  });

  it('a handed-over session requires no second factor again', async () => {
    const { user, token } = await personWithApp();
    const { body } = await cloud.call('POST /api/v1/session', { token });
    const { session_token } = body;
    expect((await cloud.call('POST /api/v1/sign_in', { body: { session_token } })).status).toBe(200);
    expect(user.id).toBeGreaterThan(0);
  });
});
