import { type CloudClient, createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { authorizationOf, startCallback } from './application.ts';
import { mailedLink } from './mails.ts';

/** A new account, a site's own host, the consent to an application, and links of mails. */
export function describeEntry(fixture: () => Fixture): void {
  const asDemo = async (): Promise<CloudClient> => {
    const { portal, system } = fixture();
    const { email, password } = system.run.account;
    const credentials = { email, password, organization_id: 'none' } as const;
    const { token } = await createCloudClient({ url: portal }).signIn(credentials);
    return createCloudClient({ url: portal, token });
  };

  it('a new account is registered and confirmed by a click on the page of its mail, which asks first, and signed in', async () => {
    await using visit = await fixture().visit({ expectedErrors: [/412/] });
    const { page } = visit;
    await page.goto(fixture().portal);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('First name').fill('Eva');
    await page.getByLabel('Email').fill('eva@example.org');
    await page.getByLabel('Password', { exact: true }).fill('Another-horse-8');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    const link = await mailedLink(fixture().portal, 'eva@example.org', 'confirm');

    // Mail servers open links, and run the scripts of what they lead to.
    await using scanner = await fixture().visit({ as: 'demo' });
    await scanner.page.goto(link);
    const { account, site } = fixture().system.run;
    await scanner.page
      .getByText(`You are signed in as ${account.email}. This link signs you in as eva@example.org instead.`)
      .waitFor();
    expect(await faultsInBothLooks(scanner.page)).toEqual([]);
    await scanner.page.getByRole('link', { name: 'Cancel' }).click();
    await scanner.page.getByRole('link', { name: site.name, exact: true }).waitFor();

    await page.goto(link);
    await page.getByText('This link signs you in as eva@example.org.').waitFor();
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sites');
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
  });

  it("a sign-in from a site's own host leads back to the requested page", async () => {
    const { system } = fixture();
    const { site_host: host } = await (await asDemo()).authorizeSite({ id: system.run.site.id });
    await using visit = await fixture().visit();
    const { page } = visit;
    await page.goto(`http://${host}/history`);
    await page.getByRole('heading', { name: `Sign in to open ${system.run.site.name}` }).waitFor();
    await page.getByLabel('Email').fill(system.run.account.email);
    await page.getByLabel('Password', { exact: true }).fill(system.run.account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.url()).toBe(`http://${host}/history`);
    await page.locator('h1').waitFor();
  });

  it('a user lets an application read a site', async () => {
    const { portal, system, look } = fixture();
    const cloud = await asDemo();
    const { id } = system.run.organization;
    await using callback = await startCallback();
    const application = { name: 'Roof report', redirect_uris: [callback.url], browser_only: true };
    const { client_id: clientId } = await cloud.createApplication({ id, ...application });
    await using visit = await fixture().visit();
    const { page } = visit;
    await page.goto(`${portal}/oauth/authorize?${authorizationOf(clientId, callback.url)}`);
    await page.getByRole('heading', { name: 'Roof report asks for access' }).waitFor();
    await picture(page, `consent-sign-in-${look.name}`);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByLabel('Email').fill(system.run.account.email);
    await page.getByLabel('Password', { exact: true }).fill(system.run.account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as').waitFor();
    await picture(page, `consent-${look.name}`);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('radio', { name: system.run.site.name }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(new URL(page.url()).searchParams.get('code')).not.toBeNull();
    await cloud.deleteApplication({ id, client_id: clientId });
  });

  it('the email address stays between sign-in and forgotten password, and an expired link is refused at once', async () => {
    await using visit = await fixture().visit({ expectedErrors: [/422/] });
    const { page } = visit;
    const email = page.getByLabel('Email');
    await page.goto(`${fixture().portal}/sign_in`);
    await email.fill('forgetful@example.org');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    expect(await email.inputValue()).toBe('forgetful@example.org');
    expect(page.url()).toBe(`${fixture().portal}/password`);
    await email.fill('forgetful@example.com');
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await email.inputValue()).toBe('forgetful@example.com');

    await page.goto(`${fixture().portal}/sign_in#password/reset/of-long-ago`);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  });
}
