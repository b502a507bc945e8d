import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@heliograph/dev';
import { launchBrowser } from '@heliograph/dev/testing/browser';
import { DESKTOP, PHONE } from './looks.ts';

/** `npm run pictures`: the pictures of README.md, of a system as `npm start` has it on a day in June. */
const PICTURES = join(import.meta.dirname, '../../../docs/pictures');

/** Largest picture, in bytes: everyone who clones the project has them. */
const MAX_BYTES = 100_000;

const NOON_IN_JUNE = new Date(Date.UTC(2026, 5, 21, 10)).toISOString();

/** Energy and curves of the days before, so that no page is empty. */
const HISTORY_DAYS = 400;

const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-pictures-'));
const system = await startSystem({
  dataFolder,
  plant: { start: NOON_IN_JUNE },
  historyDays: HISTORY_DAYS,
});
const browser = await launchBrowser();
try {
  const { cloud, site, account } = system.run;
  const url = `${cloud.url}/sites/${site.id}`;
  const pictures = [
    { name: 'overview-light', url, viewport: DESKTOP, colorScheme: 'light' },
    { name: 'overview-dark', url, viewport: DESKTOP, colorScheme: 'dark' },
    { name: 'energy-light', url: `${url}/energy`, viewport: DESKTOP, colorScheme: 'light' },
    { name: 'phone-light', url, viewport: PHONE, colorScheme: 'light' },
    { name: 'phone-dark', url, viewport: PHONE, colorScheme: 'dark' },
  ] as const;
  await mkdir(PICTURES, { recursive: true });
  for (const { name, url: address, viewport, colorScheme } of pictures) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(`${cloud.url}/sign_in`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${cloud.url}/sites`);
    await page.goto(address);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('[data-loading]').first().waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    const path = join(PICTURES, `${name}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    await context.close();
    const { size } = await stat(path);
    console.log(`${name}.png: ${Math.round(size / 1000)} KB`);
    if (size > MAX_BYTES) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await system.stop();
  await rm(dataFolder, { recursive: true, force: true });
}
