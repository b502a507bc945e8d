import type { Scope } from '@heliograph/contracts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { type ListedTool, rpc, TestAgent } from '../../test/mcp/agent.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { AGENT_SCOPES } from '../oauth/agents/challenge.ts';

let cloud: TestCloud;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user({ firstName: 'Olga' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const agent = (token: string) => new TestAgent(cloud, token);

const JSON_TYPE = { 'content-type': 'application/json' };

describe('POST /mcp', () => {
  const ALL = [
    'find_sites',
    'site_status',
    'site_get_metrics',
    'site_get_energy',
    'site_get_history',
    'site_list_alerts',
    'compare_sites',
    'list_members',
    'list_users',
    'find_orders',
    'get_order',
    'find_products',
  ];
  const OF_ORDERS = ['find_orders', 'get_order'];
  const OF_SHOP = [...OF_ORDERS, 'find_products'];
  const WITHOUT_SHOP = ALL.filter((name) => !OF_SHOP.includes(name));
  const WITHOUT_DIRECTORY = WITHOUT_SHOP.filter((name) => name !== 'list_users');
  const OF_ONE_SITE = WITHOUT_DIRECTORY.filter((name) => name !== 'find_sites');
  const everything: readonly Scope[] = ['sites:read_all', 'sites:write_all', 'users:read_all'];

  it.each<['api' | 'session' | 'mcp' | 'oauth', readonly Scope[], readonly string[] | number]>([
    ['api', everything, WITHOUT_SHOP],
    ['api', [...everything, 'orders:read_all', 'products:read_all'], ALL],
    ['session', everything, WITHOUT_SHOP],
    ['mcp', AGENT_SCOPES, ALL],
    ['mcp', ['openid', 'sites:read_all'], WITHOUT_DIRECTORY],
    ['mcp', ['openid', 'users:read_all'], ['list_users']],
    ['api', ['sites:read_single'], OF_ONE_SITE],
    ['api', ['sites:write_all', 'orders:write_all', 'tickets:read_all'], 403],
    ['api', ['orders:read_all'], OF_ORDERS],
    ['mcp', ['openid', 'products:read_all'], ['find_products']],
    ['mcp', ['openid', 'orders:read_all', 'products:read_all'], OF_SHOP],
    // For the HTTP API, and for nothing else.
    ['oauth', ['openid', 'sites:read_single'], 401],
    ['oauth', AGENT_SCOPES, 401],
  ])('a token of kind %s with the scopes %j gets its tools or a refusal', async (kind, scopes, expected) => {
    const token = await cloud.make.token(owner.id, { kind, scopes });
    const { status, body, headers } = await cloud.call<{ result: { tools: ListedTool[] } }>('POST /mcp', {
      token,
      body: rpc('tools/list'),
    });
    if (typeof expected === 'number') {
      expect(status).toBe(expected);
      const error = expected === 403 ? 'insufficient_scope' : 'invalid_token';
      expect(headers.get('www-authenticate')).toMatch(
        new RegExp(`^Bearer resource_metadata=.*error="${error}"`),
      );
      return;
    }
    expect(body.result.tools.map(({ name }) => name)).toEqual(expected);
    for (const name of ALL.filter((each) => !expected.includes(each))) {
      expect((await agent(token).call(name)).error, name).toMatchObject({ code: -32602 });
    }
  });

  it('the HTTP API refuses a token of an agent and names the MCP server', async () => {
    const token = await cloud.make.token(owner.id, { kind: 'mcp', scopes: AGENT_SCOPES });
    for (const route of ['GET /api/v1/sites', 'GET /api/v1/organizations']) {
      const { status, body } = await cloud.call(route, { token });
      expect([status, body.error]).toEqual([401, 'This token is for the MCP server at /mcp']);
    }
  });

  it.each(['POST', 'GET', 'DELETE'])(
    '%s without a token: where one comes from, and no more',
    async (method) => {
      const { status, headers } = await cloud.call(`${method} /mcp`);
      expect(status).toBe(401);
      const challenge = headers.get('www-authenticate');
      expect(challenge).toContain(
        `resource_metadata="${cloud.url}/.well-known/oauth-protected-resource/mcp"`,
      );
      expect(challenge).not.toContain('error=');
      expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    },
  );

  it.each(['expiresAt', 'revokedAt'] as const)(
    'a token with %s in the past is refused with 401',
    async (field) => {
      const at = new Date(cloud.clock.now() - 1);
      const token = await cloud.make.token(owner.id, { kind: 'mcp', scopes: AGENT_SCOPES, [field]: at });
      const { status, headers } = await cloud.call('POST /mcp', { token, body: rpc('tools/list') });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    },
  );

  it('a token in the address is refused, also beside one in the header', async () => {
    const { token } = owner;
    const route = `POST /mcp?access_token=${token}`;
    const body = rpc('tools/list');
    expect((await cloud.call(route, { body })).status).toBe(400);
    expect((await cloud.call(route, { body, token })).status).toBe(400);
  });

  it('pages of any origin may call with a token, and cookies are ignored', async () => {
    const headers = {
      origin: 'https://elsewhere.example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version',
    };
    const preflight = await fetch(`${cloud.url}/mcp`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    const answer = await cloud.call('POST /mcp', {
      token: owner.token,
      body: rpc('tools/list'),
      headers: { origin: headers.origin },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('unreadable bodies', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number]>([
    ['malformed JSON', '{"jsonrpc":', JSON_TYPE, -32700],
    ['a field twice', '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"x"}', JSON_TYPE, -32700],
    ['an empty body', '', JSON_TYPE, -32700],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), JSON_TYPE, -32700],
    ['half of a character', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', JSON_TYPE, -32700],
    ['a poisoned prototype', '{"__proto__":{"x":1}}', JSON_TYPE, -32700],
    ['no JSON-RPC', '{}', JSON_TYPE, -32600],
    ['deeper than anyone nests', '['.repeat(3e4) + ']'.repeat(3e4), JSON_TYPE, -32700],
  ])('%s is answered with a protocol error', async (_what, raw, headers, code) => {
    const answer = await cloud.call('POST /mcp', { token: owner.token, raw, headers });
    expect(answer).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code } } });
  });

  it.each<[string, Record<string, string>]>([
    ['compressed', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['text', { 'content-type': 'text/plain' }],
  ])('a body that is %s is refused with 415 and a protocol error', async (_what, headers) => {
    const answer = await cloud.call('POST /mcp', { token: owner.token, raw: '{}', headers });
    expect(answer).toMatchObject({ status: 415, body: { jsonrpc: '2.0', error: { code: -32700 } } });
  });

  it('a body over 64 KiB is refused with 413', async () => {
    const raw = JSON.stringify(rpc('tools/list', { x: 'x'.repeat(65_536) }));
    expect((await cloud.call('POST /mcp', { token: owner.token, raw, headers: JSON_TYPE })).status).toBe(413);
  });
});

describe('MCP SDK', () => {
  it.each(['legacy', 'auto'] as const)(
    'the SDK in mode %s connects with an API token and calls a tool',
    async (mode) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${owner.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${cloud.url}/mcp`), { requestInit }));
      try {
        expect(client.getInstructions()).toContain('find_sites');
        expect((await client.listTools()).tools).toContainEqual(
          expect.objectContaining({ name: 'find_sites' }),
        );
        const { structuredContent } = await client.callTool({ name: 'find_sites', arguments: { limit: 1 } });
        expect(structuredContent).toMatchObject({ sites: expect.any(Array) });
      } finally {
        await client.close();
      }
    },
  );
});
