import { type Browser, launchBrowser } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let browser: Browser;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await cloud?.[Symbol.asyncDispose]();
});

it('the page shows the operations, loads nothing from other origins, and can call an operation', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto(`${cloud.url}/docs`);
  await page.getByRole('link', { name: '/oauth/token' }).waitFor();
  await page.locator('#operations-tag-users').click();
  const operation = page.locator('#operations-users-getCurrentUser');
  expect(await operation.innerText()).toContain('/api/v1/user');
  await operation.click();
  expect(complaints).toEqual([]);
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').getByText('401').first().waitFor();
  expect([...origins].filter((origin) => origin.startsWith('http'))).toEqual([cloud.url]);
}, 60_000);

it('the introduction lists the endpoints of OAuth and the tools of agents, and each of them answers', async () => {
  const { body: document } = await cloud.call<{ info: { description: string } }>('GET /openapi.json');
  const listed = [...document.info.description.matchAll(/^\| `(GET|POST)` \[(\S+)\]\(\2\) \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  for (const route of listed) {
    const [method = '', path = ''] = route.split(' ');
    const { status } = await fetch(cloud.url + path, { method, redirect: 'manual' });
    expect([route, status]).not.toEqual([route, 404]);
  }
  const { body: discovery } = await cloud.call<Record<string, unknown>>(
    'GET /.well-known/openid-configuration',
  );
  for (const [name, url] of Object.entries(discovery)) {
    if (!/_endpoint$|^jwks_uri$/.test(name)) continue;
    expect(listed.map((route) => route.split(' ')[1])).toContain(new URL(String(url)).pathname);
  }

  const operator = await cloud.make.user({ staff: true });
  const { body: answer } = await cloud.call<{ result: { tools: { name: string }[] } }>('POST /mcp', {
    token: operator.token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream' },
  });
  const names = answer.result.tools.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(document.info.description).toContain(`| \`${name}\` |`);
});
