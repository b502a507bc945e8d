import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

async function post(
  url: string,
  headers: Record<string, string>,
  name: string,
  given: object,
): Promise<ToolResult> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  const { result } = (await response.json()) as { result: ToolResult };
  return result;
}

/** Typical tool calls of agents, answered by the cloud's MCP server from a device behind a proxy. */
export function describeAgents(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });

  function callTool(name: string, given: object): Promise<ToolResult> {
    const { cloud, account } = system.run;
    return post(`${cloud.url}/mcp`, { authorization: `Bearer ${account.api_token}` }, name, given);
  }

  const site = () => ({ site_id: system.run.site.id });

  describe('an agent at the cloud', () => {
    it('find_sites finds the site, which is online', async () => {
      const { structuredContent } = await callTool('find_sites', { search: system.run.site.name });
      expect(structuredContent).toMatchObject({
        sites: [{ id: system.run.site.id, name: system.run.site.name, online: true }],
      });
    });

    it('site_status answers flows, battery and energy in one call', async () => {
      const { structuredContent } = await callTool('site_status', site());
      expect(structuredContent).toMatchObject({
        site_id: system.run.site.id,
        flows: { pv_w: expect.any(Number), load_w: expect.any(Number), grid_w: expect.any(Number) },
        battery: { state_of_charge_percent: expect.any(Number) },
        energy: { today: { pv_kwh: expect.any(Number) } },
        problems: expect.any(Array),
      });
    });

    it('site_get_metrics answers values by glob, page after page', async () => {
      const first = await callTool('site_get_metrics', { ...site(), topics: ['total/*'], limit: 2 });
      const { metrics, next, total } = first.structuredContent as {
        metrics: unknown[];
        next: string;
        total: number;
      };
      expect(metrics).toHaveLength(2);
      expect(total).toBeGreaterThan(2);
      const rest = await callTool('site_get_metrics', { ...site(), topics: ['total/*'], cursor: next });
      expect(rest.structuredContent).toMatchObject({ total, next: null });
    });

    it('site_get_history answers the history of a topic', async () => {
      const { structuredContent } = await callTool('site_get_history', {
        ...site(),
        topics: ['total/pv_power'],
        from: '-1h',
      });
      expect(structuredContent).toMatchObject({ series: [{ topic: 'total/pv_power', unit: 'W' }] });
    });

    it('compare_sites gives a reason for a site that does not exist', async () => {
      const { structuredContent } = await callTool('compare_sites', {
        site_ids: [system.run.site.id, 999_999],
      });
      expect(structuredContent).toMatchObject({
        sites: [
          { site_id: system.run.site.id, answered: true, pv_w: expect.any(Number) },
          { site_id: 999_999, answered: false, reason: expect.stringContaining('find_sites') },
        ],
      });
    });

    it('a refused call carries the explanation of the device', async () => {
      const refused = await callTool('site_get_history', {
        ...site(),
        topics: ['total/pv_power'],
        from: 'when I was young',
      });
      expect(refused.isError).toBe(true);
      expect(refused.content[0]?.text).toMatch(/yesterday/);
    });
  });

  it('a command line reaches the same tool at the device itself, at the proxy and at the cloud', async () => {
    const { cloud, account, site: home, device, proxy } = system.run;
    const route = `${cloud.url}/api/v1/sites/${home.id}/authorize`;
    const headers = { authorization: `Bearer ${account.api_token}` };
    const authorized = (await (await fetch(route, { method: 'POST', headers })).json()) as Record<
      string,
      string
    >;
    const bearer = { authorization: `Bearer ${authorized.token}` };
    const siteHeaders = { ...bearer, 'site-id': String(home.id), 'site-key': String(authorized.site_key) };
    const answers = await Promise.all([
      post(`${device.url}/mcp`, bearer, 'status', {}),
      post(`http://${proxy.host}/api/v1/mcp`, siteHeaders, 'status', {}),
      callTool('site_status', site()),
    ]);
    const zones = answers.map(({ structuredContent }) => structuredContent?.time_zone);
    expect(zones).toEqual([zones[0], zones[0], zones[0]]);
    expect(zones[0]).toEqual(expect.any(String));
  });
}
