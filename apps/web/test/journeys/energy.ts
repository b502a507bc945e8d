import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { accessibilityFaults } from '../every-page/accessibility.ts';
import { PHONE, type World } from '../world.ts';

/** How a site does: the picture of its flows, its curves, the components that show them. */
export function describeEnergy(world: () => World): void {
  it('the picture of the flows is told in words as well', async () => {
    await using visit = await world().visit({ as: 'demo' });
    await visit.page.goto(`${world().portal}/sites/${world().system.run.site.id}`);
    const words = visit.page.locator('figcaption').first();
    for (const part of [
      /Solar: [\d.,]+\s(W|kW)\./,
      /House load: [\d.,]+\s(W|kW)\./,
      /State of charge: \d+ %/,
    ]) {
      await expect.poll(() => words.textContent()).toMatch(part);
    }
    await visit.page.getByText('Live', { exact: true }).waitFor();
  });

  it('a curve is read with the keys, switched off and on, and saved', async () => {
    await using visit = await world().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${world().portal}/sites/${world().system.run.site.id}`);
    const curve = page.getByRole('slider', { name: 'Power and charge' });
    await curve.focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => curve.getAttribute('aria-valuetext'))
      .toMatch(/^\d\d:\d\d, .*Solar [\d.,]+\s(W|kW)/);
    await page.keyboard.press('Home');
    expect(await curve.getAttribute('aria-valuenow')).toBe('0');

    const solar = page.getByRole('list', { name: 'Curves' }).getByRole('button', { name: /^Solar/ });
    await solar.click();
    expect(await solar.getAttribute('aria-pressed')).toBe('false');

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^heliograph-\d{4}-\d\d-\d\d\.csv$/);
    const rows = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(rows[0]).toBe('Time,Solar (W),House load (W),Grid (W),Battery (W),State of charge (%)');
    expect(rows[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z(,-?[\d.]*){5}$/);
  });

  it('another time is chosen, of which nothing may have been recorded', async () => {
    await using visit = await world().visit({ as: 'demo', viewport: PHONE });
    await visit.page.goto(`${world().portal}/sites/${world().system.run.site.id}`);
    await visit.page.getByText('Yesterday').click();
    await visit.page.getByText('Nothing has been recorded for this time yet.').waitFor();
    await visit.page.getByText('7 days').click();
    await visit.page.getByRole('slider', { name: 'Power and charge' }).waitFor();
  });

  it('every component in every state is legible in light and dark', async () => {
    await using visit = await world().visit();
    await visit.page.goto(`${world().portal}/catalogue`);
    await visit.page.getByRole('slider').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme });
      const faults = await accessibilityFaults(visit.page);
      // The same card is there several times: only a catalogue has that.
      expect(faults.filter((fault) => !fault.startsWith('landmark-unique'))).toEqual([]);
    }
  });
}
