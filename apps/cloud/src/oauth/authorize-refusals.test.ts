import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserJar } from '../../test/oauth/browser-jar.ts';
import { locationOf, TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let application: ThirdParty;
let server: ThirdParty;
beforeAll(async () => {
  cloud = await startTestCloud();
  application = await ThirdParty.make(cloud, { scopes: ['openid'] });
  server = await ThirdParty.make(cloud, { kind: 'confidential' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const visit = (url: string) => new BrowserJar(cloud).go('GET', url);

describe('errors of GET /oauth/authorize by redirect, with state and issuer (RFC 9207)', () => {
  it.each([
    ['a challenge that is the verifier itself', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without method, which means plain', { code_challenge_method: null }, 'invalid_request'],
    ['no challenge', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['a scope that it was not registered with', { scope: 'openid sites:read_single' }, 'invalid_scope'],
    ['a scope of agents', { scope: 'openid sites:read_all' }, 'invalid_scope'],
    ['a scope that there is not', { scope: 'openid everything' }, 'invalid_scope'],
    ['a refresh token', { scope: 'openid offline_access' }, 'invalid_scope'],
    ['a scope with odd characters', { scope: 'openid "é"' }, 'invalid_scope'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id_token at once', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['both at once', { response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['no response type', { response_type: null }, 'invalid_request'],
    ['an unknown way to be answered', { response_mode: 'carrier_pigeon' }, 'unsupported_response_mode'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request from elsewhere', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['registration on the way', { registration: '{}' }, 'registration_not_supported'],
    ['the MCP server as resource (RFC 8707)', { resource: 'MCP' }, 'invalid_target'],
    ['another resource', { resource: 'https://api.example.org/' }, 'invalid_target'],
    ['a resource that is no address', { resource: 'everything' }, 'invalid_target'],
    ['no question for the user, who is to decide', { prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { prompt: 'nothing' }, 'invalid_request'],
    ['an age that is none', { max_age: '-1' }, 'invalid_request'],
    ['an id_token that is none', { id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }, 'invalid_request'],
  ])('the application gets an error for %s', async (_what, changes, error) => {
    const resource = 'resource' in changes && changes.resource === 'MCP' && { resource: `${cloud.url}/mcp` };
    const answer = await visit(
      await application.authorizationUrl({ scope: 'openid', ...changes, ...resource }),
    );
    const { origin, pathname, hash, search } = locationOf(answer);
    // The standard wants a fragment where a token was asked for.
    const parameters = Object.fromEntries(new URLSearchParams(hash === '' ? search : hash.slice(1)));
    expect([answer.status, origin + pathname]).toEqual([303, application.redirectUri]);
    expect(parameters).toMatchObject({ error, state: 'the-state', iss: cloud.url });
    expect(parameters).not.toHaveProperty('code');
    expect(JSON.stringify(parameters)).not.toMatch(/node_modules| at /);
  });

  it('a server application must use S256 for a challenge', async () => {
    const answer = await visit(await server.authorizationUrl({ code_challenge_method: 'plain' }));
    expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request');
  });

  it('a state with markup is returned unchanged', async () => {
    const state = '"><script>alert(1)</script>&code=x\r\n';
    const answer = await visit(await application.authorizationUrl({ scope: 'nothing', state }));
    expect(locationOf(answer).searchParams.get('state')).toBe(state);
    expect(locationOf(answer).searchParams.getAll('code')).toEqual([]);
  });
});

describe('errors of GET /oauth/authorize without redirect', () => {
  const elsewhere = 'https://evil.example/<script>alert(1)</script>';

  it.each([
    ['for an unknown application', { client_id: 'app_0123456789012345678901', redirect_uri: elsewhere }],
    ['for an application that is no text', { client_id: '\0', redirect_uri: elsewhere }],
    [
      'for a document that is not there',
      { client_id: 'https://evil.invalid/<script>', redirect_uri: elsewhere },
    ],
    ['without an application', { client_id: null, redirect_uri: elsewhere }],
    ['to a foreign address', { redirect_uri: elsewhere }],
    ['to a foreign address, as a form', { redirect_uri: elsewhere, response_mode: 'form_post' }],
    ['with another mistake besides', { redirect_uri: elsewhere, response_type: 'token', scope: '<b>' }],
    ['to a script', { redirect_uri: 'javascript:alert(1)' }],
  ])('the browser is not redirected %s', async (_what, changes) => {
    const url = await application.authorizationUrl(changes);
    const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(page).not.toMatch(/<script>|<b>|node_modules/);
    if (answer.headers.get('content-type')?.startsWith('application/json')) return;
    expect(page).toContain('Go back to it');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it.each(['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge'])(
    'a repeated parameter %s is refused (RFC 6749, 3.1)',
    async (name) => {
      const url = await application.authorizationUrl({ scope: 'openid' });
      const answer = await visit(`${url}&${name}=${encodeURIComponent(elsewhere)}`);
      const location = answer.headers.get('location') ?? '';
      expect(location === '' ? answer.status : new URL(location).searchParams.get('error')).toEqual(
        location === '' ? 400 : 'invalid_request',
      );
      expect(location === '' || location.startsWith(application.redirectUri)).toBe(true);
    },
  );

  it.each([
    'return_to',
    'next',
    'redirect',
    'post_logout_redirect_uri',
    'target_link_uri',
    'web_message_uri',
  ])('the unknown parameter %s does not redirect', async (name) => {
    const url = await application.authorizationUrl({ scope: 'openid', [name]: elsewhere });
    const answer = await visit(url);
    expect(locationOf(answer).href).toMatch(new RegExp(`^${cloud.url}/oauth/consent/[\\w-]+$`));
  });
});

it('an answer as a form is submitted by its own script alone', async () => {
  const person = await TestPerson.make(cloud);
  const state = '"><script>alert(1)</script>';
  const url = await application.authorizationUrl({ scope: 'openid', response_mode: 'form_post', state });
  const consent = locationOf(await person.browser.go('GET', url)).pathname;
  const allowed = await person.browser.go('POST', `${consent}/allow`, {});
  const { location } = (await allowed.json()) as { location: string };
  const answer = await person.browser.go('GET', location);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none';script-src 'sha256-[\w+/]+=*';frame-ancestors 'none';base-uri 'none'$/,
  );
  expect(page).toContain(`<form method="post" action="${application.redirectUri}">`);
  expect(page).toContain('name="state" value="&quot;&gt;&lt;script&gt;');
  expect(page).toMatch(/name="code" value="[\w-]{43}"/);
  expect(page).toContain(`name="iss" value="${cloud.url}"`);
});

it('an authorization continues only in the browser that began it', async () => {
  const person = await TestPerson.make(cloud);
  const next = await person.consent(await server.authorizationUrl());
  const other = await TestPerson.make(cloud);
  for (const { browser } of [other, { browser: new BrowserJar(cloud) }]) {
    const answer = await browser.go('GET', next);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  }
  expect(locationOf(await person.browser.go('GET', next)).searchParams.has('code')).toBe(true);
  // Nor twice in that one.
  expect((await person.browser.go('GET', next)).headers.get('location')).toBeNull();
});

it('two authorizations continue in two tabs of a browser', async () => {
  const person = await TestPerson.make(cloud);
  await person.code(await server.authorizationUrl());
  const first = await person.consent(await server.authorizationUrl({ state: 'first' }));
  const second = await person.consent(await server.authorizationUrl({ state: 'second' }));
  for (const [next, state] of [
    [second, 'second'],
    [first, 'first'],
  ] as const) {
    const { searchParams } = locationOf(await person.browser.go('GET', next));
    expect([searchParams.get('state'), searchParams.has('code')]).toEqual([state, true]);
  }
});

it('the same request is accepted as a form', async () => {
  const { origin, pathname, search, searchParams } = new URL(await application.authorizationUrl());
  const options = { method: 'POST', redirect: 'manual' } as const;
  const answer = await fetch(origin + pathname, { ...options, body: searchParams });
  expect(answer.status).toBe(303);
  const again = locationOf(answer);
  expect([again.pathname, again.search]).toEqual([pathname, `?${new URLSearchParams(search)}`]);
  const json = { ...options, body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(origin + pathname, json)).status).toBe(415);
});

it('other methods are refused and begin no authorization', async () => {
  const url = await application.authorizationUrl({ scope: 'openid' });
  const statusOf = async (method: string) => (await fetch(url, { method, redirect: 'manual' })).status;
  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect([method, await statusOf(method)]).toEqual([method, 405]);
});

it('an overlong URL is refused', async () => {
  const state = 'x'.repeat(20_000);
  const answer = await fetch(await application.authorizationUrl({ state }), { redirect: 'manual' });
  expect(answer.status).toBe(431);
});

it('authorizations of one network are limited, so that they cannot fill the disk', async () => {
  const url = await application.authorizationUrl({ scope: 'openid' });
  const authorize = async (from = '203.0.113.9') =>
    locationOf(await fetch(url, { headers: { 'x-forwarded-for': from }, redirect: 'manual' }));
  expect((await authorize()).pathname).toMatch(/^\/oauth\/consent\//);
  await cloud.multiplyCounts(600);
  const kept = () => sql`select from oauth_records`.execute(cloud.db);
  const before = (await kept()).rows.length;
  const refused = await authorize();
  expect(refused.origin + refused.pathname).toBe(application.redirectUri);
  expect(Object.fromEntries(refused.searchParams)).toMatchObject({
    error: 'temporarily_unavailable',
    state: 'the-state',
  });
  expect((await kept()).rows.length).toBe(before);
  expect((await authorize('203.0.113.10')).pathname).toMatch(/^\/oauth\/consent\//);
});
