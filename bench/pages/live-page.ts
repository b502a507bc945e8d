import type { Browser } from '@heliograph/dev/testing/browser';
import type { Cookies } from './sign-in.ts';

/** How long a page is watched, in seconds. */
const WATCHED_S = 20;

/** The pause before the measurement, in milliseconds, so that the load of the page is not measured. */
const SETTLED_MS = 5_000;

export interface Busyness {
  /** Share of one core that the page's process uses, with its compositor and garbage collector. */
  readonly share: number;
  /** Values that came over the stream. */
  readonly changesPerSecond: number;
}

/** Processor use of an idle page with live values. */
export async function busyShare(browser: Browser, url: string, cookies: Cookies): Promise<Busyness> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await context.addCookies([...cookies]);
  const page = await context.newPage();
  let changes = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      changes += String(payload).split('"value":').length - 1;
    });
  });
  const devtools = await browser.newBrowserCDPSession();
  await page.goto(url);
  await page.locator('#root:not([aria-busy]) h1').first().waitFor();
  await page.waitForTimeout(SETTLED_MS);
  const before = { seconds: await rendererSeconds(devtools), changes };
  await page.waitForTimeout(WATCHED_S * 1000);
  const after = { seconds: await rendererSeconds(devtools), changes };
  await devtools.detach();
  await context.close();
  return {
    share: (after.seconds - before.seconds) / WATCHED_S,
    changesPerSecond: (after.changes - before.changes) / WATCHED_S,
  };
}

type Devtools = Awaited<ReturnType<Browser['newBrowserCDPSession']>>;

/** Processor time of all processes that show pages. */
async function rendererSeconds(devtools: Devtools): Promise<number> {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((seconds, { cpuTime }) => seconds + cpuTime, 0);
}
