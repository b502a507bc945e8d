import type { BrowserContext, Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { PAGES, type PageCase } from '../look/page-table.ts';
import { removeNewerFunctions } from '../oldest-browsers/as-oldest.ts';

/** Pages with curves, live values, addresses, settings and stored choices. */
const SOME = ['device', 'device-energy', 'site-energy'];
const MOST = [
  'register',
  'sites',
  'sites-table',
  'add-site',
  'site',
  'site-settings',
  'site-device',
  'basket',
  'device-sign-in',
  'device-history',
  'device-probe',
  ...SOME,
];

/** Browsers that lack what most have. */
const BROWSERS: readonly (readonly [
  name: string,
  pages: readonly string[],
  prepare: (context: BrowserContext) => Promise<unknown>,
])[] = [
  ['without the functions that the oldest browsers lack', MOST, removeNewerFunctions],
  ['without a locale', SOME, (context) => context.addInitScript(nameNoLanguage)],
  ['in an unknown time zone', SOME, (context) => context.addInitScript(nameNoTimeZone)],
  [
    'that blocks storage',
    [...SOME, 'device-probe', 'sites', 'basket'],
    (context) => context.addInitScript(blockStorage),
  ],
];

/** Pages in browsers as some people have them. */
export function describeOddBrowsers(fixture: () => Fixture): void {
  it.each(BROWSERS)('a browser %s shows the pages', async (_name, names, prepare) => {
    for (const as of ['anonymous', 'demo', 'device'] as const) {
      const cases = PAGES.filter((page) => page.as === as && names.includes(page.name));
      if (cases.length === 0) continue;
      await using visit = await fixture().visit({ as });
      const { page, context } = visit;
      await prepare(context);
      for (const each of cases) await expectShown(page, each, fixture());
    }
  });

  it('a missing function is not reported as a missing connection', async () => {
    await using visit = await fixture().visit({ expectedErrors: [/./] });
    const { page, context } = visit;
    await context.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'));
    await page.goto(`${fixture().device}/sign_in`);
    await page.getByText('Something went wrong').first().waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
  });

  it('a part that fails to run has a sentence of its own and does not load the page again', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/./] });
    const { page, context } = visit;
    let loads = 0;
    page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
    await context.route(/\/assets\/curves-[^/]+\.js/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: `throw new TypeError('x is not a function');${await response.text()}`,
      });
    });
    await page.goto(`${fixture().device}/energy`);
    await page.getByText('does not run in this browser').first().waitFor();
    expect(loads).toBe(1);
  });

  it('an older browser shows one sentence in the language of the page', async () => {
    await using visit = await fixture().visit({ locale: 'de-DE', expectedErrors: [/./] });
    const { page, context } = visit;
    await context.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'toSorted'));
    await page.goto(`${fixture().device}/`);
    await page.getByText('Dieser Browser ist zu alt').waitFor();
    expect(await page.locator('#slow-load').count()).toBe(0);
  });

  it('live values move on a page that is translated', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page, context } = visit;
    await context.addInitScript(translatePages);
    await page.goto(`${fixture().device}/`);
    await page.getByText('Live', { exact: true }).first().waitFor();
    await page.locator('h1 font').first().waitFor();
    const powers = page.locator('[data-side] [translate=no]');
    const before = await powers.allTextContents();
    expect(before.length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => powers.allTextContents()).not.toEqual(before);
    for (const path of ['/history', '/settings', '/energy', '/']) {
      await page.locator(`a[href="${path}"]`).filter({ visible: true }).first().click();
      await page.locator('h1 font').first().waitFor();
      expect(await page.getByText('Something went wrong').count()).toBe(0);
    }
    const values = page.locator('[translate=no]');
    await expect.poll(() => values.count()).toBeGreaterThan(5);
  });
}

async function expectShown(page: Page, { name, url, ready }: PageCase, fixture: Fixture): Promise<void> {
  await page.goto(url(fixture));
  await page.locator('#root:not([aria-busy]) h1').first().waitFor();
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  for (const failure of [
    'Something went wrong',
    'cannot be reached',
    'does not run in this browser',
    'too old',
  ])
    expect(await page.getByText(failure).filter({ visible: true }).count(), `${name}: ${failure}`).toBe(0);
}

/** Runs in the page: Chromium on a system without a locale. */
function nameNoLanguage(): void {
  const none = { language: 'en-US@posix', languages: ['en-US@posix'] };
  for (const [name, value] of Object.entries(none))
    Object.defineProperty(Navigator.prototype, name, { get: () => value });
}

/** Runs in the page: a system whose time zone the browser does not know. */
function nameNoTimeZone(): void {
  const original = Intl.DateTimeFormat.prototype.resolvedOptions;
  Intl.DateTimeFormat.prototype.resolvedOptions = function resolvedOptions() {
    return { ...original.call(this), timeZone: 'Etc/Unknown' };
  };
}

/** Runs in the page: Safari that blocks all cookies but those of the session, Firefox without site data. */
function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(globalThis, name, {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  }
}

/** Runs in the page: replaces text by elements as translators of browsers do, also text that comes later. */
function translatePages(): void {
  const translate = (root: Node): void => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      const { parentElement: parent } = text;
      if (
        !parent ||
        text.data.trim() === '' ||
        parent.closest('[translate=no], font, script, style, textarea')
      )
        continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) translate(node.parentNode ?? node);
  }).observe(document, { subtree: true, childList: true });
}
