import { type Browser, type BrowserContext, launchBrowser, type Page } from '@heliograph/dev/testing/browser';
import { startTestSystem, type TestSystem } from '@heliograph/dev/testing/system';
import { expect } from 'vitest';
import { watchConsole } from './console-errors.ts';
import { LOOKS, type Look } from './looks.ts';
import { checkWidth, watchWidth } from './page-width.ts';

export interface VisitOptions {
  /** For a journey that is about a certain size. Default: that of the look. */
  readonly viewport?: Look['viewport'];
  /** Language of the browser, such as `de-DE`. Default: English. */
  readonly locale?: string;
  /** Time zone of the browser. Default: that of this machine. */
  readonly timeZone?: string;
  /** Whether the pages have their service worker; routes of a test see no request that it makes. Default: false. */
  readonly serviceWorker?: boolean;
  /** Whether the browser accepts certificates that it does not know. Default: false. */
  readonly acceptsAnyCertificate?: boolean;
  /** Session of the browser: that of the demo account, or of the device's own pages. Default: none. */
  readonly as?: 'demo' | 'device' | 'anonymous';
  /** Parts of messages in the console that a journey provokes itself, such as a refused password's status. */
  readonly expectedErrors?: readonly RegExp[];
}

/** One browser window of its own, with nothing from other visits. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The errors of its console since it was opened, or since the last call. */
  takeErrors(): readonly string[];
}

/** Shared by the journeys of a file: a whole system with a simulated home, and a browser. */
export interface Fixture {
  readonly system: TestSystem;
  readonly browser: Browser;
  readonly look: Look;
  readonly portal: string;
  readonly device: string;
  /** Opens a window. When it is closed, its console must have shown no error that was not expected. */
  visit(options?: VisitOptions): Promise<Visit>;
  stop(): Promise<void>;
}

/** For a loaded machine, in milliseconds. */
const PATIENCE_MS = 30_000;

/** @param look of every visit whose options name no other */
export async function startFixture(look: Look = LOOKS.desktop): Promise<Fixture> {
  const [system, browser] = await Promise.all([startTestSystem(), launchBrowser()]);
  const portal = system.run.cloud.url;
  const sessions = new Map<string, ReturnType<BrowserContext['cookies']>>();
  const cookiesOf = (who: 'demo' | 'device') => {
    const enter = who === 'demo' ? enterPortal : enterDevice;
    const cookies = sessions.get(who) ?? enter(browser, system.run);
    sessions.set(who, cookies);
    return cookies;
  };

  return {
    system,
    browser,
    look,
    portal,
    device: system.run.device.url,
    async visit(options = {}) {
      const {
        viewport = look.viewport,
        locale = 'en-GB',
        expectedErrors = [],
        serviceWorker = false,
        timeZone,
        acceptsAnyCertificate: ignoreHTTPSErrors = false,
      } = options;
      const { colorScheme, isPhone: isMobile } = look;
      const context = await browser.newContext({
        viewport,
        locale,
        colorScheme,
        isMobile,
        hasTouch: isMobile,
        reducedMotion: 'reduce',
        ignoreHTTPSErrors,
        ...(timeZone !== undefined && { timezoneId: timeZone }),
        serviceWorkers: serviceWorker ? 'allow' : 'block',
      });
      await watchWidth(context);
      if (options.as === 'demo' || options.as === 'device') {
        await context.addCookies(await cookiesOf(options.as));
      }
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const errors = watchConsole(page, expectedErrors);
      const takeErrors = () => errors.splice(0);
      return {
        page,
        context,
        takeErrors,
        async [Symbol.asyncDispose]() {
          try {
            await checkWidth(page);
          } finally {
            // A route handler that is still waiting for its answer fails when the context closes under it.
            for (const each of [context, ...context.pages()])
              await each.unrouteAll({ behavior: 'ignoreErrors' });
            await context.close();
          }
          expect(takeErrors()).toEqual([]);
        },
      };
    },
    async stop() {
      await browser.close();
      await system.stop();
    },
  };
}

/** Signs in as a person does, once for all visits. */
async function enterPortal(browser: Browser, { cloud, account }: TestSystem['run']) {
  return await sessionAfter(browser, `${cloud.url}/sign_in`, async (page) => {
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
  });
}

async function enterDevice(browser: Browser, { device }: TestSystem['run']) {
  return await sessionAfter(browser, `${device.url}/sign_in`, async (page) => {
    await page.getByLabel('Device password').fill(device.password);
  });
}

async function sessionAfter(browser: Browser, url: string, fill: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(url);
  await fill(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((now) => now.pathname !== '/sign_in');
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
