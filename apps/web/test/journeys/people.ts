import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { acceptInvitation } from './invitation.ts';

/** The members of a site. */
export function describePeople(fixture: () => Fixture): void {
  it('a new member is invited, made an admin, and removed', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/people`);
    await page.getByLabel('Email').fill('bo@example.org');
    await page.getByRole('button', { name: 'Invite' }).click();

    const firstName = page.getByLabel('First name');
    await page.getByText('This address has no account yet').first().waitFor();
    await firstName.and(page.locator(':focus')).waitFor();
    await firstName.fill('Bo');
    await page.getByLabel('Last name').fill('Example');
    await page.keyboard.press('Enter');
    await page.getByText('Bo Example has access now.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('');

    const row = page.getByRole('listitem').filter({ hasText: 'bo@example.org' }).first();
    await row.getByRole('button', { name: 'Make admin: Bo Example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click();
    await row.getByText('Admin', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'Remove: Bo Example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('the dialog explains a handover of the site before it happens', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/people`);
    await page.getByLabel('Email').fill('cleo@example.org');
    await page.getByLabel('First name').fill('Cleo');
    await page.getByLabel('Last name').fill('Example');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Hand over: Cleo Example' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand the site over to Cleo Example' });
    await dialog.getByText('the owner of today becomes an admin').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove: Cleo Example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('cleo@example.org').waitFor({ state: 'detached' });
  });

  it('a removed member who has the site open sees that the access is lost', async () => {
    const { site, account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    const invitation = { email: 'dora@example.org', first_name: 'Dora', last_name: 'Example' };
    const { id } = await cloud.inviteSiteMember({ id: site.id, ...invitation, role: 'admin' });
    await using guest = await fixture().visit({ expectedErrors: [/401|404/, /WebSocket/] });
    const { page } = guest;
    await acceptInvitation(fixture(), guest, invitation.email);
    await page.goto(`${fixture().portal}/sites/${site.id}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await cloud.removeSiteMember({ id: site.id, user_id: id });
    await page.getByRole('heading', { level: 1, name: 'You no longer have access to demo' }).waitFor();
    await page.getByRole('link', { name: 'To your sites' }).click();
    await page.getByRole('heading', { name: 'Add your first device' }).waitFor();
    // Nothing to look for, and one way to begin.
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add a device' }).count()).toBe(1);
  });
}
