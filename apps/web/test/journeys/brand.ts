import { createCloudClient } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { authorizationOf, startCallback } from './application.ts';
import { confirm } from './confirm.ts';
import { acceptInvitation, PASSWORD } from './invitation.ts';
import { mailedLink, mailTo } from './mails.ts';
import { signIn } from './sign-in.ts';
import { startTlsFront } from './tls-front.ts';

const NAME = 'Sunny Roofs';
const BORIS = { email: 'boris@sunny.example', first_name: 'Boris', last_name: 'Example' } as const;
const CUSTOMER = { email: 'carla@example.org', password: 'Another-horse-9' } as const;
const JOINA = { email: 'joina@example.org', first_name: 'Joina', last_name: 'Example' } as const;
const COLORS = { light: '#9c1f5b', dark: '#ffb3d1' } as const;

/** A company that sells systems, with a host, a logo, colours and legal texts of its own. */
export function describeBrand(fixture: () => Fixture): void {
  it('an operator and an owner set up the brand of a company, and its customers see that brand alone', async () => {
    const { portal, system, look } = fixture();
    const { site, account } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    await using front = await startTlsFront(portal);
    const host = `sunny-roofs.localhost:${front.port}`;
    const brandPortal = `https://${host}`;

    await using operating = await fixture().visit({ as: 'demo' });
    const organizationId = await makeOrganization(operating.page, portal, host);
    await operator.addOrganizationMember({ id: organizationId, ...BORIS, role: 'owner' });

    await using owning = await fixture().visit();
    await acceptInvitation(fixture(), owning, BORIS.email);
    await designBrand(owning.page, portal, `/organizations/${organizationId}`);

    await using buying = await fixture().visit({ acceptsAnyCertificate: true, expectedErrors: [/412/] });
    const { page } = buying;
    await page.goto(brandPortal);
    await page.getByRole('banner').getByText(NAME).waitFor();
    expect(await page.title()).toMatch(/ · Sunny Roofs$/);
    expect(await page.locator('header img').getAttribute('src')).toBe(await iconOf(page));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByText('Sunny Roofs').first().waitFor();
    await page.getByRole('button', { name: 'terms of use' }).click();
    await page.getByRole('dialog').getByText('Sunny Roofs delivers within four weeks.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('First name').fill('Carla');
    await page.getByLabel('Email').fill(CUSTOMER.email);
    await page.getByLabel('Password', { exact: true }).fill(CUSTOMER.password);
    await page.getByRole('checkbox').check();
    for (const [scheme, color] of Object.entries(COLORS)) {
      await page.emulateMedia({ colorScheme: scheme as keyof typeof COLORS });
      await expect.poll(() => buttonColor(page, 'Create the account')).toBe(rgbOf(color));
      expect(await faultsInBothLooks(page)).toEqual([]);
      await picture(page, `brand-register-${scheme}-${look.name}`);
    }
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();

    const link = await mailedLink(portal, CUSTOMER.email, 'confirm');
    expect(new URL(link).host).toBe(host);
    const { html } = await mailTo(portal, CUSTOMER.email);
    expect(html).toContain(`alt="${NAME}"`);
    expect(html).toContain(`background-color:${COLORS.light}`);
    expect(html).not.toContain('Heliograph');
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.waitForURL(`${brandPortal}/sites`);
    await page.getByRole('heading', { name: 'Add your first device' }).waitFor();
    await picture(page, `brand-first-view-${look.name}`);
    expect(await page.locator('body').innerText()).not.toContain('Heliograph');

    const member = {
      email: CUSTOMER.email,
      first_name: 'Carla',
      last_name: 'Example',
      role: 'member',
    } as const;
    const { id } = await operator.inviteSiteMember({ id: site.id, ...member });
    await using callback = await startCallback();
    const application = { name: 'Roof report', redirect_uris: [callback.url], browser_only: true };
    const { client_id: clientId } = await operator.createApplication({ id: organizationId, ...application });
    await page.goto(`${portal}/oauth/authorize?${authorizationOf(clientId, callback.url)}`);
    await page.getByRole('heading', { name: 'Roof report asks for access' }).waitFor();
    await page.getByRole('banner').getByText(NAME).waitFor();
    expect(await buttonColor(page, 'Sign in')).toBe(rgbOf(COLORS.dark));
    await picture(page, `brand-consent-${look.name}`);

    const { id: joinaId } = await operator.inviteSiteMember({ id: site.id, ...JOINA, role: 'member' });
    await using joining = await fixture().visit({ acceptsAnyCertificate: true });
    await acceptInvitation(fixture(), joining, JOINA.email);
    await joinAndLeave(joining.page, brandPortal, look.name);
    await operator.removeSiteMember({ id: site.id, user_id: joinaId });

    await operator.deleteApplication({ id: organizationId, client_id: clientId });
    await operator.removeSiteMember({ id: site.id, user_id: id });
  }, 180_000);
}

/** As an operator, whose word confirms the host. @returns its id */
async function makeOrganization(page: Page, portal: string, host: string): Promise<number> {
  await page.goto(`${portal}/operator/organizations`);
  await page.getByRole('button', { name: 'Make an organization' }).click();
  await page.getByLabel('Name', { exact: false }).first().fill(NAME);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: NAME }).waitFor();
  await page.getByRole('link', { name: 'Branding' }).click();
  await page.getByLabel('Host', { exact: true }).fill(host);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved').first().waitFor();
  return Number(/\/organizations\/(\d+)/.exec(page.url())?.[1]);
}

