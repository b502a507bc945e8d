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
    await page.getByText('Enter the name.').first().waitFor();
    await firstName.and(page.locator(':focus')).waitFor();
    await firstName.fill('Bo');
    await page.getByLabel('Last name').fill('Example');
    await page.keyboard.press('Enter');
    await page.getByText('Bo Example has access now.').waitFor();
    await page.getByText('Not accepted yet').waitFor();
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

  it('a person accepts a site in the list, and gives another back that was handed over', async () => {
    const { account } = fixture().system.run;
    const owner = createCloudClient({ url: fixture().portal, token: account.api_token });
    const { site } = fixture().system.run;
    const invitation = { email: 'flora@example.org', first_name: 'Flora', last_name: 'Example' };
    const { id } = await owner.inviteSiteMember({ id: site.id, ...invitation, role: 'member' });
    await using guest = await fixture().visit();
    await acceptInvitation(fixture(), guest, invitation.email);
    // Added again, the role waits for an acceptance.
    await owner.removeSiteMember({ id: site.id, user_id: id });
    await owner.inviteSiteMember({ id: site.id, ...invitation, role: 'member' });
    const { page } = guest;
    await page.goto(`${fixture().portal}/sites?layout=cards`);
    await page.getByText('You were added to demo').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('You were added to demo').waitFor({ state: 'detached' });

    await owner.updateSiteMember({ id: site.id, user_id: id, role: 'owner' });
    await page.goto(`${fixture().portal}/user/invitations`);
    await page.getByText('demo was handed over to you').waitFor();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText('demo was handed over to you').waitFor({ state: 'detached' });
    expect((await owner.getSite({ id: site.id })).owner.id).not.toBe(id);
    await owner.removeSiteMember({ id: site.id, user_id: id });
  });

  it('an owner takes a site back that the new owner has not accepted', async () => {
    const { site, account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    const heir = { email: 'gero@example.org', first_name: 'Gero', last_name: 'Example' };
    await cloud.inviteSiteMember({ id: site.id, ...heir, role: 'owner' });
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/${site.id}/people`);
    await page.getByText('Until Gero Example accepts, you can take it back.').waitFor();
    await page.getByText(/^There is no account for gero@example.org yet/).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByText('gero@example.org', { exact: true }).waitFor({ state: 'detached' });
    expect((await cloud.getSite({ id: site.id })).users).toHaveLength(1);
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
