import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
} from '@heliograph/dev-env/testing/browser';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../testing/factory.ts';
import { PROXY_SECRET, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/** Browsers are slow on busy machines. */
const PATIENCE = { timeout: 10_000 };

let cloud: TestCloud;
let browser: Browser;
/** Stands where the proxies of both regions would be. */
let proxy: Server;
let port: number;
beforeAll(async () => {
  proxy = createServer((_request, response) => response.end('<h1>The site</h1>'));
  proxy.listen(0, '127.0.0.1');
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser(), once(proxy, 'listening')]);
  port = (proxy.address() as AddressInfo).port;
  for (const region of ['us', 'eu']) {
    const host = `${region}-1.localhost:${port}`;
    await cloud.call(`PUT /api/v1/proxies/${region}-1`, {
      token: PROXY_SECRET,
      body: { host, url: `http://${host}`, region, sessions: [] },
    });
  }
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await cloud?.[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  return async () => {
    await context.close();
    expect(refusals).toEqual([]);
  };
});

const title = () => expect.poll(() => page.locator('h1').innerText(), PATIENCE);
const error = (of: string) => expect.poll(() => page.locator(`#${of}-error`).innerText(), PATIENCE);
const opens = (query: Record<string, string>) =>
  page.goto(`${cloud.url}/sign_in?${new URLSearchParams(query)}`);

