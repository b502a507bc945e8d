import { readFile } from 'node:fs/promises';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

export function describeData(fixture: () => Fixture): void {
  it('a person takes an archive of their data along, and reads what keeps the account from being deleted', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/data`);
    await page.getByText(/^Site demo/).waitFor();
    expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0);
    await takeArchive(page);
  });

  it('the owner takes an archive of a site along, which is listed among those of the account, too', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/device`);
    await page.getByText('Live values and their history stay on the device.').waitFor();
    // That of the account is not among the site's.
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
    await takeArchive(page);
    await page.goto(`${fixture().portal}/user/data`);
    const ofSite = page.getByRole('listitem').filter({ hasText: 'demo' }).filter({ hasText: 'Download' });
    await ofSite.first().waitFor();
  });
}

/** Makes an archive on the page, and downloads it. */
async function takeArchive(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make an archive' }).click();
  const link = page.getByRole('link', { name: 'Download' }).first();
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^export-\d+\.zip$/);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
}
