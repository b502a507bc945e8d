import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture, Visit } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { confirm } from './confirm.ts';
import { signIn } from './sign-in.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><rect width="80" height="20" fill="teal"/></svg>';

export function describeOrganization(fixture: () => Fixture): void {
  const pathOf = (part = ''): string =>
    `${fixture().portal}/organizations/${fixture().system.run.organization.id}${part}`;
  /** A change through the API, as from another browser. */
  const change = async (colors: { color1?: string | null; color2?: string | null }): Promise<void> => {
    const { account, organization } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    await cloud.updateOrganization({ id: organization.id, ...colors });
  };
  const open = async (visit: Visit, part = ''): Promise<Visit['page']> => {
    await visit.page.goto(pathOf(part));
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit.page;
  };

  it('a colour of too low contrast is marked, and a valid one applies to all pages', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const page = await open(visit);
    const first = page.getByLabel('Primary colour', { exact: true });
    const save = page.getByRole('button', { name: 'Save' }).last();
    await first.fill('#ffd400');
    await page.getByText('Your pages show it a little darker', { exact: false }).first().waitFor();
    await first.fill('#0b6e4f');
    await save.click();
    const primary = (): Promise<string> =>
      page.evaluate("document.documentElement.style.getPropertyValue('--hg-brand')");
    await expect.poll(primary).toContain('#0b6e4f');
    await first.fill('');
    await save.click();
    await expect.poll(primary).not.toContain('#0b6e4f');
  });

  it('a manager chooses the language of invitations, and the page keeps it', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const page = await open(visit);
    const language = page.getByLabel('Language of invitations');
    const choose = async (label: string): Promise<void> => {
      await language.selectOption({ label });
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).first().click();
      expect((await saved).status()).toBe(200);
      await page.reload();
      await language.waitFor();
    };
    expect(await language.inputValue()).toBe('');
    await choose('Français');
    expect(await language.inputValue()).toBe('fr');
    await choose("The inviter's");
    expect(await language.inputValue()).toBe('');
  });

  it('a logo appears on the pages, and is removed', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const page = await open(visit);
    const file = page.locator('input[type=file]');
    await file.setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('no picture'),
    });
    await page.getByText('This file is no SVG or PNG picture').waitFor();
    await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
    const mark = page.locator('header img');
    await mark.waitFor();
    expect(await mark.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Remove' }).click();
    await confirm(page, 'Remove');
    await mark.waitFor({ state: 'detached' });
  });

  it('an invited member reads, changes things as an admin, and is removed', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const page = await open(visit, '/members');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('Email').fill('ida@example.org');
    await page.keyboard.press('Enter');
    await page.getByText("can't be blank").first().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('');
    await page.getByLabel('First name').fill('Ida');
    await page.getByLabel('Last name').fill('Example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Ida Example').waitFor();

    await using guest = await fixture().visit();
    await setPassword(guest, 'ida@example.org');
    await open(guest, '/members');
    await guest.page.getByText('Ida Example').first().waitFor();
    expect(await guest.page.getByRole('button', { name: /invite|role|remove/i }).count()).toBe(0);
    expect(await guest.page.getByRole('link', { name: 'Applications' }).count()).toBe(0);
    await guest.page.goto(pathOf('/applications'));
    await guest.page.getByText('There is no such page').waitFor();

    await page.getByRole('button', { name: 'Change the role of Ida Example' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption({ label: 'Admin' });
    await confirm(page, 'Change the role');
    await guest.page.goto(pathOf('/applications'));
    await guest.page.getByRole('button', { name: 'Make an application' }).waitFor();
    await page.getByRole('button', { name: 'Remove Ida Example' }).click();
    await confirm(page, 'Remove');
    await page.getByText('Ida Example', { exact: true }).waitFor({ state: 'detached' });
  });

  it('an application is made, changed, given another secret, and deleted', async () => {
    await using visit = await fixture().visit({ expectedErrors: [/422/] });
    // Other journeys make sessions old, and an application takes a fresh sign-in.
    await visit.page.goto(`${fixture().portal}/sign_in?return_to=%2Fuser`);
    await signIn(visit.page, fixture().system.run.account);
    await visit.page.waitForURL(/\/user$/);
    const page = await open(visit, '/applications');
    await page.getByRole('button', { name: 'Make an application' }).click();
    await page.getByLabel('Name').fill('Roof planner');
    await page.getByLabel('Redirect URIs').fill('http://planner.example/back');
    await page.getByRole('button', { name: 'Make the application' }).click();
    await page.getByText('must be https').waitFor();
    await page.getByLabel('Redirect URIs').fill('https://planner.example/back\nhttp://localhost:3000/back');
    await page.getByRole('button', { name: 'Make the application' }).click();
    const secret = page.getByRole('region', { name: 'Client secret', exact: true }).locator('code');
    const first = await secret.textContent();
    await page.getByText('http://localhost:3000/back').waitFor();

    await page.getByRole('button', { name: 'New secret for Roof planner' }).click();
    await confirm(page, 'New secret');
    await expect.poll(() => secret.textContent()).not.toBe(first);

    await page.getByRole('button', { name: 'Change Roof planner' }).click();
    await page.getByLabel('Name').fill('Roof designer');
    await page.getByLabel('Redirect URIs').fill('https://planner.example/back');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Roof designer', exact: true }).waitFor();
    expect(await page.getByText('http://localhost:3000/back').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete Roof designer' }).click();
    await confirm(page, 'Delete');
    await page.getByText('No applications yet').waitFor();
  });

  it('a legal text is replaced and published, and the text of the service restored', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const page = await open(visit, '/documents');
    const terms = page.getByRole('region', { name: 'Terms' });
    await terms.getByRole('textbox').fill('# Our terms\n\nThe sun shines for everybody.');
    await terms.getByRole('button', { name: 'Save' }).click();
    await terms.getByText('Saved').waitFor();
    const published = await terms.getByRole('link', { name: 'As published' }).getAttribute('href');
    const html = async (): Promise<string> => await (await fetch(`${fixture().portal}${published}`)).text();
    expect(await html()).toContain('The sun shines for everybody.');
    await terms.getByRole('button', { name: 'Go back to the text of the service' }).click();
    await confirm(page, 'Go back to the text of the service');
    await terms.getByText('This is the text of the service.').waitFor();
    expect(await html()).not.toContain('The sun shines for everybody.');
  });

  it('an admin finds a site of the organization, and the audit log', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    await change({ color1: '#1d4ed8' });
    await change({ color1: null });
    const page = await open(visit, '/sites?q=nothing-like-it');
    await page.getByText('No site is found').waitFor();
    await page.getByRole('searchbox').fill('dem');
    await page.getByRole('link', { name: 'demo', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Organization changed' }).first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'demo', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('dem');
  });

  it('the preview shows a colour as pages adapt it, with a note', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const page = await open(visit);
    await page.getByLabel('Primary colour', { exact: true }).fill('#d2500f');
    await page.getByText('Your pages show it a little darker').waitFor();
    const button = page.getByRole('figure', { name: 'On light pages' }).getByText('A button');
    await expect.poll(() => button.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe('');
    expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).not.toBe(
      'rgb(210, 80, 15)',
    );
  });

  it('a change of one colour leaves another alone that changes meanwhile', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const page = await open(visit);
    await page.getByLabel('Secondary colour', { exact: true }).fill('#0b6e4f');
    await change({ color1: '#1d4ed8' });
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).last().click();
    expect(await (await saved).json()).toMatchObject({ color1: '#1d4ed8', color2: '#0b6e4f' });
    await change({ color1: null, color2: null });
  });

  it('the audit log states the change, the client and the object of each event', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { account, site } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    for (const name of ['meadow', site.name]) await cloud.renameSite({ id: site.id, name });
    await change({ color2: '#0b6e4f' });
    await change({ color2: null });
    const namedSites: string[] = [];
    visit.page.on('request', (request) => {
      const query = new URL(request.url()).searchParams.get('q') ?? '';
      if (query.startsWith('id:')) namedSites.push(query);
    });
    const page = await open(visit, '/audit');
    const renamed = page.getByRole('listitem').filter({ hasText: 'Site renamed' });
    await renamed.first().getByText('Online', { exact: true }).waitFor();
    expect(namedSites).toHaveLength(1);
    const record = page.getByRole('listitem').filter({ hasText: 'Organization changed' }).first();
    await record.getByText('In a browser or an app').waitFor();
    await record.getByText(/^\d+ times$/).click();
    await record.getByText('Secondary colour: #0b6e4f → none').first().waitFor();
    await picture(page, `organization-audit-open-${fixture().look.name}`);
    expect(await faultsInBothLooks(page)).toEqual([]);
    const link = page.getByRole('link', { name: /^Site: / }).first();
    expect(await link.getAttribute('href')).toBe(`/sites/${site.id}`);

    const ofSite = page.getByLabel('Site', { exact: true });
    await ofSite.fill(site.name);
    const choice = page.locator(`datalist option[value="${site.name} (${site.id})"]`);
    await choice.waitFor({ state: 'attached' });
    await ofSite.fill(`${site.name} (${site.id})`);
    const list = page.getByRole('list', { name: 'Audit log' });
    await list.getByText('Organization changed').first().waitFor({ state: 'detached' });
    await list.getByText('Site renamed').first().waitFor();
    const actor = page.getByLabel('Done by', { exact: true });
    await actor.fill('demo');
    const person = page.locator('datalist option[value^="Demo Account ("]').first();
    await person.waitFor({ state: 'attached' });
    await actor.fill((await person.getAttribute('value')) ?? '');
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?actor_id=\d+&site_id=\d+$/);
    await page.reload();
    await expect.poll(() => actor.inputValue()).toMatch(/^Demo Account \(\d+\)$/);
    await page.goto(`${fixture().portal}/operator/audit?action=organization.changed`);
    await page.getByRole('link', { name: 'Organization: Demo organization' }).first().waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/[{}]/);
  });

  /** Follows the link of the invitation as the page of such links does. */
  async function setPassword({ context }: Visit, email: string): Promise<void> {
    const { portal } = fixture();
    await expect
      .poll(async () => {
        const token = await invitationOf(email);
        if (token === undefined) return 'not mailed yet';
        const answer = await context.request.post(`${portal}/portal/password/set`, {
          headers: { origin: portal },
          data: { token, password: 'Right 1 horse', accepted_terms: true },
        });
        return answer.status();
      })
      .toBe(200);
  }

  async function invitationOf(email: string): Promise<string | undefined> {
    const response = await fetch(`${fixture().portal}/mailbox.json`);
    const mails = (await response.json()) as { to: string[] | string; text: string }[];
    const mail = mails.find(({ to }) => to.includes(email));
    return mail?.text.match(/#password\/set\/([^\s?]+)/)?.[1];
  }
}
