import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

describe('authorization code flow with openid-client', () => {
  it.each([
    ['with a secret in the header', 'confidential', client.ClientSecretBasic, true],
    ['with a secret in the body', 'confidential', client.ClientSecretPost, true],
    ['with a secret and no challenge', 'confidential', client.ClientSecretPost, false],
    ['in the browser, without secret', 'public', undefined, true],
  ] as const)(
    'an application gets a token for the site that its user chose, %s',
    async (_how, kind, authentication, pkce) => {
      const application = await ThirdParty.make(cloud, { kind });
      const person = await TestPerson.make(cloud);
      const config = await application.openidClient(authentication?.(application.secret));
      const verifier = client.randomPKCECodeVerifier();
      const nonce = client.randomNonce();
      const state = client.randomState();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: application.redirectUri,
        scope: 'openid sites:read_single',
        state,
        nonce,
        ...(pkce && {
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      });

      const callback = await person.allow(url.href);
      // The redirect URI, which others may see, does not contain the site.
      expect([...callback.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
      const tokens = await client.authorizationCodeGrant(config, callback, {
        ...(pkce && { pkceCodeVerifier: verifier }),
        expectedState: state,
        expectedNonce: nonce,
      });

      const { access_token: token, id_token: idToken = '', ...rest } = tokens;
      const sub = String(person.user.id);
      expect(rest).toEqual({
        token_type: 'bearer',
        expires_in: 86_400,
        scope: 'openid sites:read_single',
        scope_detail: { openid: { sub: person.user.id }, 'sites:read_single': { id: person.site.id } },
      });
      expect(token).toMatch(/^hgo_[\w-]{43}$/);
      expect(decodeProtectedHeader(idToken)).toEqual({ alg: 'RS512', kid: expect.any(String) });
      const claims = {
        sub,
        email: person.user.email,
        email_verified: true,
        name: 'Ada Example',
        given_name: 'Ada',
        family_name: 'Example',
        locale: 'en',
      };
      const { iat = 0, ...received } = decodeJwt(idToken);
      expect(received).toEqual({
        ...claims,
        iss: cloud.url,
        aud: application.clientId,
        nonce,
        exp: iat + 3600,
      });
      expect(await client.fetchUserInfo(config, token, sub)).toEqual(claims);
      expect((await cloud.call(`GET /api/v1/sites/${person.site.id}`, { token })).status).toBe(200);

      await client.tokenRevocation(config, token);
      expect((await cloud.call(`GET /api/v1/sites/${person.site.id}`, { token })).status).toBe(401);
      await expect(client.fetchUserInfo(config, token, sub)).rejects.toThrow();
    },
  );

  it('an application gets access_denied when the user declines', async () => {
    const application = await ThirdParty.make(cloud);
    const person = await TestPerson.make(cloud);
    const callback = await person.deny(await application.authorizationUrl());
    const config = await application.openidClient();
    const redeeming = client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: application.verifier,
      expectedState: 'the-state',
    });
    await expect(redeeming).rejects.toMatchObject({
      error: 'access_denied',
      error_description: 'The user did not allow it',
    });
  });

  it('an application gets the time of the sign-in when it limits its age', async () => {
    const application = await ThirdParty.make(cloud);
    const person = await TestPerson.make(cloud);
    const maxAge = 100_000_000;
    const code = await person.code(await application.authorizationUrl({ max_age: String(maxAge) }));
    const { body } = await application.redeem(code);
    expect(decodeJwt(body.id_token ?? '').auth_time).toBe(Math.floor(cloud.clock.now() / 1000));
  });
});

describe('granted scopes', () => {
  it('openid alone grants identity and no site', async () => {
    const application = await ThirdParty.make(cloud);
    const person = await TestPerson.make(cloud);
    const url = await application.authorizationUrl({ scope: 'openid' });
    const { body } = await application.redeem(await person.code(url));
    expect(body).toMatchObject({ scope: 'openid', scope_detail: { openid: { sub: person.user.id } } });
    expect(body).toHaveProperty('id_token');
    expect(body).not.toHaveProperty('scope_detail.sites:read_single');
    const { access_token: token } = body;
    expect((await cloud.call(`GET /api/v1/sites/${person.site.id}`, { token })).status).toBe(403);
  });

  it('sites:read_single alone grants a site and no identity', async () => {
    const application = await ThirdParty.make(cloud, { scopes: ['sites:read_single'] });
    const person = await TestPerson.make(cloud);
    const url = await application.authorizationUrl({ scope: 'sites:read_single' });
    const { body } = await application.redeem(await person.code(url));
    expect(body).toMatchObject({
      scope: 'sites:read_single',
      scope_detail: { 'sites:read_single': { id: person.site.id } },
    });
    expect(Object.keys(body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'scope',
      'scope_detail',
      'token_type',
    ]);
    const authorization = `Bearer ${body.access_token}`;
    const userinfo = await cloud.call('GET /oauth/userinfo', { headers: { authorization } });
    expect(userinfo.status).toBe(403);
    expect(userinfo.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('a request without scope gets all scopes of the application (RFC 6749, 3.3)', async () => {
    const application = await ThirdParty.make(cloud);
    const person = await TestPerson.make(cloud);
    const { body } = await application.redeem(
      await person.code(await application.authorizationUrl({ scope: null })),
    );
    expect(body.scope).toBe('openid sites:read_single');
  });
});
