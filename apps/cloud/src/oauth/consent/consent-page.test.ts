import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev-env/testing/browser';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SESSION_COOKIE, sessionCookie } from '../../portal/session-cookie.ts';
import { Tab } from '../../pages/testing/tab.ts';
import { PASSWORD, type TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { AGENT_SCOPES } from '../agents/challenge.ts';
import { type CallbackPage, startCallbackPage } from '../testing/callback-page.ts';
import { ThirdParty } from '../testing/third-party.ts';

let cloud: TestCloud;
let browser: Browser;
/** One for all, as wide as the smallest phone; nobody is signed in when a test begins. */
let context: BrowserContext;
let callback: CallbackPage;
let application: ThirdParty;
/** Has two sites, `home` and `cabin`. */
let ada: TestUser;
let home: number;
beforeAll(async () => {
  [cloud, browser, callback] = await Promise.all([startTestCloud(), launchBrowser(), startCallbackPage()]);
  context = await browser.newContext({ locale: 'en-GB', viewport: { width: 320, height: 640 } });
  application = await ThirdParty.make(cloud, { kind: 'confidential', redirectUri: callback.url });
  ada = await cloud.make.user();
  home = (await cloud.make.site({ ownerId: ada.id, name: 'home', description: 'Birch Street 7' })).id;
  await cloud.make.site({ ownerId: ada.id, name: 'cabin' });
});
afterAll(async () => {
  await browser?.close();
  await callback?.[Symbol.asyncDispose]();
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

const asksToDecide = (of = tab) => of.says('Signed in as');
const asksToSignIn = (of = tab) => of.page.getByLabel('Email').waitFor();
const isShown = (name: string) => tab.page.getByRole('button', { name }).isVisible();
/** The choice of a site by the beginning of its name. */
const site = (name: string, of = tab) => of.page.getByLabel(name);

async function comesFrom(asking: ThirdParty, changes: Readonly<Record<string, string>> = {}, of = tab) {
  await of.page.goto(await asking.authorizationUrl(changes));
}

/** Redeems the code that the browser came back with, as the application does. */
async function redeems(asking: ThirdParty, of = tab) {
  await of.titled('Connected');
  return client.authorizationCodeGrant(await asking.openidClient(), new URL(of.page.url()), {
    pkceCodeVerifier: asking.verifier,
    expectedState: 'the-state',
  });
}

describe('a person whom a program sends here', () => {
  it('signs in, picks a site, and is back with access to it; next time no password is needed', async () => {
    await page.goto(callback.startAt(await application.authorizationUrl({ login_hint: ada.email })));
    await page.getByRole('link', { name: 'Connect' }).click();
    await message().toContain('Sign in');
    expect(await focused()).toBe('title');
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email);
    await signsIn(ada);
    await asksToDecide();
    expect(await focused()).toBe('title');
    await press('Allow');
    await text('#sites-error').toBe('Choose a site first.');
    await page.getByLabel('home').check();
    await press('Allow');
    const tokens = await redeems(application);
    expect(tokens).toMatchObject({ scope_detail: { 'sites:read_single': { id: home } } });
    expect(tokens.claims()).toMatchObject({ sub: String(ada.id), email: ada.email });

    await page.goBack();
    await title().toBe('Application');
    await page.getByRole('link', { name: 'Connect' }).click();
    await asksToDecide();
    expect(await page.getByLabel('home').isChecked()).toBe(true);
  });

  it('says no before anybody knows who they are', async () => {
    await comesFrom(application);
    await message().toContain('Sign in');
    await press('Cancel');
    await title().toBe('access_denied');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ state: 'the-state' });
  });

  it('cannot go on without a site, unless with another account', async () => {
    const nobody = await cloud.make.user();
    await comesFrom(application);
    await signsIn(nobody);
    await title().toContain('You have no site');
    expect([await isShown('Allow'), await isShown('Cancel')]).toEqual([false, true]);
    await press('Use another account');
    await message().toContain('Sign in');
    expect(await page.getByLabel('Email').inputValue()).toBe('');
    await page.reload();
    await message().toContain('Sign in');
    await signsIn(ada);
    await asksToDecide();
    expect(await isShown('Allow')).toBe(true);
  });

  it('without a mouse finds one site of many, and does not allow anything by Enter', async () => {
    const mogul = await cloud.make.user();
    const sites = new Map<string, number>();
    for (const letter of 'abcdefghi') {
      const site = { name: letter.repeat(5), description: 'long'.repeat(30) };
      sites.set(letter, (await cloud.make.site({ ownerId: mogul.id, ...site })).id);
    }
    await comesFrom(application);
    await message().toContain('Sign in');
    const { keyboard } = page;
    await keyboard.press('Tab');
    await keyboard.type(mogul.email);
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await asksToDecide();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.getByLabel('bbbbb').check();
    await page.getByLabel('Find a site').focus();
    await keyboard.type('ggg');
    await keyboard.press('Enter');
    await text('#found').toBe('One site matches.');
    expect(await page.getByRole('radio').count()).toBe(2);
    await keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.value')).toBe(String(sites.get('b')));
    await keyboard.press('ArrowDown');
    for (const _ of ['another account', 'Allow']) await keyboard.press('Tab');
    await keyboard.press('Enter');
    expect(await redeems(application)).toMatchObject({
      scope_detail: { 'sites:read_single': { id: sites.get('g') } },
    });
  });

  it('who is signed in gives a password again where the program wants it', async () => {
    const eve = await cloud.make.user();
    await comesFrom(application);
    await signsIn(eve);
    await asksToDecide();
    cloud.clock.advance(60_000);
    await comesFrom(application, { prompt: 'login' });
    await message().toContain('sign in again');
    expect(await page.getByLabel('Email').inputValue()).toBe(eve.email);
    await signsIn(eve);
    await asksToDecide();
    const session = (await context.cookies()).find(({ name }) => name === SESSION_COOKIE);
    const { body } = await cloud.call('GET /api/v1/user/sessions', { token: session?.value });
    expect(body).toHaveLength(1);
  });

  it('in two tabs answers two requests apart; what was answered is over', async () => {
    const browserOnly = await ThirdParty.make(cloud, { redirectUri: callback.url });
    const other = await context.newPage();
    await comesFrom(application);
    await signsIn(ada);
    await asksToDecide();
    await comesFrom(browserOnly, {}, other);
    await asksToDecide(other);
    const consent = other.url();
    await page.reload();
    await asksToDecide();
    await other.getByLabel('cabin').check();
    await press('Allow', other);
    await title(other).toBe('Connected');
    await page.getByLabel('home').check();
    await press('Allow');
    expect(await redeems(application)).toMatchObject({ scope_detail: { 'sites:read_single': { id: home } } });

    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: browserOnly.clientId,
      redirect_uri: browserOnly.redirectUri,
      code: new URL(other.url()).searchParams.get('code') ?? '',
      code_verifier: browserOnly.verifier,
    });
    // A page of the application itself, so the browser asks whether it may read the answer.
    const fetched = `fetch('${cloud.url}/oauth/token', { method: 'POST', body: new URLSearchParams('${form}') })
      .then((response) => response.json())`;
    expect(await other.evaluate(fetched)).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    await other.goto(consent);
    await title(other).toBe('This request is no longer good');
  });

  it('is told that nobody knows an agent, and chooses no site', async () => {
    const clientId = await cloud.make.application(null, {
      kind: 'agent',
      scopes: AGENT_SCOPES,
      redirectUris: [callback.url],
    });
    await comesFrom(application, { client_id: clientId, scope: 'openid sites:read_all' });
    await message().toContain('It takes you back to a program on this computer');
    await signsIn(ada);
    await asksToDecide();
    await message().toContain('Nobody at this service knows this program');
    expect(await page.getByRole('listitem').count()).toBe(2);
    expect(await page.getByRole('radio').count()).toBe(0);
    await press('Allow');
    await title().toBe('Connected');
  });
});

