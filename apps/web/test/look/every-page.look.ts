import type { Page } from '@heliograph/dev-env/testing/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../fixture.ts';
import { DESKTOP, PHONE } from '../looks.ts';
import { accessibilityFaults } from './accessibility.ts';
import { PAGES, type PageCase } from './page-table.ts';
import { picture } from './pictures.ts';
import { makeSamples } from './samples.ts';

/** The narrowest screen that the pages are made for, in CSS pixels. */
const NARROWEST = { width: 320, height: 640 } as const;

const SCHEMES = ['light', 'dark'] as const;
const SIZES = { phone: PHONE, desktop: DESKTOP } as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await makeSamples(fixture);
});
afterAll(() => fixture?.stop());

/** Loaded by its address, on a phone and a desktop, in light and in dark, and on the narrowest screen. */
describe('every page', () => {
  it.each(PAGES)('the page $name is accessible and fits every screen', async (pageCase) => {
    const { as, expectedErrors = [] } = pageCase;
    await using visit = await fixture.visit({ viewport: PHONE, as, expectedErrors });
    const { page } = visit;
    await page.goto(pageCase.url(fixture));
    await waitUntilShown(page, pageCase);
    await pageCase.open?.(page);
    const faults: string[] = [];
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await picture(page, `${pageCase.name}-${size}-${colorScheme}`);
      }
      for (const fault of await accessibilityFaults(page)) faults.push(`${colorScheme}: ${fault}`);
    }
    await page.setViewportSize(NARROWEST);
    expect(await overflow(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

async function waitUntilShown(page: Page, { ready }: PageCase): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  // Playwright's own waiting evaluates text, which the policy of the pages forbids.
  await expect.poll(() => page.locator('[role=status] .mantine-Loader-root').count()).toBe(0);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).not.toBe('');
}

/** Elements that overflow the right edge of a narrow screen. */
async function overflow(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 120));
  })()`);
}
