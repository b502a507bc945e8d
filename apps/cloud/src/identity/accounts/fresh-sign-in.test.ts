import type { PasskeyRequestOptions } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { addApp, addPasskey } from '../../../test/second-factor.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const MINUTE_MS = 60_000;
const REFUSAL = { status: 403, body: { error: 'Sign in again to do this', next_step: 'sign_in' } };

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const createToken = (token: string) =>
  cloud.call('POST /api/v1/user/tokens', { token, body: { name: 'Grafana', scopes: ['sites:read_all'] } });
const confirm = (token: string, body: object) => cloud.call('POST /api/v1/session/confirm', { token, body });

async function signIn({ email }: TestUser): Promise<string> {
  const body = { email, password: PASSWORD, organization_id: 'none' };
  return String((await cloud.call('POST /api/v1/sign_in', { body })).body.token);
}

/** A session of an account whose person signed in so long ago. */
async function sessionOf(user: TestUser, minutesAgo: number): Promise<string> {
  const token = await signIn(user);
  cloud.clock.advance(minutesAgo * MINUTE_MS);
  return token;
}

describe('guards.freshSession', () => {
  it('a session creates API tokens for fifteen minutes after the sign-in, and then requires a fresh one', async () => {
    const token = await sessionOf(await cloud.make.user(), 15);
    expect((await createToken(token)).status).toBe(201);
    cloud.clock.advance(1);
    expect(await createToken(token)).toMatchObject(REFUSAL);
  });

  it('a change of second factors requires a fresh sign-in', async () => {
    const token = await sessionOf(await cloud.make.user(), 16);
    for (const route of [
      'POST /api/v1/user/second_factor/totp',
      'DELETE /api/v1/user/second_factor/totp',
      'POST /api/v1/user/passkeys/options',
      'DELETE /api/v1/user/passkeys/1',
      'POST /api/v1/user/recovery_codes',
    ]) {
      expect([route, await cloud.call(route, { token })]).toMatchObject([route, REFUSAL]);
    }
  });

  it('a transfer of a site requires a fresh sign-in in a session, and none with an API token', async () => {
    const owner = await cloud.make.user();
    const heir = await cloud.make.user();
    const { id } = await cloud.make.site({ ownerId: owner.id });
    await cloud.make.member(id, heir.id, 'admin');
    const token = await sessionOf(owner, 16);
    const createHandover = (bearer: string) =>
      cloud.call(`PATCH /api/v1/sites/${id}/users/${heir.id}`, { token: bearer, body: { role: 'owner' } });
    const invite = () =>
      cloud.call(`POST /api/v1/sites/${id}/users`, {
        token,
        body: { email: heir.email, role: 'owner', first_name: 'He', last_name: 'Ir' },
      });
    expect(await createHandover(token)).toMatchObject(REFUSAL);
    expect(await invite()).toMatchObject(REFUSAL);
    expect((await createHandover(owner.token)).status).toBe(200);
  });

  it('a transfer of an organization requires a fresh sign-in', async () => {
    const organization = await cloud.make.organization();
    const owner = await cloud.make.employee(organization, 'owner');
    const colleague = await cloud.make.employee(organization);
    const token = await sessionOf(owner, 16);
    const route = `/api/v1/organizations/${organization}/users`;
    const invite = (role: string) => {
      const body = { email: 'new-owner@example.org', role, first_name: 'Grace', last_name: 'Hopper' };
      return cloud.call(`POST ${route}`, { token, body });
    };
    const promote = () => cloud.call(`PATCH ${route}/${colleague.id}`, { token, body: { role: 'owner' } });
    expect(await invite('owner')).toMatchObject(REFUSAL);
    expect((await invite('admin')).status).toBe(200);
    expect(await promote()).toMatchObject(REFUSAL);
    expect((await confirm(token, { password: PASSWORD })).status).toBe(200);
    expect((await promote()).status).toBe(200);
  });

  it('a handed-over session is as fresh as the original one', async () => {
    const token = await sessionOf(await cloud.make.user(), 16);
    const { session_token } = (await cloud.call('POST /api/v1/session', { token })).body;
    const { body } = await cloud.call('POST /api/v1/sign_in', { body: { session_token } });
    expect(await createToken(String(body.token))).toMatchObject(REFUSAL);
  });

  it('a session without a recorded authentication is not fresh', async () => {
    const user = await cloud.make.user();
    const token = await signIn(user);
    await cloud.db
      .updateTable('tokens')
      .set({ authenticated_at: null })
      .where('user_id', '=', user.id)
      .execute();
    expect(await createToken(token)).toMatchObject(REFUSAL);
  });
});

