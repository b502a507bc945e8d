import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

const FORM = 'application/x-www-form-urlencoded';

let cloud: TestCloud;
let person: TestPerson;
let application: ThirdParty;
let server: ThirdParty;
beforeAll(async () => {
  cloud = await startTestCloud();
  person = await TestPerson.make(cloud);
  application = await ThirdParty.make(cloud, { redirectUri: 'https://app.example.org:8443/callback' });
  server = await ThirdParty.make(cloud, { kind: 'confidential' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const newCode = async (of = application) => person.code(await of.authorizationUrl());
const basic = (name: string, secret = '') => `Basic ${btoa(`${name}:${secret}`)}`;

describe('client authentication at POST /oauth/token', () => {
  it.each([
    ['a wrong secret', { client_secret: `hgc_${'x'.repeat(43)}` }, 401, 'invalid_client'],
    ['the digest of the secret, as it is stored', { client_secret: 'DIGEST' }, 401, 'invalid_client'],
    ['no secret', { client_secret: null }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['no name', { client_id: null }, 400, 'invalid_request'],
    ['an unknown name', { client_id: 'app_0123456789012345678901' }, 401, 'invalid_client'],
    ['a name that is no text', { client_id: '\0' }, 401, 'invalid_client'],
    ['an assertion', { client_secret: null, client_assertion: 'e30.e30.' }, 401, 'invalid_client'],
  ])('a client with %s is refused', async (_what, changes, status, error) => {
    const code = await newCode(server);
    const { secret_hash: digest } = await cloud.db
      .selectFrom('oauth_clients')
      .select('secret_hash')
      .where('client_id', '=', server.clientId)
      .executeTakeFirstOrThrow();
    const secret =
      'client_secret' in changes && changes.client_secret === 'DIGEST' ? digest?.toString('hex') : undefined;
    const answer = await server.redeem(code, { ...changes, ...(secret && { client_secret: secret }) });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect((await server.redeem(code)).status).toBe(200);
  });

  it('a browser application with an invented secret is refused', async () => {
    const code = await newCode();
    const { status, body } = await application.redeem(code, { client_secret: 'hgc_invented' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('openid-client gets a challenge for a wrong Authorization header (RFC 6749, 5.2)', async () => {
    const config = await server.openidClient(client.ClientSecretBasic('hgc_wrong'));
    const callback = await person.allow(await server.authorizationUrl());
    const asking = client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: server.verifier,
      expectedState: 'the-state',
    });
    await expect(asking).rejects.toMatchObject({ status: 401 });
  });

  it('a secret in two places is refused', async () => {
    const headers = { authorization: basic(server.clientId, server.secret) };
    const fields = { grant_type: 'authorization_code', code: 'x', client_id: server.clientId };
    const both = await server.post(
      '/oauth/token',
      { ...fields, client_secret: server.secret ?? null },
      headers,
    );
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
    const other = await server.post('/oauth/token', { ...fields, client_id: application.clientId }, headers);
    expect([other.status, other.body.error]).toEqual([400, 'invalid_request']);
    for (const authorization of [
      'Basic',
      'Basic %%%',
      'Bearer x',
      basic('no colon').slice(0, -3),
      basic('\0', 'x'),
    ]) {
      const { status } = await server.post('/oauth/token', fields, { authorization });
      expect([authorization, [400, 401].includes(status)]).toEqual([authorization, true]);
    }
  });
});

describe('parameters of POST /oauth/token', () => {
  it.each([
    ['no grant', null, 'invalid_request'],
    ['a refresh token', 'refresh_token', 'unsupported_grant_type'],
    ['the password', 'password', 'unsupported_grant_type'],
    ['client credentials', 'client_credentials', 'unsupported_grant_type'],
    ['a token at once', 'implicit', 'unsupported_grant_type'],
    ['a device', 'urn:ietf:params:oauth:grant-type:device_code', 'unsupported_grant_type'],
    ['a property of objects', '__proto__', 'unsupported_grant_type'],
  ])('the grant type for %s is refused', async (_what, grant_type, error) => {
    const { status, body } = await application.redeem('x', {
      grant_type,
      refresh_token: 'x',
      username: 'a',
      password: 'b',
    });
    expect([status, body.error]).toEqual([400, error]);
  });

  it.each(['code', 'code_verifier', 'redirect_uri', 'client_id', 'grant_type'])(
    'a repeated parameter %s is refused (RFC 6749, 3.2)',
    async (name) => {
      const code = await newCode();
      const fields = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: application.clientId,
        redirect_uri: application.redirectUri,
        code_verifier: application.verifier,
        code,
      });
      fields.append(name, fields.get(name) ?? '');
      const { status, body } = await application.post('/oauth/token', fields.toString());
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect((await application.redeem(code)).status).toBe(200);
    },
  );

  it('another resource than the one of the consent is refused (RFC 8707)', async () => {
    for (const resource of [`${cloud.url}/mcp`, 'https://api.example.org']) {
      const { status, body } = await application.redeem(await newCode(), { resource });
      expect([status, body.error]).toEqual([400, 'invalid_target']);
    }
  });

  it.each([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}', 400],
    ['parts', 'multipart/form-data; boundary=x', '--x--', 400],
    ['nothing', FORM, '', 400],
    ['what is no form', FORM, '%%%=%&&&==', 400],
    ['too much', FORM, `code=${'x'.repeat(60_000)}`, 400],
    ['more than any body may have', FORM, `code=${'x'.repeat(65_536)}`, 413],
    ['ten thousand fields', FORM, 'a=b&'.repeat(10_000), 400],
  ])('the body must be a form, and not %s', async (_what, type, body, status) => {
    const answer = await application.post('/oauth/token', body, { 'content-type': type });
    expect([answer.status, answer.body.error]).toEqual([status, 'invalid_request']);
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules| at |x{50}/);
  });

  it('a scope parameter is ignored in favour of the consent', async () => {
    const code = await newCode();
    const { body } = await application.redeem(code, { scope: 'openid sites:read_single sites:read_all' });
    expect(body.scope).toBe('openid sites:read_single');
  });

  it('the token endpoint accepts POST alone', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
      expect([method, (await fetch(`${cloud.url}/oauth/token`, { method })).status]).toEqual([method, 405]);
    expect((await fetch(`${cloud.url}/oauth/token`, { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('answers of POST /oauth/token', () => {
  const preflight = {
    origin: 'https://app.example.org:8443',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  it.each([undefined, 'https://app.example.org:8443', 'https://evil.example', 'null'])(
    "the allowed origin is the application's own for requests from %s",
    async (origin) => {
      const headers: Record<string, string> = origin === undefined ? {} : { origin };
      const given = await application.post(
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          client_id: application.clientId,
          redirect_uri: application.redirectUri,
          code: await newCode(),
          code_verifier: application.verifier,
        },
        headers,
      );
      const refused = await application.post('/oauth/token', { client_id: application.clientId }, headers);
      expect([given.status, refused.status]).toEqual([200, 400]);
      for (const answer of [given, refused]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.org:8443');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );

  it('the answer to an unknown application allows no origin', async () => {
    const answer = await application.post(
      '/oauth/token',
      { client_id: 'nobody' },
      { origin: 'https://evil.example' },
    );
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('preflight requests get 404, because a form needs none', async () => {
    const answer = await fetch(`${cloud.url}/oauth/token`, { method: 'OPTIONS', headers: preflight });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
    const userinfo = await fetch(`${cloud.url}/oauth/userinfo`, { method: 'OPTIONS', headers: preflight });
    expect([userinfo.status, userinfo.headers.get('access-control-allow-credentials')]).toEqual([204, null]);
  });

  it('errors are JSON that no cache stores (RFC 6749, 5.2)', async () => {
    const good = await application.redeem(await newCode());
    const bad = await application.redeem('x');
    for (const { headers } of [good, bad]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(Object.keys(bad.body).toSorted()).toEqual(['error', 'error_description']);
  });

  it('errors are an escaped page for clients that accept HTML', async () => {
    const answer = await fetch(`${cloud.url}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': FORM },
      body: new URLSearchParams({ client_id: application.clientId, grant_type: '<script>alert(1)</script>' }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain('<script>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
