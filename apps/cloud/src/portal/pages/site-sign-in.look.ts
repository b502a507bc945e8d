import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev/testing/browser';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { Tab } from '../../../test/portal/pages/tab.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let browser: Browser;
/** One for all, which keeps the files of the pages; every test begins signed out. */
let context: BrowserContext;
/** Stands where the proxies of both regions would be. */
let proxy: Server;
let port: number;
beforeAll(async () => {
  proxy = createServer((_request, response) => response.end('<h1>The site</h1>'));
  proxy.listen(0, '127.0.0.1');
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser(), once(proxy, 'listening')]);
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  port = (proxy.address() as AddressInfo).port;
  for (const region of ['us', 'eu']) {
    const host = `${region}-1.localhost:${port}`;
    await cloud.call(`PUT /api/v1/proxies/${region}-1`, {
      token: await cloud.proxyCredential(`${region}-1`),
      body: { host, url: `http://${host}`, region, sessions: [] },
    });
  }
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await cloud?.[Symbol.asyncDispose]();
});

let tab: Tab;
beforeEach(async () => {
  tab = await Tab.in(context);
  return async () => {
    await Tab.closeAll(context);
    expect(tab.refusals).toEqual([]);
  };
});

const opens = (query: Record<string, string>) =>
  tab.page.goto(`${cloud.url}/sign_in?${new URLSearchParams(query)}`);

/** The host and the query of the address that the browser came to in the end. */
async function arrival(): Promise<{ host: string; token: string; key: string; return_to: string }> {
  await tab.titled('The site');
  const { host, pathname, searchParams } = new URL(tab.page.url());
  expect(pathname).toBe('/callback');
  const { token = '', key = '', return_to = '' } = Object.fromEntries(searchParams);
  return { host, token, key, return_to };
}

async function siteOf(user: TestUser, region = 'us', name?: string) {
  const site = await cloud.make.site({ ownerId: user.id, ...(name !== undefined && { name }) });
  await cloud.db.updateTable('sites').set({ region }).where('id', '=', site.id).execute();
  return { id: site.id, name: site.name ?? '' };
}

describe('sign-in for a site at its own host', () => {
  it('a client signs in and returns to the requested page with a site token', async () => {
    const user = await cloud.make.user();
    const { id, name } = await siteOf(user);
    await opens({ to_site: name.toUpperCase(), return_to: '/power?day=1&unit=kW#top' });
    await tab.titled(`Sign in to open ${name.toUpperCase()}`);
    expect(await tab.focused()).toBe('email');
    await tab.signsIn(user);
    const { host, token, key, return_to } = await arrival();
    expect({ host, return_to }).toEqual({
      host: `${name}.us.localhost:${port}`,
      return_to: '/power?day=1&unit=kW#top',
    });
    expect(decodeJwt(token)).toMatchObject({ aud: 'site', site: id, sub: String(user.id), access: 'write' });
    expect(key).not.toBe('');
    expect(await tab.page.evaluate('document.referrer')).toBe('');
  });

  it('a signed-in client continues at once, to one site after the other', async () => {
    const user = await cloud.make.user();
    const [first, second] = [await siteOf(user), await siteOf(user)];
    await opens({ to_site: first.name });
    await tab.signsIn(user);
    expect((await arrival()).return_to).toBe('/');
    await opens({ to_site: second.name });
    expect((await arrival()).host).toBe(`${second.name}.us.localhost:${port}`);
  });

  it('a client with an ended session signs in again', async () => {
    const user = await cloud.make.user();
    const { name } = await siteOf(user);
    await opens({ to_site: name });
    await tab.signsIn(user);
    await arrival();
    await cloud.db.deleteFrom('tokens').where('user_id', '=', user.id).execute();
    await opens({ to_site: name });
    await tab.titled(`Sign in to open ${name}`);
    await tab.signsIn(user);
    await arrival();
  });

  it('a client without access gets a message, and may use another account', async () => {
    const [owner, stranger] = [await cloud.make.user(), await cloud.make.user()];
    const { name } = await siteOf(owner);
    await opens({ to_site: name });
    await tab.signsIn(stranger);
    await tab.titled(`You have no access to ${name}`);
    await tab.hasText(stranger.email);
    await tab.press('Use another account');
    await tab.signsIn(owner);
    await arrival();
  });

  it('a client with two sites of one name gets that of the region, or chooses', async () => {
    const user = await cloud.make.user();
    const name = 'twins';
    for (const region of ['eu', 'us']) await siteOf(user, region, name);
    await opens({ to_site: name, region: 'eu' });
    await tab.signsIn(user);
    expect((await arrival()).host).toBe(`twins.eu.localhost:${port}`);
    await opens({ to_site: name });
    await tab.titled('Which twins?');
    expect(await tab.page.getByRole('button').allInnerTexts()).toHaveLength(2);
    await tab.press(`twins.us.localhost:${port}`);
    expect((await arrival()).host).toBe(`twins.us.localhost:${port}`);
  });
});

it('a client with an unconfirmed address gets to the site once it is confirmed', async () => {
  const user = await cloud.make.user({ confirmed: false });
  const { name } = await siteOf(user);
  await tab.page.clock.install();
  await opens({ to_site: name });
  await tab.signsIn(user);
  await tab.titled('Confirm your email address');
  const body = { token: (await cloud.mail(user.email)).token, organization_id: 'none' };
  expect((await cloud.call('POST /api/v1/user/confirm', { body })).status).toBe(200);
  await tab.page.clock.fastForward(3_000);
  await arrival();
});

it.each([
  [{ status: 500, body: 'oops' }, 'Something went wrong here.'],
  [undefined, 'cannot be reached'],
])('a cloud that answers with %j is tried again', async (answer, message) => {
  const user = await cloud.make.user();
  const { name } = await siteOf(user);
  const at = '**/portal/api/v1/sites/*/authorize';
  await tab.page.route(at, (route) => (answer === undefined ? route.abort() : route.fulfill(answer)));
  await opens({ to_site: name });
  await tab.signsIn(user);
  await tab.hasText(message);
  await tab.page.unroute(at);
  await tab.press('Try again');
  await arrival();
});

it('a link without a site opens nothing', async () => {
  for (const name of ['home user_id:1', '']) {
    await opens({ to_site: name });
    await tab.titled('This link names no site');
    expect(await tab.page.getByRole('button').count()).toBe(0);
  }
});

it('a site that accepts no session does not cause a redirect loop', async () => {
  const user = await cloud.make.user();
  const { name } = await siteOf(user);
  const signIn = `${cloud.url}/sign_in?to_site=${name}`;
  let visits = 0;
  await tab.page.route(`http://${name}.us.localhost:${port}/**`, (route) => {
    visits++;
    return route.fulfill({ status: 303, headers: { location: signIn } });
  });
  await tab.page.goto(signIn);
  await tab.signsIn(user);
  await tab.titled(`${name} does not let you in`);
  expect(visits).toBe(3);
});