describe('signing in fails', () => {
  it('in words, and then works', async () => {
    const [sleeper, error] = [await cloud.make.user({ confirmed: false }), () => text('#sign-in-error')];
    await comesFrom(application);
    await press('Sign in');
    await text('#password-error').toBe('The password is missing.');
    expect(await focused()).toBe('email');
    await signsIn(ada, 'Wrong-horse-7');
    await error().toBe('The email address or the password is wrong.');
    await signsIn(sleeper);
    await error().toContain('not confirmed yet');
    for (const [answer, words] of [
      [{ status: 429, headers: { 'retry-after': '840' }, json: {} }, 'Try again in 14 minutes.'],
      [undefined, 'cannot be reached'],
    ] as const) {
      await page.route('**/sign_in', (route) => (answer ? route.fulfill(answer) : route.abort()), {
        times: 1,
      });
      await press('Sign in');
      await error().toContain(words);
    }
    await page.route('**/sign_in', (route) => route.fulfill({ status: 204 }), { times: 1 });
    await signsIn(ada);
    await message().toContain('Your browser did not keep you signed in.');
    await signsIn(ada);
    await asksToDecide();
  });
});

it('the page shows itself in no frame of another page', async () => {
  await page.goto(callback.url);
  const framed = page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null);
  await page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = '${cloud.url}/oauth/consent/x';
    document.body.append(frame);
  }`);
  expect((await framed).url()).toBe('chrome-error://chromewebdata/');
  expect(refusals.splice(0)).toEqual([expect.stringContaining('frame-ancestors')]);
  const { headers } = await fetch(`${cloud.url}/oauth/consent/x`);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
});

it('the cookie of the session is kept on the machine itself, out of reach for scripts', async () => {
  const kept = { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' };
  const cookieOf = async (domain: string) =>
    (await context.cookies()).find((cookie) => cookie.name === SESSION_COOKIE && cookie.domain === domain);
  await comesFrom(application);
  await signsIn(ada);
  await asksToDecide();
  expect(await cookieOf('127.0.0.1')).toMatchObject(kept);
  expect(await page.evaluate('document.cookie')).toBe('');
  await using server = await startCallbackPage({ 'set-cookie': sessionCookie('token', 60_000) });
  await page.goto(server.url.replace('127.0.0.1', 'localhost'));
  expect(await cookieOf('localhost')).toMatchObject({ ...kept, value: 'token' });
});
