import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev/testing/browser';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { type CallbackPage, startCallbackPage } from '../../../test/oauth/callback-page.ts';
import { ThirdParty } from '../../../test/oauth/third-party.ts';
import { Tab } from '../../../test/portal/pages/tab.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { SESSION_COOKIE, sessionCookie } from '../../portal/session-cookie.ts';
import { AGENT_SCOPES } from '../agents/challenge.ts';

let cloud: TestCloud;
let browser: Browser;
/** One for all, as wide as the smallest phone; every test begins signed out. */
let context: BrowserContext;
let callback: CallbackPage;
let application: ThirdParty;
/** Has two sites, `home` and `cabin`. */
let ada: TestUser;
let home: number;
beforeAll(async () => {
  [cloud, browser, callback] = await Promise.all([startTestCloud(), launchBrowser(), startCallbackPage()]);
  context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 320, height: 640 },
    serviceWorkers: 'block',
  });
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

const decisionShown = (of = tab) => of.hasText('Signed in as');
const signInShown = (of = tab) => of.page.getByLabel('Email').waitFor();
const choices = () => tab.page.getByRole('main').getByRole('radio');
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

describe('consent page', () => {
  it('a person signs in, picks a site and returns with access to it; the next time needs no password', async () => {
    await tab.page.goto(callback.startAt(await application.authorizationUrl({ login_hint: ada.email })));
    await tab.page.getByRole('link', { name: 'Connect' }).click();
    await signInShown();
    expect(await tab.focused()).toBe('h1');
    expect(await tab.page.getByLabel('Email').inputValue()).toBe(ada.email);
    await tab.signsIn(ada);
    await decisionShown();
    expect(await tab.focused()).toBe('h1');
    // No device of either has ever called.
    expect(await tab.page.getByText('Never seen').count()).toBe(2);
    await tab.press('Allow');
    await tab.hasText('Choose a site first.');
    expect(await tab.focused()).toBe('site');
    await site('home').check();
    await tab.press('Allow');
    const tokens = await redeems(application);
    expect(tokens).toMatchObject({ scope_detail: { 'sites:read_single': { id: home } } });
    expect(tokens.claims()).toMatchObject({ sub: String(ada.id), email: ada.email });

    await tab.page.goBack();
    await tab.titled('Application');
    await tab.page.getByRole('link', { name: 'Connect' }).click();
    await decisionShown();
    expect(await site('home').isChecked()).toBe(true);
  });

  it('a person declines without signing in', async () => {
    await comesFrom(application);
    await signInShown();
    await tab.press('Cancel');
    await tab.titled('access_denied');
    expect(Object.fromEntries(new URL(tab.page.url()).searchParams)).toMatchObject({ state: 'the-state' });
  });

  it('a person without a site can only switch accounts', async () => {
    const stranger = await cloud.make.user();
    await comesFrom(application);
    await tab.signsIn(stranger);
    await tab.hasText('You have no site');
    expect([await isShown('Allow'), await isShown('Cancel')]).toEqual([false, true]);
    await tab.press('Use another account');
    await signInShown();
    expect(await tab.page.getByLabel('Email').inputValue()).toBe('');
    await tab.page.reload();
    await signInShown();
    await tab.signsIn(ada);
    await decisionShown();
    expect(await isShown('Allow')).toBe(true);
  });

  it('a person without a mouse finds one site of many, and Enter allows nothing', async () => {
    const mogul = await cloud.make.user();
    const sites = new Map<string, number>();
    for (const letter of 'abcdefghi') {
      const site = { name: letter.repeat(5), description: 'long'.repeat(30) };
      sites.set(letter, (await cloud.make.site({ ownerId: mogul.id, ...site })).id);
    }
    await comesFrom(application);
    await signInShown();
    const { keyboard } = tab.page;
    await keyboard.press('Tab');
    await keyboard.type(mogul.email);
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await decisionShown();
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await site('bbbbb').check();
    await tab.page.getByLabel('Find a site').focus();
    await keyboard.type('ggg');
    await keyboard.press('Enter');
    await tab.hasText('1 site matches.');
    expect(await choices().count()).toBe(2);
    for (const _ of ['Clear the search', 'the sites']) await keyboard.press('Tab');
    expect(await tab.page.evaluate('document.activeElement.value')).toBe(String(sites.get('b')));
    await keyboard.press('ArrowDown');
    for (const _ of ['another account', 'Allow']) await keyboard.press('Tab');
    await keyboard.press('Enter');
    expect(await redeems(application)).toMatchObject({
      scope_detail: { 'sites:read_single': { id: sites.get('g') } },
    });
  });

  it('a signed-in person enters the password again where the program requires it', async () => {
    const eve = await cloud.make.user();
    await comesFrom(application);
    await tab.signsIn(eve);
    await decisionShown();
    cloud.clock.advance(60_000);
    await comesFrom(application, { prompt: 'login' });
    await tab.hasText('sign in again');
    expect(await tab.page.getByLabel('Email').inputValue()).toBe(eve.email);
    await tab.signsIn(eve);
    await decisionShown();
    const session = (await context.cookies()).find(({ name }) => name === SESSION_COOKIE);
    const { body } = await cloud.call('GET /api/v1/user/sessions', { token: session?.value });
    expect(body).toHaveLength(1);
  });

  it('two tabs answer two requests independently, each once', async () => {
    const browserOnly = await ThirdParty.make(cloud, { redirectUri: callback.url });
    const other = await Tab.in(context);
    await comesFrom(application);
    await tab.signsIn(ada);
    await decisionShown();
    await comesFrom(browserOnly, {}, other);
    await decisionShown(other);
    const consent = other.page.url();
    await tab.page.reload();
    await decisionShown();
    await site('cabin', other).check();
    await other.press('Allow');
    await other.titled('Connected');
    await site('home').check();
    await tab.press('Allow');
    expect(await redeems(application)).toMatchObject({ scope_detail: { 'sites:read_single': { id: home } } });

    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: browserOnly.clientId,
      redirect_uri: browserOnly.redirectUri,
      code: new URL(other.page.url()).searchParams.get('code') ?? '',
      code_verifier: browserOnly.verifier,
    });
    // A page of the application itself, so the browser asks whether it may read the answer.
    const fetched = `fetch('${cloud.url}/oauth/token', { method: 'POST', body: new URLSearchParams('${form}') })
      .then((response) => response.json())`;
    expect(await other.page.evaluate(fetched)).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    await other.page.goto(consent);
    await other.titled('This request is no longer valid');
  });

  it('the page shows an agent as unverified, and offers no choice of a site', async () => {
    const clientId = await cloud.make.application(null, {
      kind: 'agent',
      scopes: AGENT_SCOPES,
      redirectUris: [callback.url],
    });
    await comesFrom(application, { client_id: clientId, scope: 'openid sites:read_all' });
    await tab.hasText('It takes you back to a program on this computer');
    await tab.signsIn(ada);
    await decisionShown();
    await tab.hasText('This program is not known to this service');
    expect(await tab.page.getByRole('listitem').count()).toBe(2);
    expect(await choices().count()).toBe(0);
    await tab.press('Allow');
    await tab.titled('Connected');
  });
});

