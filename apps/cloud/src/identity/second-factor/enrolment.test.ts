import type { PasskeyCreationOptions } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { addApp, addPasskey, TestApp } from '../../../test/second-factor.ts';
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { SECOND_FACTORS_ADDED } from './limits.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const sessionOf = ({ id }: Pick<TestUser, 'id'>) => cloud.make.token(id, { kind: 'session' });
const describeOf = async (token: string) =>
  (await cloud.call('GET /api/v1/user/second_factor', { token })).body;
const startApp = (token: string, body?: object) =>
  cloud.call('POST /api/v1/user/second_factor/totp', { token, ...(body && { body }) });
const confirmApp = (token: string, otp: string) =>
  cloud.call('PUT /api/v1/user/second_factor/totp', { token, body: { otp } });
const removeApp = (token: string) => cloud.call('DELETE /api/v1/user/second_factor/totp', { token });
const creationOptions = async (token: string) =>
  (await cloud.call<PasskeyCreationOptions>('POST /api/v1/user/passkeys/options', { token })).body;
const addKey = (token: string, passkey: unknown, name = 'Laptop') =>
  cloud.call('POST /api/v1/user/passkeys', { token, body: { name, passkey } });
const removeKey = (token: string, id: number) => cloud.call(`DELETE /api/v1/user/passkeys/${id}`, { token });
const signIn = ({ email }: TestUser, more: object = {}) =>
  cloud.call('POST /api/v1/sign_in', {
    body: { email, password: PASSWORD, organization_id: 'none', ...more },
  });

async function subjectsTo({ email }: TestUser): Promise<string[]> {
  return (await cloud.mails(email)).map(({ subject }) => subject);
}

function actionsAbout({ id }: TestUser) {
  const events = cloud.db.selectFrom('audit_events').select('action').where('user_id', '=', id).orderBy('id');
  return events.execute().then((rows) => rows.map(({ action }) => action));
}

describe('the first second factor', () => {
  it('a first second factor makes all other sessions and handovers stale', async () => {
    const user = await cloud.make.user();
    const other = String((await signIn(user)).body.token);
    const handover = (await cloud.call('POST /api/v1/session', { token: other })).body;
    const { app, token } = await addApp(cloud, user);
    expect((await removeApp(other)).status).toBe(403);
    const taken = await cloud.call('POST /api/v1/sign_in', { body: handover });
    expect((await startApp(String(taken.body.token))).status).toBe(403);
    const body = { otp: await app.code() };
    expect((await cloud.call('POST /api/v1/session/confirm', { token: other, body })).status).toBe(200);
    expect((await removeApp(token)).status).toBe(204);
  });
});

describe('the limit of second factors', () => {
  it('new factors and recovery codes are limited per hour, and removals are not', async () => {
    const { token } = await addApp(cloud, await cloud.make.user());
    const replace = () => cloud.call('POST /api/v1/user/recovery_codes', { token });
    for (let i = 1; i < SECOND_FACTORS_ADDED.points; i++) expect((await replace()).status).toBe(200);
    expect((await replace()).status).toBe(429);
    expect((await removeApp(token)).status).toBe(204);
  });
});

