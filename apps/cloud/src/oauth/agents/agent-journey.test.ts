import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { McpAgent } from '../../../test/oauth/mcp-agent.ts';
import { TestPerson } from '../../../test/oauth/person.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('an agent that knows the address alone gets a token, lists and calls tools, until its user ends the connection', async () => {
  const url = new URL(`${cloud.url}/mcp`);
  const agent = new McpAgent({
    client_name: 'Roof watcher',
    redirect_uris: ['http://127.0.0.1:41234/callback'],
  });
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: agent });
    const client = new Client({ name: 'roof-watcher', version: '1' });
    return { transport, client, connected: client.connect(transport) };
  };
  const refused = await connect();
  await expect(refused.connected).rejects.toThrow();

  const person = await TestPerson.make(cloud);
  const back = await person.allow(String(agent.opened), null);
  expect(back.host).toBe('127.0.0.1:41234');
  await refused.transport.finishAuth(back.searchParams);

  const { client, connected } = await connect();
  await connected;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('site_status');
  const found = await client.callTool({ name: 'find_sites', arguments: {} });
  expect(found.structuredContent).toMatchObject({ sites: [{ id: person.site.id }] });
  await client.close();

  const { body } = await cloud.call<{ id: string; application: object }[]>('GET /api/v1/user/connections', {
    token: person.user.token,
  });
  expect(body).toMatchObject([{ application: { name: 'Roof watcher', kind: 'agent' }, site: null }]);
  await cloud.call(`DELETE /api/v1/user/connections/${body[0]?.id}`, { token: person.user.token });
  const token = String(agent.issued?.access_token);
  expect(token).toMatch(/^hgm_/);
  expect((await cloud.call('POST /mcp', { token, body: {} })).status).toBe(401);
});
