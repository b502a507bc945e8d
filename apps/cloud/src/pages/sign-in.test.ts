import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
} from '@heliograph/dev-env/testing/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OneTimePurpose } from '../db/one-time-tokens.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const NEW_PASSWORD = 'Another-horse-8';

/** Browsers are slow on busy machines. */
const PATIENCE = { timeout: 10_000 };

let cloud: TestCloud;
let browser: Browser;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await cloud?.[Symbol.asyncDispose]();
});

let context: BrowserContext;
let page: Page;
let refusals: string[];
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  refusals = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  return async () => {
    await context.close();
    expect(refusals).toEqual([]);
  };
});

const title = () => expect.poll(() => page.locator('h1').innerText(), PATIENCE);
const statusOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).status;
const submit = () => page.getByRole('button', { name: 'Set the password' }).click();

const signsIn = async (email: string, password: string) =>
  (await cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' } })).status;

const linkTo = async (path: string, purpose: OneTimePurpose, userId: number): Promise<string> =>
  `${cloud.url}/sign_in#${path}/${await cloud.make.oneTimeToken(purpose, { userId })}`;

describe('the link to confirm an address', () => {
  it('from the mail of a registration confirms it', async () => {
    const email = 'eva@example.org';
    const { body } = await cloud.call('POST /api/v1/register', {
      body: {
        email,
        password: NEW_PASSWORD,
        verification_token: await cloud.make.oneTimeToken('bot_check'),
        organization_id: await cloud.make.organization(),
      },
    });
    expect(body).toHaveProperty('pending_token');
    expect(await signsIn(email, NEW_PASSWORD)).toBe(412);
    await page.goto((await cloud.mail(email)).link);
    await title().toBe('Your email address is confirmed');
    expect(await signsIn(email, NEW_PASSWORD)).toBe(200);
  });

  it('keeps its secret out of the address bar', async () => {
    const { id } = await cloud.make.user({ confirmed: false });
    await page.goto(await linkTo('confirm', 'confirm', id));
    await title().toBe('Your email address is confirmed');
    expect(page.url()).toBe(`${cloud.url}/sign_in`);
  });

  it('says so when it was used before', async () => {
    const { id } = await cloud.make.user({ confirmed: false });
    const link = await linkTo('confirm', 'confirm', id);
    await page.goto(link);
    await title().toBe('Your email address is confirmed');
    await page.goto(link);
    await title().toBe('Your email address is not confirmed');
    expect(await page.getByRole('status').innerText()).toContain('no longer good');
  });
});

describe('the link to a new password', () => {
  it('from its mail sets it', async () => {
    const { email } = await cloud.make.user();
    const verification_token = await cloud.make.oneTimeToken('bot_check');
    await cloud.call('POST /api/v1/password/reset', { body: { email, verification_token } });
    await page.goto((await cloud.mail(email)).link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await submit();
    await title().toBe('Your password is set');
    expect(await signsIn(email, NEW_PASSWORD)).toBe(200);
  });

  it.each([
    ['', 'at least 8 characters, a lower case letter, an upper case letter, a digit or punctuation'],
    ['Ab3', 'at least 8 characters'],
    ['abcdefgh', 'an upper case letter, a digit or punctuation'],
  ])('does not send "%s"', async (password, missing) => {
    const { id } = await cloud.make.user();
    await page.goto(await linkTo('password/reset', 'reset', id));
    await page.getByLabel('New password').fill(password);
    await submit();
    await expect
      .poll(() => page.locator('#password-error').innerText(), PATIENCE)
      .toBe(`The password still needs ${missing}.`);
    expect(await page.evaluate('document.activeElement.id')).toBe('password');
  });

  it('shows what the service says of a password, and takes another one', async () => {
    const { id } = await cloud.make.user();
    await page.goto(await linkTo('password/reset', 'reset', id));
    await page.route('**/api/v1/password/reset/*', (route) =>
      route.fulfill({ status: 422, json: { errors: { password: ['is known to be stolen'] } } }),
    );
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await submit();
    const error = () => page.locator('#password-error').innerText();
    await expect.poll(error, PATIENCE).toBe('The password is known to be stolen.');
    await page.unroute('**/api/v1/password/reset/*');
    await submit();
    await title().toBe('Your password is set');
  });

  it('says so when it is too old', async () => {
    const { id } = await cloud.make.user();
    const link = await linkTo('password/reset', 'reset', id);
    cloud.clock.advance(2 * 60 * 60 * 1000);
    await page.goto(link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await submit();
    await expect.poll(() => page.locator('#form-error').innerText(), PATIENCE).toContain('no longer good');
  });
});

it('the link of an invitation sets the first password once the terms are accepted', async () => {
  const { id, email } = await cloud.make.user({ confirmed: false });
  await page.goto(`${await linkTo('password/set', 'invite', id)}?site_id=7`);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await submit();
  await expect
    .poll(() => page.locator('#accepted-terms-error').innerText(), PATIENCE)
    .toContain('must be accepted');
  const terms = await page.getByRole('link', { name: 'terms' }).getAttribute('href');
  expect(await statusOf(new URL(terms ?? '', cloud.url).href)).toBe(200);
  await page.getByRole('checkbox').check();
  await submit();
  await title().toBe('Your password is set');
  expect(await signsIn(email, NEW_PASSWORD)).toBe(200);
});

it('the page without a link says what it is for', async () => {
  await page.goto(`${cloud.url}/sign_in`);
  await title().toBe('Follow the link in your email');
});

it('the first page leads to what is here', async () => {
  await page.goto(cloud.url);
  const links = await page.evaluate<string[]>('[...document.links].map((link) => link.href)');
  expect(links).toEqual(
    expect.arrayContaining(
      ['/docs', '/openapi.json', '/openapi.yaml', '/mailbox'].map((path) => cloud.url + path),
    ),
  );
  for (const link of links) expect(await statusOf(link)).toBe(200);
});
