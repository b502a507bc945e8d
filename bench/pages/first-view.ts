import type { Browser, Page } from '@heliograph/dev/testing/browser';
import type { Cookies } from './sign-in.ts';

/**
 * Fast 3G as Lighthouse's throttled mobile profile has it: 150 ms there and back, 1.6 Mbit/s down, 0.75 up; and a
 * processor four times slower than this one.
 */
const SLOW_PHONE = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
} as const;
const SLOWER_PROCESSOR = 4;
const PHONE = { width: 390, height: 844 } as const;

/** Of several visits the median counts. */
const VISITS = 5;

export interface FirstView {
  /** Size of all scripts requested until the page was shown, compressed. */
  readonly scriptBytes: number;
  /** The same, until the page was quiet. */
  readonly quietScriptBytes: number;
  /** Largest contentful paint, in milliseconds since the visit began. */
  readonly paintMs: number;
  /** Requests until the page was shown with its live values, with its document and its stream. */
  readonly requests: number;
  /** The same, until the page was quiet. */
  readonly quietRequests: number;
  /** When the first live value was shown, likewise; undefined of pages that show none. */
  readonly liveMs: number | undefined;
}

export interface Visit {
  readonly url: string;
  readonly cookies: Cookies;
  /** A page that the phone has shown before, on a fast line; left out, it has never been there. */
  readonly after?: string;
  /** Selects what a live value is written in. */
  readonly live?: string;
  /** How many, of which the median counts. */
  readonly visits?: number;
}

/** Opens a page on a slow phone. */
export async function firstView(browser: Browser, visit: Visit): Promise<FirstView> {
  const views: FirstView[] = [];
  const { visits = VISITS } = visit;
  for (let count = 0; count < visits; count++) views.push(await viewed(browser, visit));
  const [median] = views.toSorted((a, b) => a.paintMs - b.paintMs).slice(Math.floor(visits / 2));
  if (median === undefined) throw new Error('No page was visited');
  return median;
}

async function viewed(browser: Browser, { url, cookies, after, live }: Visit): Promise<FirstView> {
  const context = await browser.newContext({ viewport: PHONE, locale: 'en-GB', ignoreHTTPSErrors: true });
  if (after !== undefined) {
    const before = await context.newPage();
    await shown(before, after);
    await before.waitForLoadState('networkidle');
    await before.close();
  }
  await context.addCookies([...cookies]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_PHONE });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  const scripts = new Map<string, number>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.set(response.url(), Number(response.headers()['content-length'] ?? Number.NaN));
  });
  let requests = 0;
  page.on('request', () => requests++);
  page.on('websocket', () => requests++);
  const bytes = (): number => [...scripts.values()].reduce((sum, size) => sum + size, 0);
  await shown(page, url);
  const scriptBytes = bytes();
  const liveMs: number | undefined = live === undefined ? undefined : await page.evaluate(firstValue(live));
  const requestsShown = requests;
  // Streams and polls go on, so that the network is never idle for long: paints are what counts.
  const paintMs: number = await page.evaluate(SETTLED_PAINT);
  await context.close();
  return {
    scriptBytes,
    quietScriptBytes: bytes(),
    paintMs,
    requests: requestsShown,
    quietRequests: requests,
    liveMs,
  };
}

async function shown(page: Page, url: string): Promise<void> {
  await page.goto(url);
  // Before that the page's first words stand there.
  await page.locator('#root:not([aria-busy]) h1').first().waitFor();
}

/** When one of the elements has a digit in it. */
const firstValue = (selector: string): string => `new Promise((resolve) => {
  const look = () => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})].some(({ textContent }) => /[0-9]/.test(textContent));
    if (found) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** The largest paint, once none has come for two seconds. */
const SETTLED_PAINT = `new Promise((resolve) => {
  let last = 0;
  let timer;
  const settle = () => { clearTimeout(timer); timer = setTimeout(() => resolve(last), 2000); };
  new PerformanceObserver((list) => {
    last = list.getEntries().at(-1)?.startTime ?? last;
    settle();
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  settle();
})`;
