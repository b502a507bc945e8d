import { readFile } from 'node:fs/promises';
import type { HistoryAnswer } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { pointAtEnd } from './interactions.ts';

/** The energy of a site: the picture of its flows, its curves, and their components. */
export function describeEnergy(fixture: () => Fixture): void {
  it('the picture of the flows has a description in text', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    await visit.page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}`);
    const description = visit.page.locator('figcaption').first();
    for (const part of [
      /Solar: [\d.,]+\s(W|kW)\./,
      /House load: [\d.,]+\s(W|kW)\./,
      /State of charge: \d+ %/,
    ]) {
      await expect.poll(() => description.textContent()).toMatch(part);
    }
    await visit.page.getByText('Live', { exact: true }).waitFor();
  });

  it('the picture fits long names on the narrowest page', async () => {
    const viewport = { width: 320, height: 700 };
    await using visit = await fixture().visit({ as: 'device', viewport, locale: 'de-DE' });
    const { page } = visit;
    await page.goto(fixture().device);
    const load = page.getByText('Hausverbrauch', { exact: true }).first();
    const battery = page.locator('[data-side=bottom][data-fills] > div').first();
    await battery.waitFor();
    const [name, circle] = await Promise.all([load.boundingBox(), battery.boundingBox()]);
    expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual((circle?.y ?? 0) + 1);
  });

  it('a lost connection is shown, and comes back by itself', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    let isCut = false;
    const open: { close: () => Promise<void> }[] = [];
    await page.routeWebSocket(/\/api\/websocket/, async (socket) => {
      if (isCut) return await socket.close();
      socket.connectToServer();
      open.push(socket);
    });
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}`);
    await page.getByText('Live', { exact: true }).waitFor();

    isCut = true;
    await Promise.all(open.map((socket) => socket.close()));
    await page.getByText('The connection was lost and is being made again.').waitFor();
    await page.getByText(/The values are from \d\d:\d\d\./).waitFor();
    expect(await page.locator('figcaption').first().textContent()).toContain('These values are old.');
    isCut = false;
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('silent hardware keeps its last values, which are grey and have their time', async () => {
    const { portal, system, look } = fixture();
    const plant = system.parts.plant.pid ?? 0;
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${portal}/sites/${system.run.site.id}`);
    const charge = page.getByRole('article', { name: 'Battery 1' }).locator('dl > div').first();
    const value = charge.locator('dd').first();
    await expect.poll(() => value.textContent()).toMatch(/^\d+\s%$/);
    const colour = () => value.evaluate((one) => getComputedStyle(one).color);
    const live = await colour();
    process.kill(plant, 'SIGSTOP');
    try {
      await page.getByText('Hardware silent', { exact: true }).first().waitFor();
      await expect.poll(() => charge.getAttribute('title')).toMatch(/\d\d:\d\d/);
      expect(await value.textContent()).toMatch(/^\d+\s%$/);
      expect(await colour()).not.toBe(live);
      expect(await charge.getByText(/^Old, .*\d\d:\d\d/).count()).toBe(1);
      await page.getByText(/The values are from \d\d:\d\d\./).waitFor();
      expect(await faultsInBothLooks(page)).toEqual([]);
      await picture(page, `silent-${look.name}`);
    } finally {
      process.kill(plant, 'SIGCONT');
    }
    // The device tries hardware that was silent again after a while.
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
    await expect.poll(colour).toBe(live);
  });

  it('the card of the curves keeps its height while the curves load', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const released = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/history\?/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}`);
    const card = page.getByRole('region', { name: 'Power and charge' });
    const height = async () => Math.round((await card.boundingBox())?.height ?? 0);
    await card.getByRole('status').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const before = await height();
    released.resolve();
    await card.getByRole('slider').waitFor();
    expect(await height()).toBe(before);
  });

  it('the pages work in a browser whose system has no locale', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { context, page } = visit;
    // So does a Chromium whose LANG is unset, C or POSIX.
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' });
      Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix'] });
    });
    const site = `${fixture().portal}/sites/${fixture().system.run.site.id}`;
    for (const address of [site, `${site}/energy`]) {
      await page.goto(address);
      await page.getByRole('slider').first().waitFor();
    }
  });

  it('a curve is read with the keys and by pointing at it, switched off and on, and saved', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await serveHistory(page, 12);
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}`);
    // A day that is over: its curve has no live values behind it, which would move the points.
    await page.getByText('Yesterday').click();
    const curve = page.getByRole('slider', { name: 'Power and charge' });
    await curve.focus();
    await page.keyboard.press('End');
    await expect.poll(() => curve.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d, .*Solar 51\sW/);
    await page.keyboard.press('Home');
    expect(await curve.getAttribute('aria-valuenow')).toBe('0');
    const text = await curve.getAttribute('aria-valuetext');

    const solar = page.getByRole('list', { name: 'Curves' }).getByRole('button', { name: /^Solar/ });
    await solar.click();
    expect(await solar.getAttribute('aria-pressed')).toBe('false');
    // The plot is made again without it, with the cursor where it was.
    expect(await curve.getAttribute('aria-valuetext')).toBe(text);
    await pointAtEnd(curve.locator('.u-over'), fixture().look);
    await expect.poll(() => curve.getAttribute('aria-valuenow')).toBe('11');

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^heliograph-\d{4}-\d\d-\d\d\.csv$/);
    const rows = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(rows[0]).toBe('\u{FEFF}Time,Solar (W),House load (W),Grid (W),Battery (W),State of charge (%)');
    expect(rows[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d(,40){5}$/);
  });

  it('a range without history shows that nothing was recorded, and another range its curves', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await serveHistory(page, 0);
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}`);
    await page.getByText('Yesterday').click();
    await page.getByText('Nothing has been recorded for this time yet.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText('7 days').click();
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();
  });

  it('the catalogue shows every component, and fits the narrowest screen', async () => {
    await using visit = await fixture().visit({ viewport: { width: 320, height: 640 } });
    const { page } = visit;
    await page.goto(`${fixture().portal}/catalogue`);
    await page.getByRole('slider').first().waitFor();
    const sections = await page.getByRole('navigation').first().getByRole('link').allTextContents();
    expect(sections.length).toBeGreaterThan(5);
    expect(await page.locator('main > section > h2').allTextContents()).toEqual(sections);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
}

/**
 * Answers every history with a curve from the beginning of the requested time on, at any hour and whatever the device
 * has recorded: 40, 41, 42 and so on.
 *
 * @param steps points of the curve; 0 for no history
 */
async function serveHistory(page: Page, steps: number): Promise<void> {
  await page.route(/\/api\/v1\/history\?/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as HistoryAnswer;
    const topic = new URL(route.request().url()).searchParams.get('topic') ?? '';
    const times = Array.from({ length: steps }, (_, index) => answer.from + index * answer.step);
    const values = times.map((_, index) => 40 + index);
    const unit = topic.endsWith('state_of_charge') ? '%' : 'W';
    const series = { topic, name: topic, unit, times, min: values, mean: values, max: values, last: values };
    await route.fulfill({ response, json: { ...answer, series: steps === 0 ? [] : [series] } });
  });
}
