import { auth } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/factory.ts';
import { BrowserJar } from '../../../test/oauth/browser-jar.ts';
import { McpAgent } from '../../../test/oauth/mcp-agent.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { AGENT_SCOPES } from './challenge.ts';

const CALLBACK = 'http://localhost:51234/callback';
const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWDbuGJSstw-cM',
  code_challenge_method: 'S256',
};

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const register = (body: unknown, from?: string) =>
  cloud.call('POST /oauth/register', { body, ...(from !== undefined && { from }) });

/** Starts an authorization in a browser: 303 to the consent page, or a page with an error. */
async function authorize(query: Record<string, string>) {
  const parameters = {
    response_type: 'code',
    ...CHALLENGE,
    ...query,
  };
  const response = await fetch(`${cloud.url}/oauth/authorize?${new URLSearchParams(parameters)}`, {
    redirect: 'manual',
  });
  const page = await response.text();
  return { status: response.status, location: response.headers.get('location') ?? '', page };
}

describe('agents that know the address of the MCP server', () => {
  it.each([
    ['with the secret that it is given', {}],
    ['without a secret', { token_endpoint_auth_method: 'none' }],
  ])('an agent registers, has its user consent and gets a token, %s', async (_, metadata) => {
    const user = await cloud.make.user();
    const agent = new McpAgent({ client_name: 'Roof watcher', redirect_uris: [CALLBACK], ...metadata });
    const serverUrl = `${cloud.url}/mcp`;
    expect(await auth(agent, { serverUrl })).toBe('REDIRECT');
    expect(agent.information).toMatchObject({ client_id: expect.stringMatching(/^agent_[\w-]{22}$/) });
    expect(agent.opened?.searchParams.get('resource')).toBe(serverUrl);
    expect(agent.opened?.searchParams.get('scope')).toBe(AGENT_SCOPES.join(' '));

    const browser = new BrowserJar(cloud);
    const started = await browser.go('GET', String(agent.opened));
    const consent = started.headers.get('location') ?? '';
    const request = await (await browser.go('GET', `${consent}/request`)).json();
    expect(JSON.stringify(request)).toContain('Roof watcher');
    await browser.go('POST', '/portal/sign_in', { email: user.email, password: PASSWORD });
    const allowed = (await (await browser.go('POST', `${consent}/allow`, {})).json()) as { location: string };
    const back = new URL((await browser.go('GET', allowed.location)).headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe(CALLBACK);

    const { code, iss } = Object.fromEntries(back.searchParams);
    const exchange = { serverUrl, authorizationCode: String(code), iss: String(iss) };
    expect(await auth(agent, exchange)).toBe('AUTHORIZED');
    expect(agent.issued).toMatchObject({ access_token: expect.stringMatching(/^hgm_/), expires_in: 86_400 });
    expect(agent.issued).not.toHaveProperty('refresh_token');
  });

  it('the consent page shows the scheme of a private-use redirect URI, and not its host part', async () => {
    const uri = 'com.evil://known.example/callback';
    const { body } = await register({ redirect_uris: [uri], token_endpoint_auth_method: 'none' });
    const { consent, browser } = await arrive({ client_id: String(body.client_id), redirect_uri: uri });
    const shown = await (await browser.go('GET', `${consent}/request`)).json();
    expect(shown).toMatchObject({ application: { redirect_host: 'com.evil:' } });
  });

  it('an agent may name the resource twice, and the consent page has it once', async () => {
    const { body } = await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' });
    const resource = encodeURIComponent(`${cloud.url}/mcp`);
    const client = { client_id: String(body.client_id), redirect_uri: CALLBACK };
    const { consent, browser } = await arrive(client, `&resource=${resource}&resource=${resource}`);
    const { email } = await cloud.make.user();
    await browser.go('POST', '/portal/sign_in', { email, password: PASSWORD });
    const allowed = (await (await browser.go('POST', `${consent}/allow`, {})).json()) as { location: string };
    const next = await browser.go('GET', allowed.location);
    expect(next.headers.get('location')).toMatch(/callback\?code=/);
  });
});

/** A browser that is at the consent page. */
async function arrive(client: Record<string, string>, more = '') {
  const browser = new BrowserJar(cloud);
  const parameters = new URLSearchParams({ response_type: 'code', ...CHALLENGE, ...client });
  const { headers } = await browser.go('GET', `/oauth/authorize?${parameters}${more}`);
  return { browser, consent: headers.get('location') ?? '' };
}

describe('POST /oauth/register', () => {
  it('the answer has the stored metadata, and the secret is stored as a digest', async () => {
    const sent = {
      client_name: 'Agent',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid sites:read_all sites:write_all',
      jwks_uri: 'https://agent.example.org/jwks',
      logo_uri: 'https://agent.example.org/logo.svg',
      client_id: 'app_chosenchosenchosenchos',
      client_secret: 'chosen',
    };
    const { status, headers, body } = await register(sent);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      client_id: expect.stringMatching(/^agent_/),
      client_id_issued_at: Math.floor(cloud.clock.now() / 1000),
      client_secret: expect.stringMatching(/^hgc_[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_name: 'Agent',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: 'native',
      scope: 'openid sites:read_all',
      logo_uri: 'https://agent.example.org/logo.svg',
    });
    const row = await cloud.db
      .selectFrom('oauth_clients')
      .selectAll()
      .where('client_id', '=', String(body.client_id))
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(body.client_secret);
  });

  it.each([
    ['no redirect URI', {}, 'invalid_redirect_uri'],
    ['one to somewhere else', { redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri'],
    ['a grant that there is not', { redirect_uris: [CALLBACK], grant_types: [] }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
  ])('a registration with %s is refused with an error of RFC 7591', async (_, sent, error) => {
    const answer = await register(sent);
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
  });

  it.each<[string, string, number, Record<string, string>?]>([
    ['not JSON', '{"redirect_uris":', 400],
    ['a field twice', '{"scope":"a","scope":"b"}', 400],
    ['compressed', '{}', 415, { 'content-encoding': 'gzip' }],
    ['too long', JSON.stringify({ client_name: 'x'.repeat(16 * 1024) }), 413],
  ])('a registration is refused when the body is %s', async (_, raw, status, more = {}) => {
    const headers = { 'content-type': 'application/json', ...more };
    const answer = await cloud.call('POST /oauth/register', { raw, headers });
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
  });

  it('registrations of one network are limited, and other networks may register', async () => {
    const from = '203.0.113.7';
    const tries = await Promise.all(Array.from({ length: 21 }, () => register({}, from)));
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(20).fill(400), 429]);
    const refused = await register({ redirect_uris: [CALLBACK] }, from);
    expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register({ redirect_uris: [CALLBACK] })).status).toBe(201);
  });

  it('pages of any origin may register, and the discovery documents name the endpoint', async () => {
    const preflight = await fetch(`${cloud.url}/oauth/register`, {
      method: 'OPTIONS',
      headers: { origin: 'https://agent.example.org', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const { body } = await cloud.call(`GET /.well-known/${name}`);
      expect(body).toMatchObject({
        registration_endpoint: `${cloud.url}/oauth/register`,
        client_id_metadata_document_supported: true,
      });
    }
  });
});

describe('the redirect URI of an authorization', () => {
  const clientOf = async (redirect_uri: string, more = {}) => {
    const { body } = await register({ redirect_uris: [redirect_uri], ...more });
    return String(body.client_id);
  };

  it.each(['http://localhost:9/callback', 'http://localhost/callback', CALLBACK])(
    'the redirect URI of a native agent may have any loopback port: %s',
    async (redirect_uri) => {
      const client_id = await clientOf(CALLBACK);
      expect(await authorize({ client_id, redirect_uri })).toMatchObject({
        status: 303,
        location: expect.stringContaining('/oauth/consent/'),
      });
    },
  );

  it.each([
    ['org.example.editor://publisher.extension/oauth/callback'],
    ['com.example.app:/callback'],
    ['https://agent.example.org/callback?from=here'],
    ['http://[::1]:51234/callback'],
    ['http://127.0.0.1/callback', 'https://editor.example.org/redirect', 'com.example.app:/callback'],
  ])('every registered kind of redirect URI is accepted: %s', async (...redirect_uris) => {
    const { body } = await register({ redirect_uris });
    for (const redirect_uri of redirect_uris) {
      expect((await authorize({ client_id: String(body.client_id), redirect_uri })).status).toBe(303);
    }
  });

  it.each([
    'http://127.0.0.1:51234/callback',
    'http://localhost:51234/callback/',
    'http://localhost:51234/callback?next=x',
    'http://localhost:51234/other',
    'http://localhost.evil.example:51234/callback',
    'http://localhost:51234@evil.example/callback',
    'http://user@localhost:51234/callback',
    'http://localhost:51234/%63allback',
    'https://localhost:51234/callback',
  ])('a redirect URI that differs from the registered one is refused: %s', async (redirect_uri) => {
    const client_id = await clientOf(CALLBACK);
    const { status, location, page } = await authorize({ client_id, redirect_uri });
    expect({ status, location }).toEqual({ status: 400, location: '' });
    expect(page).toContain('invalid_redirect_uri');
  });

  it('the redirect URI of a web agent has the registered port', async () => {
    const client_id = await clientOf(CALLBACK, { application_type: 'web' });
    expect((await authorize({ client_id, redirect_uri: CALLBACK })).status).toBe(303);
    expect((await authorize({ client_id, redirect_uri: 'http://localhost:9/callback' })).status).toBe(400);
  });
});

describe('the MCP server as a resource', () => {
  it.each(['', '/mcp'])(
    'oauth-protected-resource%s describes the MCP server to pages of any origin',
    async (path) => {
      const url = `${cloud.url}/.well-known/oauth-protected-resource${path}`;
      const response = await fetch(url);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(await response.json()).toEqual({
        resource: `${cloud.url}/mcp`,
        resource_name: 'Heliograph',
        authorization_servers: [cloud.url],
        scopes_supported: AGENT_SCOPES,
        bearer_methods_supported: ['header'],
        resource_documentation: `${cloud.url}/docs`,
      });
      const headers = { 'access-control-request-headers': 'mcp-protocol-version' };
      const preflight = await fetch(url, { method: 'OPTIONS', headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    },
  );
});
