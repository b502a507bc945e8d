import { type Browser, type BrowserContext, launchBrowser, type Page } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startForeignPage } from '../../../test/foreign-page.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

/** Browsers are slow on busy machines. */
const PATIENCE = { timeout: 10_000 };

let cloud: TestCloud;
let browser: Browser;
let app: Awaited<ReturnType<typeof startForeignPage>>;
beforeAll(async () => {
  [cloud, browser, app] = await Promise.all([startTestCloud(), launchBrowser(), startForeignPage()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.[Symbol.asyncDispose]();
  await cloud?.[Symbol.asyncDispose]();
});

interface Message {
  readonly verification_token?: string;
  readonly verification_error?: string;
}

/** Opens the check from a page of another origin, the way an app does. @returns the first message from it */
const OPENINGS = {
  'an iframe': (page: Page) =>
    page.evaluate(
      `new Promise((resolve) => {
        addEventListener('message', ({ data, origin }) => resolve({ data, origin }));
        document.body.append(Object.assign(document.createElement('iframe'), { src: '${cloud.url}/register/verify' }));
      })`,
    ),
  'a window of its own': (page: Page) =>
    page.evaluate(
      `new Promise((resolve) => {
        addEventListener('message', ({ data, origin }) => resolve({ data, origin }));
        open('${cloud.url}/register/verify');
      })`,
    ),
} as const;

let context: BrowserContext;
let page: Page;
let consoleErrors: string[];
beforeEach(async () => {
  context = await browser.newContext({ locale: 'de-AT' });
  consoleErrors = [];
  context.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page = await context.newPage();
  return () => context.close();
});

describe.each(Object.keys(OPENINGS) as (keyof typeof OPENINGS)[])(
  'the page of the bot check in %s',
  (opening) => {
    it('the opening page receives a token, which registers an account', async () => {
      await page.goto(app.url);
      const { data, origin } = (await OPENINGS[opening](page)) as { data: Message; origin: string };
      expect(origin).toBe(cloud.url);
      expect(data).toEqual({ verification_token: expect.any(String) });
      const { status } = await cloud.call('POST /api/v1/register', {
        body: {
          email: `${opening.replaceAll(' ', '-')}@example.org`,
          password: 'Correct-horse-7',
          verification_token: data.verification_token,
          organization_id: await cloud.make.organization(),
        },
      });
      expect(status).toBe(201);
      expect(consoleErrors).toEqual([]);
    });
  },
);

it('an app with a WebView receives a token', async () => {
  const received = new Promise<string>((resolve) => page.exposeFunction('heard', resolve));
  await page.addInitScript('window.ReactNativeWebView = { postMessage: (text) => window.heard(text) }');
  await page.goto(`${cloud.url}/register/verify`);
  expect(JSON.parse(await received)).toEqual({ verification_token: expect.any(String) });
});

it('an app whose WebView has no bridge receives a token, by a script that it adds to the page', async () => {
  const received = new Promise<unknown>((resolve) => page.exposeFunction('heard', resolve));
  await page.addInitScript(
    `addEventListener('message', ({ data, origin }) => window.heard({ data, origin }))`,
  );
  await page.goto(`${cloud.url}/register/verify`);
  expect(await received).toEqual({ data: { verification_token: expect.any(String) }, origin: cloud.url });
});

it('the page is in the language of the browser', async () => {
  await page.goto(`${cloud.url}/register/verify`);
  await expect.poll(() => page.locator('label').innerText(), PATIENCE).toBe('Überprüft');
  expect(await page.locator('html').getAttribute('lang')).toBe('de-at');
  expect(consoleErrors).toEqual([]);
});

it('the page is in the language that the embedding page requests', async () => {
  await page.goto(`${cloud.url}/register/verify?language=zh-TW`);
  await expect.poll(() => page.locator('html').getAttribute('lang'), PATIENCE).toBe('zh-tw');
  await page.goto(`${cloud.url}/register/verify?language=en`);
  await expect.poll(() => page.locator('label').innerText(), PATIENCE).toBe('Verified');
});

it('the page explains a failure, and a retry works', async () => {
  await page.goto(app.url);
  await page.evaluate(`addEventListener('message', ({ data }) => (globalThis.heard ??= []).push(data))`);
  const received = () => page.evaluate<Message[]>('globalThis.heard ?? []');
  await context.route('**/register/verify', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await OPENINGS['an iframe'](page);
  const [first] = await received();
  expect(first).toEqual({ verification_error: expect.stringMatching(/^Überprüfung fehlgeschlagen\./) });
  await context.unroute('**/register/verify');
  await page.frameLocator('iframe').getByRole('checkbox').click({ timeout: 5_000 });
  await expect
    .poll(async () => (await received()).at(-1), PATIENCE)
    .toEqual({ verification_token: expect.any(String) });
});

it('a browser without JavaScript is shown that it is required', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const view = await plain.newPage();
  await view.goto(`${cloud.url}/register/verify`);
  expect(await view.locator('main').innerText()).toContain('needs JavaScript');
  await plain.close();
});