describe('POST /session/confirm', () => {
  it('a password confirms a session of an account without a second factor', async () => {
    const user = await cloud.make.user();
    const token = await sessionOf(user, 60);
    const options = await cloud.call('POST /api/v1/session/confirm/options', { token });
    expect(options.body).toEqual({ methods: ['password'], passkey: null, passkey_hosts: [] });
    expect(await confirm(token, { password: 'wrong' })).toMatchObject({
      status: 422,
      body: { errors: { password: ['is wrong'] } },
    });
    expect(await createToken(token)).toMatchObject(REFUSAL);
    const confirmed = await confirm(token, { password: PASSWORD });
    const authenticated_at = new Date(cloud.clock.now()).toISOString();
    expect(confirmed).toMatchObject({ status: 200, body: { authenticated_at } });
    expect((await createToken(token)).status).toBe(201);
  });

  it('a confirmation refreshes its own session and no other', async () => {
    const user = await cloud.make.user();
    const [one, other] = [await signIn(user), await sessionOf(user, 60)];
    await confirm(one, { password: PASSWORD });
    expect((await createToken(one)).status).toBe(201);
    expect(await createToken(other)).toMatchObject(REFUSAL);
  });

  it('an account with a second factor confirms a session with a code, and no longer with the password', async () => {
    const user = await cloud.make.user();
    const { app, token } = await addApp(cloud, user);
    cloud.clock.advance(60 * MINUTE_MS);
    const options = await cloud.call('POST /api/v1/session/confirm/options', { token });
    expect(options.body).toEqual({
      methods: ['totp', 'recovery_code'],
      passkey: null,
      passkey_hosts: [],
    });
    expect((await confirm(token, { password: PASSWORD })).status).toBe(422);
    const otp = await app.code();
    expect((await confirm(token, { otp })).status).toBe(200);
    expect(await confirm(token, { otp })).toMatchObject({
      status: 422,
      body: { errors: { otp: ['is wrong or was used before'] } },
    });
    expect((await createToken(token)).status).toBe(201);
  });

  it('a passkey confirms a session', async () => {
    const { authenticator, token } = await addPasskey(cloud, await cloud.make.user());
    cloud.clock.advance(60 * MINUTE_MS);
    const options = () => cloud.call('POST /api/v1/session/confirm/options', { token });
    const passkey = authenticator.get((await options()).body.passkey as PasskeyRequestOptions);
    expect((await confirm(token, { passkey })).status).toBe(200);
    expect((await confirm(token, { passkey })).status).toBe(422);
  });

  it('ten wrong passwords lock the confirmation of a session', async () => {
    const user = await cloud.make.user();
    const token = await signIn(user);
    const from = '198.51.100.9';
    const wrong = { token, from, body: { password: 'wrong' } };
    const answers = [];
    for (let i = 0; i < 11; i++)
      answers.push((await cloud.call('POST /api/v1/session/confirm', wrong)).status);
    expect(answers).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it('an API token cannot confirm a session', async () => {
    const { token } = await cloud.make.user();
    expect((await confirm(token, { password: PASSWORD })).status).toBe(403);
  });
});
