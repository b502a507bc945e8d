import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';
import { siteTools } from '@heliograph/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud } from '../../../../test/cloud/uplink/test-cloud.ts';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';

const TOOLS = siteTools.map(({ name }) => name);

let cloud: TestCloud;
let device: TestDevice;
beforeAll(async () => {
  cloud = await startTestCloud();
  device = await startTestDevice({ cloudUrl: cloud.url });
  device.access.site.set(SITE_ID);
});
afterAll(async () => {
  await device.stop();
  await cloud.stop();
});

/** As a client does that knows nothing but JSON over HTTP. */
const post = (body: string, headers: Record<string, string> = {}) =>
  device.fetch('/mcp', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
const rpc = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const call = async (name: string, given: object = {}) => {
  const answer = await post(rpc('tools/call', { name, arguments: given }));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  const { result } = (await answer.json()) as {
    result: { structuredContent?: unknown; isError?: boolean; content: { text: string }[] };
  };
  return result;
};

describe('POST /mcp', () => {
  it.each(['legacy', 'auto'] as const)(
    'the official client is served, %s, and checks every answer',
    async (mode) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: basic(PASSWORD, 'admin') } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${device.api.url}/mcp`), { requestInit }),
      );
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      const arguments_ = { get_metrics: { topics: ['*'] }, get_history: { topics: ['total/pv_power'] } };
      for (const [name, given] of Object.entries({ status: {}, ...arguments_ })) {
        const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
        expect(content).toHaveLength(1);
        // Nothing has been recorded: only the history may say so.
        if (name === 'get_history') expect(isError).toBe(true);
        else expect(structuredContent).toBeDefined();
      }
      await client.close();
    },
  );

  it('a simple client is served without a handshake', async () => {
    expect(await call('status')).toMatchObject({ structuredContent: { site_id: 7, flows: { pv_w: 1240 } } });
  });

  it.each(['/mcp/', '/api/v1/mcp', '/api/v1/mcp/'])(
    'a client is served at %s with the password alone',
    async (path) => {
      const request = { method: 'POST', body: rpc('tools/call', { name: 'status', arguments: {} }) };
      const headers = { 'content-type': 'application/json' };
      const answer = await device.fetch(path, { ...request, headers });
      expect(await answer.json()).toMatchObject({ result: { structuredContent: { site_id: 7 } } });
      const refused = await fetch(`${device.api.url}${path}`, { ...request, headers });
      expect(refused.status).toBe(401);
    },
  );

  it('tools answer the same values as REST', async () => {
    const rows = (await (await device.fetch('/api/v1/metrics?topic=inverter_1/*')).json()) as Record<
      string,
      unknown
    >[];
    const { structuredContent } = await call('get_metrics', { topics: ['inverter_1/*'] });
    const shown = rows.filter(({ group }) => group !== 'Ignore');
    expect(structuredContent).toMatchObject({
      metrics: shown.map(({ topic, name, value, unit, updated_at, stale }) => {
        return { topic, name, value, unit, updated_at, stale };
      }),
    });
  });

  it('no tool changes anything, whatever the caller may do', async () => {
    for (const name of ['set_metric', 'set']) {
      const answer = await post(
        rpc('tools/call', { name, arguments: { topic: 'inverter_1/work_mode', value: 'x' } }),
      );
      expect(await answer.json()).toMatchObject({ error: { code: -32_602 } });
    }
    expect(device.settings.writes).toEqual([]);
  });

  it.each([
    ['a topic that is none', 'get_metrics', { topics: ['pv'] }, /Near: total\/pv_power/],
    ['an argument that is none', 'get_metrics', { topic: 'pv' }, /topic is not an argument/],
    ['too many globs', 'get_metrics', { topics: Array(11).fill('*') }, /topics must/],
    ['a huge glob', 'get_metrics', { topics: ['*'.repeat(300)] }, /topics\.0/],
    ['arguments of a tool that has none', 'status', { site_id: 1 }, /takes no arguments/],
  ])('%s is answered with a message that helps', async (_what, name, given, message) => {
    const { isError, content } = await call(name, given);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(message)]);
  });
});

/** The status for a page that was opened under this name. `fetch` sends no other Host than the address has. */
const statusUnder = async (host: string): Promise<number | undefined> => {
  const headers = { host, origin: `http://${host}`, authorization: basic(PASSWORD, 'admin') };
  const requested = request(`${device.api.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const [answer] = (await once(requested.end(rpc('tools/list')), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
};

describe('access to POST /mcp', () => {
  it('a caller that may read is admitted, with a site token too', async () => {
    const authorization = `Bearer ${await cloud.siteToken({ access: 'read' })}`;
    expect((await post(rpc('tools/list'), { authorization })).status).toBe(200);
  });

  it.each(['', 'Bearer nonsense', basic('wrong', 'admin')])(
    'a caller with "%s" is refused',
    async (authorization) => {
      expect((await post(rpc('tools/list'), { authorization })).status).toBe(401);
    },
  );

  it('a page of another origin is refused, and one under a name that may be rebound', async () => {
    const own = { origin: device.api.url };
    expect((await post(rpc('tools/list'), own)).status).toBe(200);
    expect((await post(rpc('tools/list'), { origin: 'https://elsewhere.example' })).status).toBe(403);
    for (const [host, status] of [
      ['rebound.example', 403],
      ['device.local', 200],
    ]) {
      expect(await statusUnder(String(host))).toBe(status);
    }
  });

  it('any page is admitted through the proxy, with a token of its own', async () => {
    const tunnel = createServer((request, response) => {
      device.api.tunnel.request(request as never, response as never);
    });
    await once(inPieces(tunnel).listen(0, '127.0.0.1'), 'listening');
    const answer = await fetch(`http://127.0.0.1:${(tunnel.address() as AddressInfo).port}/mcp`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json' },
      body: rpc('tools/list'),
    });
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'A site token is required' }]);
    tunnel.close();
    tunnel.closeAllConnections();
  });
});

describe('requests to /mcp that are no call', () => {
  it.each(['GET', 'DELETE'])('the method %s is answered 405', async (method) => {
    expect((await device.fetch('/mcp', { method })).status).toBe(405);
  });

  it.each([
    ['no JSON', '{"jsonrpc":', -32_700],
    ['nothing', '', -32_700],
    ['no JSON-RPC', '{"method": 1}', -32_600],
  ])('%s is refused with an error of JSON-RPC', async (_what, body, code) => {
    const answer = await post(body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { jsonrpc: '2.0', error: { code } }]);
  });

  it('a compressed body is refused with 415 and an error of JSON-RPC', async () => {
    const answer = await post(rpc('tools/list'), { 'content-encoding': 'gzip' });
    expect([answer.status, await answer.json()]).toMatchObject([
      415,
      { jsonrpc: '2.0', error: { code: -32_700 } },
    ]);
  });

  it('a body that is no JSON by its type, as a form of any page could send, is refused', async () => {
    expect((await post(rpc('tools/list'), { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
