import type { RunFile } from '@heliograph/dev';
import type { Browser, BrowserContext } from '@heliograph/dev/testing/browser';

export type Cookies = readonly Awaited<ReturnType<BrowserContext['cookies']>>[number][];

/** Signs in to the portal as its demo account. @returns the cookies of the browser */
export function enterPortal(browser: Browser, { cloud, account }: RunFile): Promise<Cookies> {
  return enter(browser, cloud.url, '/portal/sign_in', { email: account.email, password: account.password });
}

/** Signs in to the device's own pages. */
export function enterDevice(browser: Browser, { device }: RunFile): Promise<Cookies> {
  return enter(browser, device.url, '/api/v1/session', { password: device.password });
}

async function enter(browser: Browser, origin: string, path: string, body: object): Promise<Cookies> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/sign_in`);
  const init = JSON.stringify({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const status = await page.evaluate(`fetch('${path}', ${init}).then(({ status }) => status)`);
  if (status !== 200 && status !== 204) throw new Error(`${origin}${path} answers ${status}`);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
