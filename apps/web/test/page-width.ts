import type { BrowserContext, Page } from '@heliograph/dev/testing/browser';

/** The width of the page is compared with that of its root: on a phone, `innerWidth` grows with a page that is too wide. */
const WATCH = `
  const reported = new Set();
  globalThis.reportWidth = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    // A picture of a whole page makes the window as narrow as a pixel for a moment.
    if (clientWidth < 320 || scrollWidth <= clientWidth || reported.has(location.pathname)) return;
    reported.add(location.pathname);
    const widest = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 3)
      .map((element) => element.outerHTML.slice(0, 120));
    console.error(location.pathname + ' is ' + scrollWidth + ' px wide on ' + clientWidth + ': ' + widest.join(' | '));
  };
  addEventListener('DOMContentLoaded', () => new ResizeObserver(reportWidth).observe(document.body));
`;

/** From now on a page that scrolls sideways logs an error to its console whenever its content grows. */
export async function watchWidth(context: BrowserContext): Promise<void> {
  await context.addInitScript(WATCH);
}

/** Checks the page in its present state. */
export async function checkWidth(page: Page): Promise<void> {
  await page.evaluate('globalThis.reportWidth?.()');
}
