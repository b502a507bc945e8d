import { equal, ok, rejects } from 'node:assert/strict';
import { BrowserJar, McpAgent, McpClient, StreamableHTTPClientTransport } from '@heliograph/cloud/testing';
import type { Live } from '../live.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

export const agent: Step = {
  name: 'agent',
  title: 'an agent that knows the address alone is let in by OAuth, reads the site, and is cut off again',
  async run(live) {
    const { cloud, site } = live.system.run;
    const url = new URL(`${cloud.url}/mcp`);
    const provider = new McpAgent({
      client_name: 'Live run',
      redirect_uris: ['http://127.0.0.1:41234/callback'],
    });
    const connection = () => ({
      transport: new StreamableHTTPClientTransport(url, { authProvider: provider }),
      client: new McpClient({ name: 'live-run', version: '1' }),
    });
    const refused = connection();
    await rejects(refused.client.connect(refused.transport));
    await refused.transport.finishAuth(await consent(live, String(provider.opened)));

    const { client, transport } = connection();
    await client.connect(transport);
    const { tools } = await client.listTools();
    ok(tools.some(({ name }) => name === 'site_status'));
    const status = await client.callTool({ name: 'site_status', arguments: { site_id: site.id } });
    const { flows } = status.structuredContent as { flows: { load_w: unknown } };
    equal(typeof flows.load_w, 'number');

    const owner = await live.signedIn();
    const [granted] = await owner.listConnections();
    await owner.endConnection({ id: granted?.id ?? '' });
    await until('the agent was refused', () =>
      client.listTools().then(
        () => false,
        () => true,
      ),
    );
    await client.close();
    await owner.signOut();
  },
};

/** The owner opens the link in a browser, signs in and allows it. @returns what the browser brings back */
async function consent(live: Live, link: string): Promise<URLSearchParams> {
  const { cloud, account } = live.system.run;
  const browser = new BrowserJar(cloud);
  const { email, password } = account;
  await browser.go('POST', '/portal/sign_in', { email, password });
  const page = locationOf(await browser.go('GET', link));
  const allowed = await browser.go('POST', `${page.pathname}/allow`, { site_id: null });
  const { location } = (await allowed.json()) as { location: string };
  return locationOf(await browser.go('GET', location)).searchParams;
}

function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.url} answered ${response.status}, and no redirect`);
  return new URL(location, response.url);
}
