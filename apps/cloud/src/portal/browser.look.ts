import { type Browser, type BrowserContext, launchBrowser, type Page } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../test/factory.ts';
import { startForeignPage } from '../../test/foreign-page.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

let cloud: TestCloud;
let browser: Browser;
let foreign: Awaited<ReturnType<typeof startForeignPage>>;
let context: BrowserContext;
let ada: TestUser;
beforeAll(async () => {
  [cloud, browser, foreign] = await Promise.all([startTestCloud(), launchBrowser(), startForeignPage()]);
  ada = await cloud.make.user();
  context = await browser.newContext();
  const page = await ownPage();
  const body = { email: ada.email, password: PASSWORD };
  expect(await statusIn(page, '/portal/sign_in', post(body))).toBe('200');
});
afterAll(async () => {
  await browser?.close();
  await foreign?.[Symbol.asyncDispose]();
  await cloud?.[Symbol.asyncDispose]();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: object) => ({ method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
const cookie = async () => (await context.cookies()).find(({ name }) => name === SESSION_COOKIE);

async function at(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Any page of the cloud's origin will do. */
const ownPage = () => at(`${cloud.url}/healthz`);

/** Calls from a page. @returns the status, or what the browser said when it did not let it */
function statusIn(page: Page, url: string, init: object = {}): Promise<string> {
  const call = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)})`;
  return page.evaluate(
    `${call}.then(({ status, type }) => type === 'opaque' ? type : String(status), String)`,
  );
}

it('pages of the service act for the signed-in account, and their scripts get no token', async () => {
  const page = await ownPage();
  expect(await cookie()).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  expect(await page.evaluate('document.cookie')).toBe('');
  const change = { method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify({ locale: 'da' }) };
  expect(await statusIn(page, '/portal/api/v1/user', change)).toBe('200');
  expect(await page.evaluate(`fetch('/portal/session').then((answer) => answer.json())`)).toMatchObject({
    user: { id: ada.id, locale: 'da' },
  });
});

// Another port is another origin of the same site, to which a browser sends the cookie; another name is another site.
it.each([
  ['of the same site', (url: string) => url],
  ['of another site', (url: string) => url.replace('127.0.0.1', 'localhost')],
])('a page of another origin %s can do nothing', async (_which, place) => {
  const page = await at(place(foreign.url));
  const before = await cookie();
  const included = { credentials: 'include' };
  const session = `${cloud.url}/portal/session`;
  const user = `${cloud.url}/portal/api/v1/user`;
  expect(await statusIn(page, session, included)).toMatch(/^TypeError/);
  expect(await statusIn(page, user, included)).toMatch(/^TypeError/);
  expect(
    await statusIn(page, user, { ...included, method: 'PATCH', headers: JSON_TYPE, body: '{"locale":"fr"}' }),
  ).toMatch(/^TypeError/);
  expect(await statusIn(page, `${cloud.url}/portal/sign_out`, { ...included, ...post({}) })).toMatch(
    /^TypeError/,
  );
  // Simple requests need no permission: the page sees no answer, and the request changes nothing.
  for (const path of ['/portal/sign_out', '/portal/api/v1/session', '/portal/sign_in']) {
    const send = {
      ...included,
      mode: 'no-cors',
      method: 'POST',
      body: JSON.stringify({ email: 'a', password: 'b' }),
    };
    expect(await statusIn(page, cloud.url + path, send)).toMatch(/^(opaque|TypeError.*)$/);
  }
  const left = page.waitForNavigation();
  await page.evaluate(`
    const form = document.createElement('form');
    form.method = 'POST';
    form.action = ${JSON.stringify(`${cloud.url}/portal/sign_out`)};
    document.body.append(form);
    form.submit();
  `);
  expect((await left)?.status()).toBe(403);
  expect(await cookie()).toEqual(before);
  expect(await statusIn(await ownPage(), '/portal/api/v1/user')).toBe('200');
  expect((await cloud.call('GET /api/v1/user', { token: before?.value })).body).toMatchObject({
    locale: 'da',
  });
});