async function signsIn({ email }: { email: string }, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The host and the query of the address that the browser came to in the end. */
async function arrival(): Promise<{ host: string; token: string; key: string; return_to: string }> {
  await title().toBe('The site');
  const { host, pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe('/callback');
  const { token = '', key = '', return_to = '' } = Object.fromEntries(searchParams);
  return { host, token, key, return_to };
}

async function siteOf(user: TestUser, region = 'us', name?: string) {
  const site = await cloud.make.site({ ownerId: user.id, ...(name !== undefined && { name }) });
  await cloud.db.updateTable('sites').set({ region }).where('id', '=', site.id).execute();
  return { id: site.id, name: site.name ?? '' };
}

describe('a visitor of a site', () => {
  it('signs in and comes back with what opens it, to where they wanted to go', async () => {
    const user = await cloud.make.user();
    const { id, name } = await siteOf(user);
    await opens({ to_site: name.toUpperCase(), return_to: '/power?day=1&unit=kW#top' });
    await title().toBe(`Sign in to open ${name.toUpperCase()}`);
    expect(await page.evaluate('document.activeElement.id')).toBe('email');
    await signsIn(user);
    const { host, token, key, return_to } = await arrival();
    expect({ host, return_to }).toEqual({
      host: `${name}.us.localhost:${port}`,
      return_to: '/power?day=1&unit=kW#top',
    });
    expect(decodeJwt(token)).toMatchObject({ aud: 'site', site: id, sub: String(user.id), access: 'write' });
    expect(key).not.toBe('');
    expect(await page.evaluate('document.referrer')).toBe('');
  });

  it('goes on to a second site of theirs in the same tab, and signs in again in another', async () => {
    const user = await cloud.make.user();
    const [first, second] = [await siteOf(user), await siteOf(user)];
    await opens({ to_site: first.name });
    await signsIn(user);
    expect((await arrival()).return_to).toBe('/');
    await opens({ to_site: second.name });
    expect((await arrival()).host).toBe(`${second.name}.us.localhost:${port}`);
    page = await context.newPage();
    await opens({ to_site: second.name });
    await title().toBe(`Sign in to open ${second.name}`);
  });

  it('whose session has ended meanwhile signs in again', async () => {
    const user = await cloud.make.user();
    const { name } = await siteOf(user);
    await opens({ to_site: name });
    await signsIn(user);
    await arrival();
    await cloud.db.deleteFrom('tokens').where('user_id', '=', user.id).execute();
    await opens({ to_site: name });
    await expect.poll(() => page.getByRole('status').innerText(), PATIENCE).toContain('signed out');
    await signsIn(user);
    await arrival();
  });

  it('who has no access is told so, and may use another account', async () => {
    const [owner, stranger] = [await cloud.make.user(), await cloud.make.user()];
    const { name } = await siteOf(owner);
    await opens({ to_site: name });
    await signsIn(stranger);
    await title().toBe(`You have no access to ${name}`);
    expect(await page.getByRole('status').innerText()).toContain(stranger.email);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await signsIn(owner);
    await arrival();
  });

  it('with two sites of one name comes to that of the region, or chooses', async () => {
    const user = await cloud.make.user();
    const name = 'twins';
    for (const region of ['eu', 'us']) await siteOf(user, region, name);
    await opens({ to_site: name, region: 'eu' });
    await signsIn(user);
    expect((await arrival()).host).toBe(`twins.eu.localhost:${port}`);
    await opens({ to_site: name });
    await title().toBe('Which twins?');
    expect(await page.getByRole('button').allInnerTexts()).toHaveLength(2);
    await page.getByRole('button', { name: 'twins.us.localhost' }).click();
    expect((await arrival()).host).toBe(`twins.us.localhost:${port}`);
  });
});

describe('signing in fails', () => {
  it('for what is missing or wrong, and then works', async () => {
    const user = await cloud.make.user();
    const { name } = await siteOf(user);
    await opens({ to_site: name });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await error('email').toBe('The email address is missing.');
    await error('current-password').toBe('The password is missing.');
    expect(await page.evaluate('document.activeElement.id')).toBe('email');
    await signsIn(user, 'Wrong-horse-7');
    await error('sign-in').toBe('The email address or the password is wrong.');
    await error('email').toBe('');
    await signsIn(user);
    await arrival();
  });

  it('for an address that is not confirmed, until it is', async () => {
    const user = await cloud.make.user({ confirmed: false });
    const { name } = await siteOf(user);
    await opens({ to_site: name });
    await signsIn(user);
    await error('sign-in').toContain('Follow the link in the email');
    const confirming = await context.newPage();
    await confirming.goto((await cloud.mail(user.email)).link);
    await expect.poll(() => confirming.locator('h1').innerText(), PATIENCE).toContain('is confirmed');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arrival();
  });

  it.each([
    [{ status: 429, headers: { 'retry-after': '840' }, json: {} }, 'Try again in 14 minutes.'],
    [{ status: 500, body: 'oops' }, 'on our side'],
    [undefined, 'cannot be reached'],
  ])('with %j', async (answer, message) => {
    await page.route('**/api/v1/sign_in', (route) =>
      answer === undefined ? route.abort() : route.fulfill(answer),
    );
    await opens({ to_site: 'home' });
    await signsIn({ email: 'ada@example.org' });
    await error('sign-in').toContain(message);
  });
});

it('a link that names no site opens nothing', async () => {
  for (const name of ['home user_id:1', '../x', '', 'a.b', 'x'.repeat(64)]) {
    await opens({ to_site: name });
    await title().toBe('This link names no site');
    expect(await page.getByRole('button').count()).toBe(0);
  }
});

it('a link that leads elsewhere leads to the site', async () => {
  const user = await cloud.make.user();
  const { name } = await siteOf(user);
  await opens({ to_site: name });
  await signsIn(user);
  await arrival();
  for (const wanted of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ]) {
    const another = await siteOf(user);
    await opens({ to_site: another.name, return_to: wanted });
    expect(await arrival()).toMatchObject({ host: `${another.name}.us.localhost:${port}`, return_to: '/' });
  }
});

it('a site that keeps nobody signed in does not send the browser round for ever', async () => {
  const user = await cloud.make.user();
  const { name } = await siteOf(user);
  const signIn = `${cloud.url}/sign_in?to_site=${name}`;
  let visits = 0;
  await page.route(`http://${name}.us.localhost:${port}/**`, (route) => {
    visits++;
    return route.fulfill({
      contentType: 'text/html',
      body: `<meta http-equiv="refresh" content="0;url=${signIn}">`,
    });
  });
  await page.goto(signIn);
  await signsIn(user);
  await title().toBe(`${name} does not let you in`);
  expect(visits).toBe(3);
});
