import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

export function describeDiagnostics(fixture: () => Fixture): void {
  it('an owner makes a diagnostic file on the device, reads its parts and saves the file that was shown', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/configuration`);
    await page.getByRole('link', { name: 'Diagnostics' }).click();
    await page.getByText('Nothing is sent by itself.').waitFor();
    await page.getByRole('button', { name: 'Make a diagnostic file' }).click();
    await page.getByText('Left out: frames.json').waitFor();
    await page.getByText('links.json').click();
    await page.getByText('"driver": "sunspec"').first().waitFor();
    const shown = await page.locator('pre').innerText();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the file' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^diagnostics-demo-\d{8}T\d{6}Z\.zip$/);
    const files = unzipSync(await readFile(await saved.path()));
    expect(strFromU8(files['links.json'] ?? new Uint8Array()).trim()).toBe(shown.trim());

    await page.getByRole('checkbox', { name: 'Add the last messages of the hardware' }).check();
    await page.getByRole('button', { name: 'Make another one' }).click();
    await page.getByText('frames.json', { exact: true }).waitFor();
  });
}
