import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { confirm } from './confirm.ts';

const UID = 'journey-roof-7';

export function describeOperator(fixture: () => Fixture): void {
  it('an operator adds a device before its first call, finds it, revokes it and restores it', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/operator`);
    await page.getByRole('button', { name: 'Add a device' }).click();
    await page.getByLabel('Device uid').fill('-');
    await page.keyboard.press('Enter');
    await page.getByText('begin with a letter or digit').waitFor();
    await page.getByLabel('Device uid').fill(UID);
    await page.getByLabel('Activate it, too').uncheck();
    await page.getByRole('button', { name: 'Add the device' }).click();
    const row = page.getByRole('listitem').filter({ hasText: UID });
    await row.first().waitFor();

    await page.getByRole('searchbox').fill('journey-');
    await page.getByLabel('State').selectOption({ label: 'Has not called yet' });
    await expect.poll(() => new URL(page.url()).search).toBe('?q=journey-&state=provisioned');
    await page.getByRole('button', { name: `Activate ${UID}` }).click();
    await confirm(page, 'Activate');
    await page.getByRole('button', { name: `Activate ${UID}` }).waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption({ label: 'All states' });
    await page.locator(`summary[aria-label="More for ${UID}"]`).click();
    await page.getByRole('button', { name: `Revoke ${UID}` }).click();
    await confirm(page, 'Revoke');
    await page.getByRole('button', { name: `Restore ${UID}` }).click();
    await confirm(page, 'Restore');
    await page.locator(`summary[aria-label="More for ${UID}"]`).waitFor();
    await page.getByRole('searchbox').fill(fixture().system.run.device.uid);
    await page.getByRole('link', { name: 'Site demo' }).waitFor();
    await page.getByRole('link', { name: 'Organization Demo organization' }).waitFor();
  });

  it('an operator makes an activation code, which is shown once, and withdraws it', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/operator/activation`);
    await page.getByRole('button', { name: 'Make a code' }).click();
    await page.getByLabel('For how many devices').fill('3');
    await page.getByRole('button', { name: 'Make the code' }).click();
    const code = page.getByRole('region', { name: 'Activation code', exact: true }).locator('code');
    expect(await code.textContent()).toMatch(/^\w{5}(-\w{5}){3}$/);
    await page.getByText('For 3 more devices').waitFor();
    await page.getByRole('button', { name: /^Withdraw Code/ }).click();
    await confirm(page, 'Withdraw');
    await page.getByText('No codes').waitFor();
  });

  it('an operator sees the proxies, and draining one needs a confirmation', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/operator/proxies`);
    const drain = page.getByRole('button', { name: /^Drain / });
    await drain.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => drain.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByText('Open', { exact: true }).waitFor();
  });

  it('an operator makes an organization and finds it, its people and its events', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/operator/organizations`);
    await page.getByRole('button', { name: 'Make an organization' }).click();
    await page.getByLabel('Name', { exact: false }).first().fill('Demo organization');
    await page.keyboard.press('Enter');
    await page.getByText('has already been taken').waitFor();
    await page.getByLabel('Name', { exact: false }).first().fill('Journey Solar');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Journey Solar' }).waitFor();
    await page.getByText('This organization has no employees yet').waitFor();

    await page.goto(`${fixture().portal}/operator/users?q=demo`);
    await page.getByRole('link', { name: 'Account activity' }).first().click();
    await page.getByLabel('What happened').selectOption({ label: 'Account made' });
    await page.getByRole('list').getByText('Account made').first().waitFor();
    await page.getByLabel('Account', { exact: true }).fill('');
    await page.getByLabel('What happened').selectOption({ label: 'Organization made' });
    await page.getByRole('list').getByText('Journey Solar').first().waitFor();
    await page.getByRole('list').getByText('Account made').waitFor({ state: 'detached' });

    const organization = page.getByLabel('Organization', { exact: true });
    await organization.fill('Journey S');
    const choice = page.locator('datalist option[value^="Journey Solar ("]');
    await choice.waitFor({ state: 'attached' });
    await organization.fill((await choice.getAttribute('value')) ?? '');
    await expect.poll(() => new URL(page.url()).search).toMatch(/organization_id=\d+/);
    await page.reload();
    await expect.poll(() => organization.inputValue()).toMatch(/^Journey Solar \(\d+\)$/);
  });
}
