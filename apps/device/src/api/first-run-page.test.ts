import { type Browser, launchBrowser } from '@heliograph/dev-env/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDevice } from './testing/test-device.ts';

/** Browsers are slow on busy machines. */
const PATIENCE = { timeout: 10_000 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

it('a person sets the first password in a browser, and reads what the device is', async () => {
  const device = await startTestDevice({ password: null });
  const page = await browser.newPage();
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await page.goto(device.api.url);
  const radius = await page.evaluate('getComputedStyle(document.querySelector("main")).borderRadius');
  expect(radius).toBe('12px');
  await page.getByLabel('Password, at least 8 characters').fill('sun & moon=8');
  await page.getByLabel('The same again').fill('something else');
  await page.getByRole('button').click();
  await expect
    .poll(() => page.getByRole('alert').innerText(), PATIENCE)
    .toBe('The two passwords are not the same');
  await page.getByLabel('Password, at least 8 characters').fill('sun & moon=8');
  await page.getByLabel('The same again').fill('sun & moon=8');
  await page.getByRole('button').click();
  await expect.poll(() => page.locator('h1').innerText(), PATIENCE).toBe('Heliograph device');
  await expect(device.access.password.matches('sun & moon=8', '127.0.0.1')).resolves.toBe(true);
  expect(refusals).toEqual([]);
  await page.close();
  await device.stop();
});
