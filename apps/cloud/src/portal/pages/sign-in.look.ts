import { type Browser, type BrowserContext, launchBrowser } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Tab } from '../../../test/portal/pages/tab.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import type { OneTimePurpose } from '../../db/one-time-tokens.ts';
import { SESSION_COOKIE } from '../session-cookie.ts';

const NEW_PASSWORD = 'Another-horse-8';

let cloud: TestCloud;
let browser: Browser;
/** One for all, which keeps the files of the pages; every test begins signed out. */
let context: BrowserContext;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
  context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  // The only one: its customers register here.
  await cloud.make.organization();
});
afterAll(async () => {
  await browser?.close();
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

const opens = (path: string) => tab.page.goto(cloud.url + path);
const statusOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).status;
const isSignedIn = async () => (await context.cookies()).some(({ name }) => name === SESSION_COOKIE);

const signsInWith = async (email: string, password: string) =>
  (await cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' } })).status;

const linkTo = async (path: string, purpose: OneTimePurpose, userId: number): Promise<string> =>
  `/sign_in#${path}/${await cloud.make.oneTimeToken(purpose, { userId })}`;

describe('first page', () => {
  it('the first page links to signing in and registering', async () => {
    await opens('/');
    await tab.titled('See what your sun is doing');
    const links = () => tab.page.evaluate<string[]>('[...document.links].map((link) => link.href)');
    const paths = ['/sign_in', '/register', '/docs', '/mailbox'];
    await expect.poll(links).toEqual(expect.arrayContaining(paths.map((path) => cloud.url + path)));
    for (const link of await links()) expect(await statusOf(link)).toBe(200);
  });

  it('the first page redirects signed-in people', async () => {
    await opens('/sign_in');
    await tab.signsIn(await cloud.make.user());
    await tab.arrivesAt('/sites');
    for (const path of ['/', '/sign_in', '/register']) {
      await opens(path);
      await tab.arrivesAt('/sites');
    }
  });
});

describe('sign-in page', () => {
  it('signing in returns to the requested page, and to no other origin', async () => {
    const user = await cloud.make.user();
    await opens('/user?tab=1#tokens');
    await tab.arrivesAt(`/sign_in?${new URLSearchParams({ return_to: '/user?tab=1#tokens' })}`);
    await expect.poll(() => tab.focused()).toBe('email');
    await tab.signsIn(user);
    await tab.arrivesAt('/user?tab=1#tokens');
    for (const elsewhere of ['//evil.example/', '/\\evil.example', 'https://evil.example', '/sign_in?a=1']) {
      await opens(`/sign_in?${new URLSearchParams({ return_to: elsewhere })}`);
      await tab.arrivesAt('/sites');
    }
  });

  it('a failed sign-in shows a message, and the next succeeds', async () => {
    const user = await cloud.make.user();
    await opens('/sign_in');
    await tab.press('Sign in');
    await tab.hasText('Enter your email address.');
    await tab.hasText('Enter a password.');
    expect(await tab.focused()).toBe('email');
    await tab.signsIn(user, 'Wrong-horse-7');
    await tab.hasText('The email address or the password is wrong.');
    for (const [answer, message] of [
      [{ status: 429, headers: { 'retry-after': '840' }, json: {} }, 'Try again in 14 minutes.'],
      [{ status: 429, headers: { 'retry-after': '30' }, json: {} }, 'Try again in 30 seconds.'],
      [{ status: 503, json: {} }, 'The service is busy.'],
      [undefined, 'cannot be reached'],
    ] as const) {
      const respond = { times: 1 };
      await tab.page.route(
        '**/portal/sign_in',
        (route) => (answer ? route.fulfill(answer) : route.abort()),
        respond,
      );
      await tab.press('Sign in');
      await tab.hasText(message);
    }
    await tab.signsIn(user);
    await tab.arrivesAt('/sites');
  });

  it('a sign-in with an unconfirmed address waits for its confirmation, and can request another mail', async () => {
    const user = await cloud.make.user({ confirmed: false });
    await tab.page.clock.install();
    await opens('/sign_in');
    await tab.signsIn(user);
    await tab.titled('Confirm your email address');
    await tab.hasText(user.email);
    await cloud.mail(user.email);
    cloud.clock.advance(61_000);
    await tab.page.clock.fastForward(61_000);
    await tab.press('Send the email again');
    const { token } = await cloud.mail(user.email);
    const body = { token, organization_id: 'none' };
    expect((await cloud.call('POST /api/v1/user/confirm', { body })).status).toBe(200);
    await tab.page.clock.fastForward(3_000);
    await tab.arrivesAt('/sites');
  });

  it('a handed-over session signs in without a password, once, and only after it was named', async () => {
    const { id, email } = await cloud.make.user();
    const token = await cloud.make.oneTimeToken('session', { userId: id });
    await opens(`/sign_in?token=${token}&return_to=/user`);
    await tab.hasText(`This link signs you in as ${email}`);
    await tab.press('Sign in');
    await tab.arrivesAt('/user');
    await context.clearCookies();
    await opens(`/sign_in#token=${token}&return_to=/user`);
    await tab.hasText('is no longer valid');
    await tab.arrivesAt(`/sign_in?${new URLSearchParams({ return_to: '/user' })}`);
  });

  it('a handed-over session needs consent where another account is signed in', async () => {
    const [own, other] = await Promise.all([cloud.make.user(), cloud.make.user()]);
    const handover = (userId: number) => cloud.make.oneTimeToken('session', { userId });
    await opens(`/sign_in?token=${await handover(own.id)}&return_to=/user`);
    await tab.press('Sign in');
    await tab.arrivesAt('/user');
    await opens(`/sign_in?token=${await handover(other.id)}&return_to=/user`);
    await tab.hasText(`You are signed in as ${own.email}`);
    await tab.press('Sign in');
    await tab.arrivesAt('/user');
    await tab.hasText(other.email);
  });
});

it('registration makes an account, and continues once its email address is confirmed', async () => {
  const email = 'eva@example.org';
  await opens('/register');
  await tab.press('Create the account');
  await tab.hasText('Accept the terms of use to continue.');
  expect(await tab.focused()).toBe('email');
  await tab.press('terms of use');
  await tab.page.getByRole('dialog').getByText('What this is').waitFor();
  await tab.press('Close');
  await tab.fill('First name', 'Eva');
  await tab.fill('Email', email);
  await tab.fill('Password', NEW_PASSWORD);
  await tab.page.getByRole('checkbox').check();
  await tab.press('Create the account');
  await tab.titled('Confirm your email address');
  const confirming = await Tab.in(context);
  await confirming.page.goto((await cloud.mail(email)).link);
  await confirming.press('Confirm the address');
  await confirming.arrivesAt('/sites');
  await tab.arrivesAt('/sites');
  expect(await signsInWith(email, NEW_PASSWORD)).toBe(200);
});

it('registration of a taken address shows an error at its field, and spends the bot check alone', async () => {
  const { email } = await cloud.make.user();
  await opens('/register');
  await tab.fill('Email', email);
  await tab.fill('Password', NEW_PASSWORD);
  await tab.page.getByRole('checkbox').check();
  await tab.press('Create the account');
  await tab.hasText('There is an account with this email address already.');
  expect(await tab.focused()).toBe('email');
  await tab.fill('Email', 'free@example.org');
  await tab.press('Create the account');
  await tab.titled('Confirm your email address');
});

describe('confirmation link', () => {
  it('the link confirms the address, signs in, and disappears from the address bar', async () => {
    const { id, email } = await cloud.make.user({ confirmed: false });
    const link = await linkTo('confirm', 'confirm', id);
    await opens(link);
    await tab.press('Confirm the address');
    await tab.arrivesAt('/sites');
    expect(await isSignedIn()).toBe(true);
    await tab.page.goBack();
    expect(tab.page.url()).not.toContain('confirm');

    await context.clearCookies();
    await opens(link);
    await tab.titled('This link is no longer valid');
    expect(tab.page.url()).toBe(`${cloud.url}/sign_in`);
    await tab.press('Sign in');
    await tab.signsIn({ email });
    await tab.arrivesAt('/sites');
  });
});

describe('password link', () => {
  it('the link of a requested mail sets a new password', async () => {
    const { email } = await cloud.make.user();
    await opens('/sign_in');
    await tab.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await tab.fill('Email', email);
    await tab.press('Send the link');
    await tab.titled('Look into your mailbox');
    await tab.page.goto((await cloud.mail(email)).link);
    await tab.fill('New password', NEW_PASSWORD);
    await tab.press('Set the password');
    await tab.arrivesAt('/sites');
    expect(await signsInWith(email, NEW_PASSWORD)).toBe(200);
  });

  it('weak passwords are refused in the page, and refusals of the service are shown', async () => {
    const { id } = await cloud.make.user();
    await opens(await linkTo('password/reset', 'reset', id));
    for (const [password, missing] of [
      ['Ab3', ['At least 8 characters']],
      ['abcdefgh', ['An upper case letter', 'A digit or punctuation']],
    ] as const) {
      await tab.fill('New password', password);
      await tab.press('Set the password');
      await tab.hasText('This password is too easy to guess.');
      expect(await tab.page.locator('[data-met="false"]').allInnerTexts()).toEqual(missing);
      expect(await tab.focused()).toBe('password');
    }
    await tab.page.route(
      '**/portal/password/reset',
      (route) => route.fulfill({ status: 422, json: { errors: { password: ['is known to be stolen'] } } }),
      { times: 1 },
    );
    await tab.fill('New password', NEW_PASSWORD);
    await tab.press('Set the password');
    await tab.hasText('is known to be stolen');
    await tab.press('Set the password');
    await tab.arrivesAt('/sites');
  });

  it('an expired link shows a message', async () => {
    const { id } = await cloud.make.user();
    const link = await linkTo('password/reset', 'reset', id);
    cloud.clock.advance(2 * 60 * 60 * 1000);
    await opens(link);
    await tab.titled('This link is no longer valid');
    await tab.page.getByRole('link', { name: 'Request a new link' }).click();
    await tab.titled('Forgot your password?');
  });
});

it('an invitation link sets the first password once the terms are accepted', async () => {
  const { id, email } = await cloud.make.user({ confirmed: false });
  await opens(`${await linkTo('password/set', 'invite', id)}?site_id=7`);
  await tab.fill('New password', NEW_PASSWORD);
  await tab.press('Set the password');
  await tab.hasText('Accept the terms of use to continue.');
  await tab.page.getByRole('checkbox').check();
  await tab.press('Set the password');
  await tab.arrivesAt('/sites/7');
  expect(await signsInWith(email, NEW_PASSWORD)).toBe(200);
});

it('language and colour scheme are stored in the browser, and the language in the account', async () => {
  const { id, email } = await cloud.make.user();
  await opens('/sign_in');
  await tab.page.getByLabel('Language').selectOption('da');
  await tab.page.getByRole('radio').nth(1).check();
  const html = tab.page.locator('html');
  await expect.poll(() => html.getAttribute('lang')).toBe('da');
  await tab.page.reload();
  expect(await html.getAttribute('lang')).toBe('da');
  expect(await html.getAttribute('data-mantine-color-scheme')).toBe('dark');

  await context.clearCookies();
  await opens('/sign_in');
  await tab.signsIn({ email });
  await tab.arrivesAt('/sites');
  await tab.page.getByLabel('Language').selectOption('fr');
  const locale = () =>
    cloud.db.selectFrom('users').select('locale').where('id', '=', id).executeTakeFirstOrThrow();
  await expect.poll(locale).toEqual({ locale: 'fr' });
});
