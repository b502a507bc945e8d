import { createCloudClient } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture, Visit } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { acceptInvitation, PASSWORD } from './invitation.ts';
import { mailedLink } from './mails.ts';
import { signIn } from './sign-in.ts';

/** A person's change of the email address, from the profile to the link in the mail. */
export function describeEmail(fixture: () => Fixture): void {
  /** Signs a new person in, who has access to the site until the end. */
  const guestOf = async (visit: Visit, email: string): Promise<AsyncDisposable> => {
    const { site, account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    const names = { first_name: 'Iris', last_name: 'Example' };
    const { id: user_id } = await cloud.inviteSiteMember({ id: site.id, email, ...names, role: 'member' });
    await acceptInvitation(fixture(), visit, email);
    return {
      async [Symbol.asyncDispose]() {
        await cloud.removeSiteMember({ id: site.id, user_id });
      },
    };
  };

  const request = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
    await page.getByLabel('New email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Send the link' }).click();
  };

  it('a person changes the email address by the link in a mail, opened in another browser', async () => {
    const { portal, look } = fixture();
    await using visit = await fixture().visit({ expectedErrors: [/422/] });
    await using _guest = await guestOf(visit, 'iris@example.org');
    const { page } = visit;
    await page.goto(`${portal}/user`);
    await page.getByText('You sign in with iris@example.org').waitFor();
    await page.getByRole('button', { name: 'Change the email address' }).click();
    await page.getByLabel('New email address').and(page.locator(':focus')).waitFor();
    await request(page, 'IRIS@example.org');
    await page.getByText('This is your address already.').waitFor();
    await request(page, 'iris');
    await page.getByText('This is not an email address.').waitFor();
    await request(page, 'iris@example.com', 'Wrong-horse-7');
    await page.getByText('This password is wrong.').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await picture(page, `email-form-${look.name}`);
    await request(page, 'iris@example.com');
    await page.getByText('We have sent a link to iris@example.com.').waitFor();
    await page.reload();
    await page.getByText('We have sent a link to iris@example.com.').waitFor();
    await page.getByText('You sign in with iris@example.org').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await picture(page, `email-pending-${look.name}`);

    await using elsewhere = await fixture().visit();
    await elsewhere.page.goto(await mailedLink(portal, 'iris@example.com', 'email'));
    await elsewhere.page.getByText('From now on you will sign in with iris@example.com.').waitFor();
    expect(await faultsInBothLooks(elsewhere.page)).toEqual([]);
    await page.reload();
    await page.getByText('You sign in with iris@example.org').waitFor();
    await elsewhere.page.getByRole('button', { name: 'Confirm the address' }).click();
    await elsewhere.page.getByRole('heading', { name: 'Your email address is changed' }).waitFor();
    expect(await faultsInBothLooks(elsewhere.page)).toEqual([]);
    await picture(elsewhere.page, `email-changed-${look.name}`);
    await elsewhere.page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(elsewhere.page, { email: 'iris@example.com', password: PASSWORD });
    // The only site of a person opens at once.
    await elsewhere.page.waitForURL(/\/sites\/\d+$/);
    // The first browser stays signed in.
    await page.reload();
    await page.getByText('You sign in with iris@example.com').waitFor();
    expect(await page.getByText('We have sent a link').count()).toBe(0);
  });

  it('a cancelled change of the email address ends its link, and a taken address is refused by its link', async () => {
    const { portal, system } = fixture();
    await using visit = await fixture().visit({ expectedErrors: [/422/] });
    await using _guest = await guestOf(visit, 'ivan@example.org');
    const { page } = visit;
    const start = page.getByRole('button', { name: 'Change the email address' });
    await page.goto(`${portal}/user`);
    await start.click();
    await request(page, 'ivan@example.com');
    const link = await mailedLink(portal, 'ivan@example.com', 'email');
    await page.getByRole('button', { name: 'Keep the present address' }).click();
    await page.getByText('We have sent a link').waitFor({ state: 'detached' });
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.getByText('you have asked for another change since').waitFor();

    await page.goto(`${portal}/user`);
    await start.click();
    await request(page, system.run.account.email);
    await page.getByText(`We have sent a link to ${system.run.account.email}.`).waitFor();
    await page.goto(await mailedLink(portal, system.run.account.email, 'email'));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByRole('heading', { name: 'This address is taken' }).waitFor();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByText('You sign in with ivan@example.org').waitFor();
  });
}
