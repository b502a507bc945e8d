import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let person: TestPerson;
let application: ThirdParty;
let server: ThirdParty;
beforeAll(async () => {
  cloud = await startTestCloud();
  person = await TestPerson.make(cloud);
  application = await ThirdParty.make(cloud);
  server = await ThirdParty.make(cloud, { kind: 'confidential' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const newCode = async (of = application) => person.code(await of.authorizationUrl());
const readsSite = async (token: string) =>
  (await cloud.call(`GET /api/v1/sites/${person.site.id}`, { token })).status;

describe('codes of applications without secret (RFC 7636)', () => {
  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: null }],
    ['an empty verifier', { code_verifier: '' }],
    ['too short a verifier', { code_verifier: 'x'.repeat(42) }],
    ['too long a verifier', { code_verifier: 'x'.repeat(129) }],
    ['a verifier of other characters', { code_verifier: `${'x'.repeat(42)}+` }],
  ])('a code is refused with %s', async (_what, changes) => {
    const code = await newCode();
    const { status, body } = await application.redeem(code, changes);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    // The attempt of an attacker does not spend the code.
    expect((await application.redeem(code)).status).toBe(200);
  });

  it('a code is refused with the challenge in place of the verifier', async () => {
    const code = await newCode();
    const challenge = createHash('sha256').update(application.verifier).digest('base64url');
    const { status, body } = await application.redeem(code, { code_verifier: challenge });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
});

it('the challenge of an application with a secret is verified too', async () => {
  const code = await newCode(server);
  expect((await server.redeem(code, { code_verifier: null })).body.error).toBe('invalid_grant');
  expect((await server.redeem(code, { code_verifier: 'x'.repeat(43) })).body.error).toBe('invalid_grant');
  expect((await server.redeem(code)).status).toBe(200);
});

it('a verifier is refused for a code without challenge (RFC 9700, 4.8.2)', async () => {
  const without = { code_challenge: null, code_challenge_method: null };
  const code = await person.code(await server.authorizationUrl(without));
  expect((await server.redeem(code)).body.error).toBe('invalid_grant');
  expect((await server.redeem(code, { code_verifier: null })).status).toBe(200);
});

describe('openid-client', () => {
  const grantOf = async (of: ThirdParty, callback: URL, pkceCodeVerifier = application.verifier) => {
    const checks = { pkceCodeVerifier, expectedState: 'the-state' };
    return client.authorizationCodeGrant(await of.openidClient(), callback, checks);
  };
  const refusal = { status: 400, error: 'invalid_grant' };

  it('openid-client reports a wrong verifier, a stolen code and a used one', async () => {
    const callback = await person.allow(await application.authorizationUrl());
    const thief = await ThirdParty.make(cloud);
    await expect(grantOf(application, callback, 'x'.repeat(43))).rejects.toMatchObject(refusal);
    await expect(grantOf(thief, callback)).rejects.toMatchObject(refusal);
    const { access_token: token } = await grantOf(application, callback);
    await expect(grantOf(application, callback)).rejects.toMatchObject(refusal);
    expect(await readsSite(token)).toBe(401);
  });

  it('openid-client verifies the issuer, so that it sends no code to another server (RFC 9207)', async () => {
    const callback = await person.allow(await application.authorizationUrl());
    for (const iss of ['https://evil.example', null]) {
      const mixed = new URL(callback);
      if (iss === null) mixed.searchParams.delete('iss');
      else mixed.searchParams.set('iss', iss);
      await expect(grantOf(application, mixed)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    }
    expect(await grantOf(application, callback)).toHaveProperty('access_token');
  });
});

describe('reuse of codes', () => {
  it('a reused code revokes its tokens (RFC 6749, 4.1.2)', async () => {
    const code = await newCode();
    const { body } = await application.redeem(code);
    expect(await readsSite(body.access_token)).toBe(200);
    const again = await application.redeem(code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await readsSite(body.access_token)).toBe(401);
    const userinfo = await cloud.call('GET /oauth/userinfo', { token: body.access_token });
    expect(userinfo.status).toBe(401);
  });

  it.each([
    ['without secret', () => application],
    ['with secret', () => server],
  ])('concurrent exchanges of one code leave no valid token, %s', async (_what, of) => {
    for (let round = 0; round < 2; round++) {
      const code = await newCode(of());
      const answers = await Promise.all([0, 1, 2].map(() => of().redeem(code)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(2);
      expect(statuses.filter((status) => status !== 400 && status !== 200)).toEqual([]);
      const given = answers.filter(({ status }) => status === 200);
      for (const { body } of given) expect(await readsSite(body.access_token)).toBe(401);
    }
  });

  it('another application gets no token for a code, and does not spend it', async () => {
    const code = await newCode();
    for (const thief of [server, await ThirdParty.make(cloud)]) {
      const { status, body } = await thief.redeem(code, { code_verifier: application.verifier });
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    }
    expect((await application.redeem(code)).status).toBe(200);
  });

  it('a code is valid for a minute', async () => {
    const [first, second] = [await newCode(), await newCode()];
    cloud.clock.advance(59_000);
    expect((await application.redeem(first)).status).toBe(200);
    cloud.clock.advance(2_000);
    expect((await application.redeem(second)).body.error).toBe('invalid_grant');
  });

  it.each([
    ['another address', 'https://app.example.org/other'],
    ['a longer address', 'https://app.example.org/callback/'],
  ])('a code is refused with %s than it was sent to', async (_what, redirect_uri) => {
    const { status, body } = await application.redeem(await newCode(), { redirect_uri });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
  });

  it.each(['', 'x', 'x'.repeat(43), '\0', '\u{1f31e}'])('the invalid code %j is refused', async (code) => {
    const { status, body } = await application.redeem(code);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
  });
});