describe('an authenticator app of an account', () => {
  it('an authenticator app is valid after a first code, and the first one comes with ten recovery codes', async () => {
    const user = await cloud.make.user();
    const token = await sessionOf(user);
    const { status, body } = await startApp(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Heliograph:user-.*secret=[A-Z2-7]{32}/),
    });
    expect((await signIn(user)).status).toBe(200);
    const app = new TestApp(cloud, String(body.secret));
    const added = await confirmApp(token, await app.code());
    expect(added.status).toBe(200);
    const codes = added.body.recovery_codes as string[];
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    expect((await signIn(user)).status).toBe(412);
    const added_at = new Date(cloud.clock.now()).toISOString();
    expect(await describeOf(token)).toEqual({
      passkeys: [],
      totp: { created_at: added_at, last_used_at: added_at },
      user_handle: expect.stringMatching(/^[\w-]{43}$/),
      recovery_codes_left: 10,
      required_by: [],
    });
    expect(await actionsAbout(user)).toContain('authenticator_app.added');
    await expect
      .poll(() => subjectsTo(user))
      .toContain('An authenticator app was added to your Heliograph account');
  });

  it('the code that added an app does not sign in', async () => {
    const user = await cloud.make.user();
    const token = await sessionOf(user);
    const app = new TestApp(cloud, String((await startApp(token)).body.secret));
    const otp = await app.code();
    expect((await confirmApp(token, otp)).status).toBe(200);
    expect((await signIn(user, { otp })).status).toBe(401);
  });

  it('an app is not added by a wrong code, by a code of another secret, or without a start', async () => {
    const token = await sessionOf(await cloud.make.user());
    expect((await confirmApp(token, '123456')).status).toBe(422);
    const first = new TestApp(cloud, String((await startApp(token)).body.secret));
    await startApp(token, { renew: true });
    const answer = await confirmApp(token, await first.code());
    expect(answer).toMatchObject({ status: 422, body: { errors: { otp: ['is wrong'] } } });
    expect(await describeOf(token)).toMatchObject({ totp: null, recovery_codes_left: 0 });
  });

  it('a secret is answered again to its own session alone, for 15 minutes', async () => {
    const user = await cloud.make.user();
    const [token, other] = [await sessionOf(user), await sessionOf(user)];
    const secretOf = async (session: string, body?: object) =>
      (await startApp(session, body)).body.secret as string;
    const first = await secretOf(token);
    cloud.clock.advance(15 * 60_000 - 1);
    expect(await secretOf(token)).toBe(first);
    cloud.clock.advance(1);
    const second = await secretOf(token);
    expect(second).not.toBe(first);
    const third = await secretOf(token, { renew: true });
    expect(third).not.toBe(second);
    expect(await secretOf(token, {})).toBe(third);
    const othersSecret = await secretOf(other);
    expect(othersSecret).not.toBe(third);
    expect(await secretOf(token)).not.toBe(othersSecret);
  });

  it('an app must be removed before another one is added', async () => {
    const user = await cloud.make.user();
    const { token } = await addApp(cloud, user);
    expect((await startApp(token)).status).toBe(422);
    expect((await removeApp(token)).status).toBe(204);
    expect((await removeApp(token)).status).toBe(404);
    expect(await describeOf(token)).toMatchObject({ totp: null, recovery_codes_left: 0 });
    expect((await signIn(user)).status).toBe(200);
    expect((await startApp(token)).status).toBe(200);
    await expect
      .poll(() => subjectsTo(user))
      .toContain('The authenticator app was removed from your Heliograph account');
  });

  it('attempts at the first code of an app are limited', async () => {
    const token = await sessionOf(await cloud.make.user());
    await startApp(token);
    const answers = [];
    for (let i = 0; i < 31; i++) answers.push((await confirmApp(token, '000000')).status);
    expect(answers).toEqual([...Array<number>(30).fill(422), 429]);
  });
});