it('a browser without cookies gets a notice, and can decide once it accepts them', async () => {
  await comesFrom(application);
  const session = {
    user: null,
    is_operator: false,
    organizations: [],
    home: null,
    may_join: false,
    has_shop: false,
    has_mailbox: false,
    map_tiles: null,
  };
  await tab.page.route('**/portal/sign_in', (route) => route.fulfill({ json: session }), { times: 1 });
  await tab.signsIn(ada);
  await tab.hasText('Your browser did not keep you signed in.');
  await tab.signsIn(ada);
  await decisionShown();
});

it('a person who confirms the email address in the meantime can decide then', async () => {
  const sleeper = await cloud.make.user({ confirmed: false });
  await cloud.make.site({ ownerId: sleeper.id });
  await tab.page.clock.install();
  await comesFrom(application);
  await tab.signsIn(sleeper);
  await tab.titled('Confirm your email address');
  const body = { token: (await cloud.mail(sleeper.email)).token, organization_id: 'none' };
  expect((await cloud.call('POST /api/v1/user/confirm', { body })).status).toBe(200);
  await tab.page.clock.fastForward(3_000);
  await decisionShown();
});

it('the page is not shown in frames of other pages', async () => {
  await tab.page.goto(callback.url);
  const framed = tab.page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null);
  await tab.page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.src = '${cloud.url}/oauth/consent/x';
    document.body.append(frame);
  }`);
  expect((await framed).url()).toBe('chrome-error://chromewebdata/');
  expect(tab.takeRefusals()).toEqual([expect.stringContaining('frame-ancestors')]);
  const { headers } = await fetch(`${cloud.url}/oauth/consent/x`);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
});

it.each(['127.0.0.1', 'localhost'])('the browser accepts the session cookie at http://%s', async (host) => {
  await using server = await startCallbackPage({ 'set-cookie': sessionCookie('token', 60_000) });
  await tab.page.goto(server.url.replace('127.0.0.1', host));
  expect((await context.cookies()).filter(({ name }) => name === SESSION_COOKIE)).toMatchObject([
    { domain: host, value: 'token' },
  ]);
});
