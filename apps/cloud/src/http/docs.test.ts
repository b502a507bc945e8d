import { type Browser, launchBrowser } from '@heliograph/dev-env/testing/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let browser: Browser;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await cloud?.[Symbol.asyncDispose]();
});

it('the page shows the operations, loads nothing from other origins, and can call an operation', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto(`${cloud.url}/docs`);
  await page.locator('#operations-users-getCurrentUser').click();
  expect(await page.locator('#operations-sites-authorizeSite').innerText()).toContain(
    '/api/v1/sites/{id}/authorize',
  );
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').getByText('401').first().waitFor();
  expect([...origins].filter((origin) => origin.startsWith('http'))).toEqual([cloud.url]);
}, 60_000);
