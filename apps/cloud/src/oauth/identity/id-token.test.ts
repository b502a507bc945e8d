import { SESSION_SCOPES } from '@heliograph/contracts';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let ada: TestUser;
let home: number;
let application: string;
let session: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user({ email: 'Ada@example.org', firstName: 'Ada', lastName: 'Example' });
  home = await cloud.make.organization();
  application = await cloud.make.application(home);
  session = await cloud.make.token(ada.id, { kind: 'session', scopes: SESSION_SCOPES });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const exchange = (body: unknown, token = session) =>
  cloud.call<{ id_token: string; expires_in: number }>('POST /api/v1/id_token', { token, body });

/** As an application's server, or a database, does it: it knows the cloud's address and its own id. */
function verify(token: string, audience = application) {
  const keys = createRemoteJWKSet(new URL(`${cloud.url}/oauth/certs`));
  const expected = { issuer: cloud.url, audience, algorithms: ['RS512'], subject: String(ada.id) };
  return jwtVerify(token, keys, { ...expected, currentDate: new Date(cloud.clock.now()) });
}

describe('POST /id_token', () => {
  it('an id_token identifies the user for 300 seconds', async () => {
    const { status, body } = await exchange({ client_id: application, nonce: 'a nonce, "as it is" ☀' });
    expect([status, body.expires_in]).toEqual([200, 300]);
    const now = Math.floor(cloud.clock.now() / 1000);
    const { payload } = await verify(body.id_token);
    expect(payload).toEqual({
      iss: cloud.url,
      aud: application,
      sub: String(ada.id),
      email: 'ada@example.org',
      email_verified: true,
      name: 'Ada Example',
      given_name: 'Ada',
      family_name: 'Example',
      locale: 'en',
      nonce: 'a nonce, "as it is" ☀',
      iat: now,
      exp: now + 300,
      auth_time: now,
    });
    await expect(verify(body.id_token, 'app_another')).rejects.toThrow('"aud"');
    cloud.clock.advance(300_000);
    await expect(verify(body.id_token)).rejects.toThrow('"exp"');
  });

  it('an id_token has the name in the order of the language of the account', async () => {
    const { id } = await cloud.make.user({ firstName: 'Péter', lastName: 'Kovács' });
    await cloud.db.updateTable('users').set({ locale: 'hu' }).where('id', '=', id).execute();
    const token = await cloud.make.token(id, { kind: 'session', scopes: SESSION_SCOPES });
    const { body } = await exchange({ client_id: application, nonce: 'n' }, token);
    expect(decodeJwt(body.id_token)).toMatchObject({ name: 'Kovács Péter', given_name: 'Péter' });
  });

  it('an id_token is signed with a key that proxies and devices do not trust', async () => {
    const { body } = await exchange({ client_id: application, nonce: 'n' });
    const { kid } = decodeProtectedHeader(body.id_token);
    const forSites = await cloud.call<{ keys: { kid: string }[] }>('GET /.well-known/jwks.json');
    expect(forSites.body.keys.map((key) => key.kid)).not.toContain(kid);
  });

  it('an id_token has the time at which the session was opened', async () => {
    const openedAt = Math.floor(cloud.clock.now() / 1000);
    const old = await cloud.make.token(ada.id, { kind: 'session', scopes: SESSION_SCOPES });
    cloud.clock.advance(86_400_000);
    const { body } = await exchange({ client_id: application, nonce: 'n' }, old);
    expect((await verify(body.id_token)).payload.auth_time).toBe(openedAt);
  });

  it('an id_token omits empty names', async () => {
    const user = await cloud.make.user({ firstName: '', lastName: '' });
    const token = await cloud.make.token(user.id, { kind: 'session', scopes: SESSION_SCOPES });
    const { body } = await exchange({ client_id: application, nonce: 'n' }, token);
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: String(user.id), name: user.email });
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(['given_name']));
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(['family_name']));
  });
});

describe('POST /id_token for a client without permission', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['an unknown client', () => 'app_unknown'],
    ['an empty id', () => ''],
    ['an agent', () => cloud.make.application(null, { kind: 'agent' })],
    [
      'an application without the scope openid',
      () => cloud.make.application(home, { scopes: ['sites:read_single'] }),
    ],
  ])('an id_token is refused to %s', async (_which, clientId) => {
    expect(await exchange({ client_id: await clientId(), nonce: 'n' })).toMatchObject({
      status: 422,
      body: { errors: { client_id: ['is not an application that may ask who you are'] } },
    });
  });

  it('an application outside the organization of the session gets no id_token', async () => {
    const scopes = SESSION_SCOPES;
    const inHome = await cloud.make.token(ada.id, { kind: 'session', scopes, organizationId: home });
    const foreign = await cloud.make.application(await cloud.make.organization());
    expect(await exchange({ client_id: foreign, nonce: 'n' }, inHome)).toMatchObject({ status: 422 });
    expect(await exchange({ client_id: application, nonce: 'n' }, inHome)).toMatchObject({ status: 200 });
  });
});

it.each([
  [{}, 400],
  [{ client_id: 'x' }, 400],
  [{ nonce: 'x' }, 400],
  [{ client_id: 'x', nonce: '' }, 422],
  [{ client_id: 7, nonce: 'x' }, 400],
])('the body %j gets no id_token', async (body, status) => {
  expect(await exchange(body)).toMatchObject({ status });
});