describe('a passkey of an account', () => {
  it('a passkey with an overlong id is refused', async () => {
    const token = await sessionOf(await cloud.make.user());
    const authenticator = new SoftwareAuthenticator(cloud.url);
    for (const [idLength, status] of [
      [1023, 201],
      [1024, 422],
      [8000, 422],
    ] as const) {
      const passkey = authenticator.create(await creationOptions(token), { idLength });
      expect([idLength, (await addKey(token, passkey)).status]).toEqual([idLength, status]);
    }
  });

  it('a passkey is named, listed with its last use, and removed', async () => {
    const user = await cloud.make.user();
    const { token, id, recoveryCodes } = await addPasskey(cloud, user, ' My phone ');
    expect(recoveryCodes).toHaveLength(10);
    expect((await describeOf(token)).passkeys).toEqual([
      {
        id,
        name: 'My phone',
        host: '127.0.0.1',
        credential_id: expect.stringMatching(/^[\w-]{43}$/),
        backed_up: false,
        created_at: new Date(cloud.clock.now()).toISOString(),
        last_used_at: null,
      },
    ]);
    const second = await addPasskey(cloud, user, 'Laptop');
    expect(second.recoveryCodes).toBeNull();
    expect((await removeKey(token, id)).status).toBe(204);
    expect((await signIn(user)).status).toBe(412);
    expect((await removeKey(token, second.id)).status).toBe(204);
    expect((await signIn(user)).status).toBe(200);
    const actions = ['passkey.added', 'passkey.added', 'passkey.removed', 'passkey.removed'];
    expect((await actionsAbout(user)).filter((action) => action.startsWith('passkey'))).toEqual(actions);
    await expect.poll(() => subjectsTo(user)).toHaveLength(4);
  });

  it('a passkey of another account cannot be removed', async () => {
    const mine = await addPasskey(cloud, await cloud.make.user());
    const other = await addPasskey(cloud, await cloud.make.user());
    expect((await removeKey(other.token, mine.id)).status).toBe(404);
  });

  it('a passkey is added once, within five minutes, by the account and the page of its challenge', async () => {
    const [ada, eve] = [await sessionOf(await cloud.make.user()), await sessionOf(await cloud.make.user())];
    const make = async (token: string, origin = cloud.url) =>
      new SoftwareAuthenticator(cloud.url).create(await creationOptions(token), { origin });
    expect((await addKey(eve, await make(ada))).status).toBe(422);
    expect((await addKey(ada, await make(ada, 'https://evil.example'))).status).toBe(422);
    const late = await make(ada);
    cloud.clock.advance(5 * 60_000);
    expect((await addKey(ada, late)).status).toBe(422);
    const passkey = await make(ada);
    expect((await addKey(ada, passkey)).status).toBe(201);
    expect((await addKey(ada, passkey)).status).toBe(422);
  });

  it.each(['', ' ', 'x'.repeat(101)])('a passkey with the name "%.10s" is refused', async (name) => {
    const token = await sessionOf(await cloud.make.user());
    const passkey = new SoftwareAuthenticator(cloud.url).create(await creationOptions(token));
    expect(await addKey(token, passkey, name)).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)] } },
    });
  });
});

describe('POST /user/recovery_codes', () => {
  it('new recovery codes replace the older ones', async () => {
    const user = await cloud.make.user();
    const { token, recoveryCodes } = await addApp(cloud, user);
    const { body } = await cloud.call('POST /api/v1/user/recovery_codes', { token });
    const fresh = body.recovery_codes as string[];
    expect(fresh).toHaveLength(10);
    expect((await signIn(user, { otp: recoveryCodes?.[0] })).status).toBe(401);
    expect((await signIn(user, { otp: fresh[0] })).status).toBe(200);
    expect(await describeOf(token)).toMatchObject({ recovery_codes_left: 9 });
    expect(await actionsAbout(user)).toContain('recovery_codes.replaced');
    await expect.poll(() => subjectsTo(user)).toContain('New recovery codes for your Heliograph account');
  });

  it('recovery codes require a second factor', async () => {
    const token = await sessionOf(await cloud.make.user());
    expect((await cloud.call('POST /api/v1/user/recovery_codes', { token })).status).toBe(422);
  });
});

describe('the token of a pending sign-in', () => {
  it('a pending sign-in adds no factor to an account that has one', async () => {
    const user = await cloud.make.user();
    await addApp(cloud, user);
    const pending = String((await signIn(user)).body.pending_token);
    expect((await cloud.call('POST /api/v1/user/passkeys/options', { token: pending })).status).toBe(401);
    expect((await startApp(pending)).status).toBe(401);
    expect((await cloud.call('GET /api/v1/user/second_factor', { token: pending })).status).toBe(401);
  });
});
