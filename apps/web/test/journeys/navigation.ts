import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { PHONE } from '../looks.ts';

/** Navigation with a screen reader and without a mouse. */
export function describeNavigation(fixture: () => Fixture): void {
  it('another page is announced, keeps the focus near, and has a title of its own', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const { id } = fixture().system.run.site;
    await page.goto(`${fixture().portal}/sites/${id}/device`);
    await page.getByRole('heading', { name: 'About the device' }).waitFor();
    expect(await page.title()).toBe('demo · Device · Demo organization');
    await follow(page, 'People');
    await announced(page, 'demo · People · Demo organization');
    expect(await focused(page)).toBe('People');
    // Another page altogether: the navigation stays, and the focus in it.
    await follow(page, 'Organization');
    await announced(page, 'Demo organization · Branding · Demo organization');
    expect(await focused(page)).toBe('Organization');
    // The link that was followed went away with its page.
    await follow(page, 'Members');
    await announced(page, 'Demo organization · Members · Demo organization');
    await page.locator('main:focus').waitFor();
  });

  it('another page begins at its top, and going back restores the scroll position', async () => {
    // Higher than its window on a phone alone.
    await using visit = await fixture().visit({ as: 'device', viewport: PHONE });
    const { page } = visit;
    const scrolled = (): Promise<number> => page.evaluate('scrollY');
    await page.goto(`${fixture().device}/settings`);
    await page.getByLabel('Battery reserve').first().waitFor();
    await follow(page, 'Overview');
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
    await follow(page, 'Settings');
    await page.getByLabel('Battery reserve').first().waitFor();
    await page.evaluate('scrollTo(0, 200)');
    await expect.poll(scrolled).toBe(200);
    await follow(page, 'Overview');
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(200);
  });

  it('the layout stays while the first values arrive', async () => {
    await using visit = await fixture().visit({ as: 'device', viewport: PHONE });
    const { page } = visit;
    await page.addInitScript(`
      globalThis.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(fixture().device);
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
    expect(await page.evaluate('shifted')).toBeLessThan(0.05);
  });

  it('a button that was waiting has the focus again', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/organizations/${fixture().system.run.organization.id}`);
    const save = page.getByRole('button', { name: 'Save' }).first();
    await save.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved').first().waitFor();
    await expect.poll(() => focused(page)).toBe('Save');
  });
}

async function follow(page: Page, link: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).focus();
  await page.keyboard.press('Enter');
}

async function announced(page: Page, title: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: title }).waitFor({ state: 'attached' });
  expect(await page.title()).toBe(title);
}

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}
