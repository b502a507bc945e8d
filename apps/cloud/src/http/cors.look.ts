import { type Browser, launchBrowser, type Page } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../../test/factory.ts';
import { startForeignPage } from '../../test/foreign-page.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let browser: Browser;
let app: Awaited<ReturnType<typeof startForeignPage>>;
let page: Page;
beforeAll(async () => {
  [cloud, browser, app] = await Promise.all([startTestCloud(), launchBrowser(), startForeignPage()]);
  page = await browser.newPage();
  await page.goto(app.url);
});
afterAll(async () => {
  await browser?.close();
  await app?.[Symbol.asyncDispose]();
  await cloud?.[Symbol.asyncDispose]();
});

/** Calls from the page of another origin. @returns the status, or the browser's error */
async function fetchThere(path: string, init: object = {}): Promise<string> {
  const call = `fetch(${JSON.stringify(cloud.url + path)}, ${JSON.stringify(init)})`;
  return page.evaluate(`${call}.then(({ status }) => String(status), String)`);
}

it('a page of another origin with a token can call every operation', async () => {
  const owner = await cloud.make.user();
  const member = await cloud.make.user();
  const site = await cloud.make.site({ ownerId: owner.id });
  const headers = {
    authorization: `Bearer ${owner.token}`,
    'content-type': 'application/json',
    'x-of-its-own': '1',
  };
  const calls: [string, string, object?][] = [
    ['GET', '/api/v1/user'],
    ['PATCH', '/api/v1/user', { locale: 'de' }],
    [
      'POST',
      `/api/v1/sites/${site.id}/users`,
      { email: member.email, role: 'member', first_name: 'A', last_name: 'B' },
    ],
    ['PUT', `/api/v1/sites/${site.id}/offline`, {}],
    ['DELETE', `/api/v1/sites/${site.id}/users/${member.id}`],
  ];
  const statuses: Record<string, string> = {};
  for (const [method, path, body] of calls) {
    statuses[method] = await fetchThere(path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  expect(statuses).toEqual({ GET: '200', PATCH: '200', POST: '200', PUT: '200', DELETE: '204' });
});

it('a page of another origin can sign in, and read refusals', async () => {
  const { email } = await cloud.make.user();
  const headers = { 'content-type': 'application/json' };
  const signIn = (password: string) =>
    fetchThere('/api/v1/sign_in', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password, organization_id: 'none' }),
    });
  expect([await signIn(PASSWORD), await signIn('wrong')]).toEqual(['200', '401']);
});

it('a page of another origin can read the OpenAPI document, and nothing outside the API', async () => {
  expect(await fetchThere('/openapi.json')).toBe('200');
  expect(await fetchThere('/openapi.yaml')).toBe('200');
  expect(await fetchThere('/sign_in')).toMatch(/^TypeError/);
});

it('a page of another origin cannot send cookies', async () => {
  expect(await fetchThere('/api/v1/user', { credentials: 'include' })).toMatch(/^TypeError/);
});
