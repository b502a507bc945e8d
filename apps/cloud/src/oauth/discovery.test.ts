import { request } from 'node:http';
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const DOCUMENTS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

/** Asks as `fetch` cannot: with a host of one's own. */
function fetchDocument(path: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asking = request(cloud.url + path, { headers }, async (answer) => {
    resolve(JSON.stringify(answer.headers) + (await answer.setEncoding('utf8').toArray()).join(''));
  });
  asking.on('error', reject).end();
  return promise;
}

it.each(DOCUMENTS)('%s lists the supported features and no others', async (path) => {
  const { body, headers } = await cloud.call(`GET ${path}`);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toEqual({
    issuer: cloud.url,
    authorization_endpoint: `${cloud.url}/oauth/authorize`,
    token_endpoint: `${cloud.url}/oauth/token`,
    jwks_uri: `${cloud.url}/oauth/certs`,
    userinfo_endpoint: `${cloud.url}/oauth/userinfo`,
    revocation_endpoint: `${cloud.url}/oauth/revoke`,
    registration_endpoint: `${cloud.url}/oauth/register`,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: ['form_post', 'fragment', 'query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS512'],
    scopes_supported: [
      'openid',
      'sites:read_single',
      'sites:read_all',
      'users:read_all',
      'orders:read_all',
      'products:read_all',
    ],
    claims_supported: expect.arrayContaining(['sub', 'email', 'email_verified', 'name', 'iss', 'auth_time']),
    claim_types_supported: ['normal'],
    claims_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
});

it('openid-client finds the server by either document', async () => {
  const { clientId } = await ThirdParty.make(cloud);
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    const execute = [client.allowInsecureRequests];
    const config = await client.discovery(new URL(cloud.url), clientId, undefined, undefined, {
      algorithm,
      execute,
    });
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
  }
});

it('the published keys are public halves alone', async () => {
  const { body } = await cloud.call<{ keys: object[] }>('GET /oauth/certs');
  expect(body.keys.length).toBeGreaterThan(0);
  for (const key of body.keys) {
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS512', use: 'sig' });
  }
});

it.each([
  { host: 'evil.example' },
  { host: 'evil.example:443', 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example, other.example', 'x-forwarded-proto': 'gopher' },
  { forwarded: 'host=evil.example;proto=gopher' },
  { 'x-original-url': 'https://evil.example/', 'x-forwarded-prefix': '/evil.example' },
])('the issuer is the configured address whatever the headers: %o', async (headers) => {
  const application = await ThirdParty.make(cloud);
  const { pathname, search } = new URL(await application.authorizationUrl());
  for (const path of [...DOCUMENTS, '/.well-known/oauth-protected-resource/mcp', pathname + search]) {
    const answer = await fetchDocument(path, headers);
    expect(answer).not.toMatch(/evil|gopher/);
    if (path !== pathname + search) expect(answer).toContain(cloud.url);
  }
});
