import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

export function describeData(fixture: () => Fixture): void {
  it('a person takes an archive of their data along, and reads what keeps the account from being deleted', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/data`);
    await page.getByText(/^Site demo/).waitFor();
    expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Make an archive' }).click();
    const link = page.getByRole('link', { name: 'Download' }).first();
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^export-\d+\.zip$/);
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
  });
}
