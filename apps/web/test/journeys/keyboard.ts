import { createCloudClient } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { withdrawPrices } from './withdraw-prices.ts';

/** A window of 640 by 1280 pixels at a zoom of 200 %, or the narrowest phone. */
const NARROW = { width: 320, height: 640 } as const;

/** More presses of a key than any page needs. */
const MAX_PRESSES = 150;

/** People who have no pointer, or large letters. */
export function describeKeyboard(fixture: () => Fixture): void {
  it('a homeowner signs in, reads energy and reviews a change of a setting with the keys alone, in a window of 320 pixels', async () => {
    await using visit = await fixture().visit({ viewport: NARROW });
    const { page } = visit;
    const { account, site } = fixture().system.run;
    await page.goto(`${fixture().portal}/sign_in?return_to=/sites/${site.id}`);
    await tabTo(page, 'Email');
    await page.keyboard.type(account.email);
    await tabTo(page, 'Password');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'demo', level: 1 }).waitFor();
    await page.getByRole('slider', { name: 'Power and charge' }).waitFor();

    await tabTo(page, 'Energy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Earlier' }).waitFor();
    await tabTo(page, 'Earlier');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Later' }).isEnabled()).toBe(true);

    await tabTo(page, 'Settings', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const reserve = page.getByRole('spinbutton', { name: 'Battery reserve' });
    await reserve.waitFor();
    await tabTo(page, 'Battery reserve');
    const before = await reserve.inputValue();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(before === '35' ? '40' : '35');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Battery reserve');
  });

  it('an owner changes a rule of alerts and enters prices with the keys alone, in a window of 320 pixels', async () => {
    const { device } = fixture();
    await using visit = await fixture().visit({ as: 'device', viewport: NARROW });
    const { page } = visit;
    await page.goto(`${device}/alerts`);
    await page.getByText('A battery is nearly empty').waitFor();
    await tabTo(page, 'Change: A battery is nearly empty');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Limit');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('7');
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText(/below 7 % for 10 min/).waitFor();
    await tabTo(page, 'As delivered: A battery is nearly empty');
    await page.keyboard.press('Enter');
    await page.getByText(/below 5 % for 10 min/).waitFor();

    await page.goto(`${device}/energy`);
    await page.getByRole('button', { name: 'Enter prices' }).waitFor();
    await tabTo(page, 'Enter prices');
    await page.keyboard.press('Enter');
    await page.getByLabel('Valid from').waitFor();
    await tabTo(page, 'Price of a kWh from the grid');
    await page.keyboard.type('0.3');
    await tabTo(page, 'Price of a kWh to the grid');
    await page.keyboard.type('0.08');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change prices' }).waitFor();
    await withdrawPrices(fixture());
  });

  it('an installer saves and deletes a view, and a manager opens what happened often, with the keys alone', async () => {
    const { portal, system } = fixture();
    await using visit = await fixture().visit({ as: 'demo', viewport: NARROW });
    const { page } = visit;
    await page.goto(`${portal}/sites?view=table&show=online`);
    await page.getByRole('button', { name: 'Save this view' }).waitFor();
    await tabTo(page, 'Save this view');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Name of the view');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'By keys' }).waitFor();
    await tabTo(page, 'Delete this view');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(page, 'Delete this view');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'By keys' }).waitFor({ state: 'detached' });

    const { organization, account } = system.run;
    const cloud = createCloudClient({ url: portal, token: account.api_token });
    for (const locale of ['fr', null] as const)
      await cloud.updateOrganization({ id: organization.id, locale });
    await page.goto(`${portal}/organizations/${organization.id}/audit?action=organization.changed`);
    const times = page.getByText(/^\d+ times$/).first();
    await times.waitFor();
    await tabTo(page, (await times.textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page
      .getByText(/Language: /)
      .first()
      .waitFor();
  });
}

/** The label of the focused element. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return label.replace(/\\*/g, '').trim();
})()`;

/** Moves the focus until it is on the element of this label. @throws when the keys do not reach it */
async function tabTo(page: Page, label: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MAX_PRESSES) {
    await page.keyboard.press(key);
    const focused: string = await page.evaluate(FOCUSED);
    if (focused === label) return;
    passed.push(focused);
  }
  throw new Error(`The key ${key} does not reach ${label}, only: ${[...new Set(passed)].join(', ')}`);
}
