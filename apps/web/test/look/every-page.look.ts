import type { Page } from '@heliograph/dev/testing/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture, type Visit } from '../fixture.ts';
import { DESKTOP, LOOKS, PHONE } from '../looks.ts';
import { accessibilityFaults, contrastFaults, showColors, stopTransitions } from './accessibility.ts';
import { PAGES, type PageCase } from './page-table.ts';
import { picture } from './pictures.ts';
import { makeSamples } from './samples.ts';

/** The narrowest screen that the pages are made for, in CSS pixels. */
const NARROWEST = { width: 320, height: 640 } as const;

/** Each session has one window for all of its pages: a new one would compile their scripts again. */
const SESSIONS = ['anonymous', 'demo', 'device'] as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await makeSamples(fixture);
});
afterAll(() => fixture?.stop());

/** Loaded by its address, on a desktop in light and a phone in dark, and on the narrowest screen. */
describe.each(SESSIONS)('every page of the session "%s"', (as) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await fixture.visit({ viewport: PHONE, as });
  });
  afterEach(async () => {
    await visit.page.evaluate('localStorage.clear(); sessionStorage.clear()');
  });
  afterAll(() => visit?.[Symbol.asyncDispose]());

  const cases = PAGES.filter((pageCase) => pageCase.as === as);
  it.each(cases)('the page $name is accessible and fits every screen', async (pageCase) => {
    const { name, expectedErrors = [] } = pageCase;
    const { page } = visit;
    await page.setViewportSize(PHONE);
    await page.goto(pageCase.url(fixture));
    await waitUntilShown(page, pageCase);
    await pageCase.open?.(page);
    await stopTransitions(page);
    const faults: string[] = [];
    const note = (where: string, found: readonly string[]): void => {
      faults.push(...found.map((fault) => `${where}: ${fault}`));
    };
    for (const { name: look, viewport, colorScheme } of [LOOKS.desktop, LOOKS.phone]) {
      await page.setViewportSize(viewport);
      await showColors(page, colorScheme);
      // Parts that only this size has are loaded now.
      await waitUntilLoaded(page);
      await picture(page, `${name}-${look}`);
      note(look, await accessibilityFaults(page));
    }
    await page.setViewportSize(DESKTOP);
    note('a desktop in dark', await contrastFaults(page));
    await page.setViewportSize(NARROWEST);
    expect(await overflow(page)).toEqual([]);
    expect(faults).toEqual([]);
    const errors = visit.takeErrors().filter((error) => !expectedErrors.some((one) => one.test(error)));
    expect(errors).toEqual([]);
  });
});

async function waitUntilShown(page: Page, { ready }: PageCase): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await waitUntilLoaded(page);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).not.toBe('');
}

/** Playwright's own waiting evaluates text, which the policy of the pages forbids. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[role=status] .mantine-Loader-root').count()).toBe(0);
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
