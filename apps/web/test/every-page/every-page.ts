import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@heliograph/dev-env/testing/browser';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, type World } from '../world.ts';
import { accessibilityFaults } from './accessibility.ts';
import { PAGES, type PageCase } from './page-table.ts';

/** For a person to look through. */
const PICTURES = join(import.meta.dirname, '../../screenshots');

/** The narrowest screen that the pages are made for, in CSS pixels. */
const NARROWEST = { width: 320, height: 640 } as const;

const SCHEMES = ['light', 'dark'] as const;
const SIZES = { phone: PHONE, desktop: DESKTOP } as const;

/** Every page as people meet it: loaded by its address, on a phone and a desktop, in light and in dark. */
export function describeEveryPage(world: () => World): void {
  it.each(PAGES)('$name', async (pageCase) => {
    await using visit = await world().visit({ viewport: PHONE, as: pageCase.as });
    const { page } = visit;
    await page.goto(await pageCase.url(world()));
    await shows(page, pageCase);
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
}

async function shows(page: Page, { ready }: PageCase): Promise<void> {
  await page.getByText(ready).first().waitFor();
  // Playwright's own waiting evaluates text, which the policy of the pages forbids.
  await expect.poll(() => page.locator('[role=status] .mantine-Loader-root').count()).toBe(0);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).not.toBe('');
}

/** Puts a picture of a page as it stands into the folder of pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true, animations: 'disabled' });
}

/** What sticks out to the right of a narrow screen. */
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