/** As its owner. */
async function designBrand(page: Page, portal: string, path: string): Promise<void> {
  const logo = await (await fetch(`${portal}/icons/app-192.png`)).bytes();
  await page.goto(`${portal}${path}`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(logo) });
  await page.getByRole('img', { name: `Logo of ${NAME} on a light page` }).waitFor();
  await page.getByLabel('Primary colour', { exact: true }).fill(COLORS.light);
  await page.getByLabel('Primary colour on dark pages', { exact: true }).fill(COLORS.dark);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByText('Saved').last().waitFor();
  await page.getByRole('link', { name: 'Legal texts' }).click();
  const terms = page.getByRole('region', { name: 'Terms' });
  await terms.getByRole('textbox').fill('# Our terms\n\nSunny Roofs delivers within four weeks.');
  await terms.getByRole('button', { name: 'Save' }).click();
  await terms.getByText('Saved').waitFor();
}

/** As a person whose account is another organization's, at the host of a further one. */
async function joinAndLeave(page: Page, brandPortal: string, look: string): Promise<void> {
  await page.goto(`${brandPortal}/sign_in`);
  await signIn(page, { email: JOINA.email, password: PASSWORD });
  const card = page.getByRole('region', { name: `Become a customer of ${NAME}?` });
  await card.getByText(`you share your name, email address and phone number with ${NAME}`).waitFor();
  expect(await faultsInBothLooks(page)).toEqual([]);
  await picture(page, `join-${look}`);
  await card.getByRole('button', { name: 'Become a customer' }).click();
  await card.waitFor({ state: 'detached' });

  await page.goto(`${brandPortal}/user`);
  const joined = page.getByRole('list', { name: 'Customer of' });
  await joined.getByText(NAME).waitFor();
  expect(await faultsInBothLooks(page)).toEqual([]);
  await picture(page, `joined-${look}`);
  await joined.getByRole('button', { name: `Leave: ${NAME}` }).click();
  await page.getByRole('dialog', { name: `Leave ${NAME}?` }).waitFor();
  await confirm(page, 'Leave');
  await joined.waitFor({ state: 'detached' });
  await page.goto(`${brandPortal}/sites`);
  await card.waitFor();
}

const iconOf = (page: Page): Promise<string> =>
  page.evaluate(`new URL(document.querySelector('link[rel=icon]').href).pathname`);

const buttonColor = (page: Page, name: string): Promise<string> =>
  page.getByRole('button', { name, exact: true }).evaluate((one) => getComputedStyle(one).backgroundColor);

/** As `getComputedStyle` has it. @param color `#rrggbb` */
function rgbOf(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}
