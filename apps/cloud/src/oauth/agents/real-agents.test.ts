import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpc } from '../../../test/mcp/agent.ts';
import { TestPerson } from '../../../test/oauth/person.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const CALLBACK = 'http://127.0.0.1:41234/callback';

interface Registered {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
}

interface Agent {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of the authorization request, beside those of every one. */
  readonly requested: (cloudUrl: string) => Readonly<Record<string, string>>;
  /** Of the token request, beside those of every one. */
  readonly exchanged?: (cloudUrl: string) => Readonly<Record<string, string>>;
  readonly callback?: string;
  /** Registered, where it is not what was sent. */
  readonly kept?: readonly string[];
}

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';
const CURSORS = [
  CURSOR,
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];
const named = (cloudUrl: string, resource: string) => ({ resource: cloudUrl + resource });

// As these agents register and ask, by public reports.
const AGENTS: Readonly<Record<string, Agent>> = {
  'Cursor, with a scheme of its own': {
    metadata: { client_name: 'Cursor', redirect_uris: CURSORS },
    requested: (url) => named(url, '/mcp'),
    exchanged: (url) => named(url, '/mcp'),
    callback: CURSOR,
  },
  'an agent of which one edition has a scheme that any program can take': {
    metadata: { redirect_uris: ['odd://callback', CALLBACK, 'ms-word:x'] },
    requested: () => ({}),
    kept: [CALLBACK],
  },
  'an agent with the scopes of OpenID': {
    metadata: { redirect_uris: [CALLBACK], scope: 'openid email profile' },
    requested: () => ({ scope: 'openid email profile offline_access' }),
  },
  'an agent that joins its scopes with spaces at the ends and between': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: () => ({ scope: ' openid  sites:read_all ', prompt: 'consent ' }),
  },
  'an agent that registers with null and empty texts for what it has not': {
    metadata: {
      redirect_uris: [CALLBACK],
      client_name: null,
      client_uri: '',
      logo_uri: null,
      contacts: null,
      scope: null,
      grant_types: null,
      response_types: null,
      application_type: '',
      jwks_uri: null,
    },
    requested: () => ({}),
  },
  'an agent that was given the host in capitals': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: (url) => ({ resource: `${url.replace('http:', 'HTTP:')}/mcp` }),
  },
  'an agent with a scope of tools and one that there is not': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: () => ({ scope: 'sites:read_all email' }),
  },
  'an agent that lets the person choose an account': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: () => ({ prompt: 'select_account' }),
  },
  'an agent that asks for consent with every usual prompt': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: () => ({ prompt: 'select_account consent' }),
  },
  'an agent that names the server with a slash': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: (url) => named(url, '/mcp/'),
    exchanged: (url) => named(url, '/mcp/'),
  },
  'an agent that names the server by its origin': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: (url) => named(url, ''),
    exchanged: (url) => named(url, ''),
  },
  'an agent that names the server by its origin with a slash, and then not at all': {
    metadata: { redirect_uris: [CALLBACK] },
    requested: (url) => named(url, '/'),
  },
};

describe('agents as they are', () => {
  it.each(Object.keys(AGENTS))('%s connects and has tools', async (name) => {
    const { metadata, requested, exchanged, callback = CALLBACK, kept } = AGENTS[name] as Agent;
    const sent = { token_endpoint_auth_method: 'none', ...metadata };
    const registered = await cloud.call<Registered>('POST /oauth/register', { body: sent });
    expect(registered).toMatchObject({
      status: 201,
      body: { redirect_uris: kept ?? metadata.redirect_uris },
    });
    const { client_id } = registered.body;
    const verifier = randomBytes(32).toString('base64url');
    const authorize = new URL('/oauth/authorize', cloud.url);
    authorize.search = String(
      new URLSearchParams({
        client_id,
        response_type: 'code',
        redirect_uri: callback,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...requested(cloud.url),
      }),
    );
    const person = await TestPerson.make(cloud);
    const back = await person.allow(String(authorize), null);
    const answer = await fetch(new URL('/oauth/token', cloud.url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id,
        redirect_uri: callback,
        code: back.searchParams.get('code') ?? '',
        code_verifier: verifier,
        ...exchanged?.(cloud.url),
      }),
    });
    const { access_token: token } = (await answer.json()) as { readonly access_token: string };
    expect(token).toMatch(/^hgm_/);
    for (const path of ['/mcp', '/mcp/']) {
      const listed = await cloud.call(`POST ${path}`, { token, body: rpc('tools/list') });
      expect(JSON.stringify(listed.body)).toContain('site_status');
    }
  });

  it.each(['https://elsewhere.example.org/mcp', '/mcp2', '/api', '//mcp'])(
    'an agent that names another server, %s, gets no code for it',
    async (resource) => {
      const body = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
      const { client_id } = (await cloud.call<Registered>('POST /oauth/register', { body })).body;
      const authorize = new URL('/oauth/authorize', cloud.url);
      authorize.search = String(
        new URLSearchParams({
          client_id,
          response_type: 'code',
          redirect_uri: CALLBACK,
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          resource: resource.startsWith('https') ? resource : cloud.url + resource,
        }),
      );
      const answer = await fetch(authorize, { redirect: 'manual' });
      expect(`${answer.headers.get('location')} ${await answer.text()}`).toContain('invalid_target');
    },
  );

  it('a registration with no usable address is refused with the fault of the first', async () => {
    const body = { redirect_uris: ['odd://callback', 'javascript:alert(1)'] };
    expect(await cloud.call('POST /oauth/register', { body })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
  });

  it.each([
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
    ['/.well-known/oauth-protected-resource/mcp/', '/mcp/'],
    ['/.well-known/oauth-protected-resource', '/mcp'],
    ['/.well-known/oauth-protected-resource/', '/mcp'],
  ])('the metadata at %s are those of %s, which strict agents compare', async (path, resource) => {
    expect(await cloud.call(`GET ${path}`)).toMatchObject({
      status: 200,
      body: { resource: cloud.url + resource },
    });
  });

  it.each(['/mcp', '/mcp/'])(
    'a request at %s without a token is answered with the metadata of that address',
    async (path) => {
      const { status, headers } = await cloud.call(`POST ${path}`, { body: rpc('tools/list') });
      expect(status).toBe(401);
      const [, address = ''] =
        /resource_metadata="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
      const metadata = (await (await fetch(address)).json()) as { readonly resource: string };
      expect(metadata.resource).toBe(cloud.url + path);
    },
  );
});
