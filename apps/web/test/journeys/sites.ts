import { type CloudClient, createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { acceptInvitation } from './invitation.ts';

/** A critical alert of a site without a device. */
const RAISE_ALERT = `
  insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, times, text)
  values ($1, 'fault', 'complaint', 3, '', now(), now(), now(), 1, '')`;

/** Finding a site, looking through its parts, and bringing a device into an account. */
export function describeSites(fixture: () => Fixture): void {
  const sitePath = (): string => `/sites/${fixture().system.run.site.id}`;

  it('a user finds a site among others, with its status and power', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites`);
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('link', { name: 'demo', exact: true }) });
    await card.getByText('Online').waitFor();
    await card
      .getByText(/^[\d.]+ k?W$/)
      .first()
      .waitFor();

    await page.getByRole('searchbox', { name: 'Search sites' }).fill('no-such-roof');
    await page.getByText('No site matches.').waitFor();
    expect(new URL(page.url()).search).toBe('?q=no-such-roof');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await card.waitFor();
    await page.getByText('Offline (0)').click();
    await page.getByText('No site matches.').waitFor();
    expect(new URL(page.url()).search).toBe('?show=offline');
  });

  it.each([
    ['the list', '/sites'],
    ['the overview', undefined],
  ])(
    '%s shows the name and description of a site before the scripts of the pages are there',
    async (_name, path) => {
      await using visit = await fixture().visit({ as: 'demo' });
      const { page } = visit;
      const release = Promise.withResolvers<void>();
      await page.route(/\/assets\/base-[^/]+\.js$/, async (route) => {
        await release.promise;
        await route.continue();
      });
      await page.goto(`${fixture().portal}${path ?? sitePath()}`, { waitUntil: 'commit' });
      const shell = page.locator('#root[aria-busy]');
      await shell.getByText('demo', { exact: true }).waitFor();
      await shell.getByText('The simulated plant of npm start').waitFor();
      release.resolve();
      await page.locator('#root:not([aria-busy])').getByText('The simulated plant of npm start').waitFor();
    },
  );

  it('the list leaves the heading and the card of a site where they were before its scripts', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const release = Promise.withResolvers<void>();
    await page.route(/\/assets\/base-[^/]+\.js$/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(`${fixture().portal}/sites?view=cards`, { waitUntil: 'commit' });
    const cardIn = (root: string) => page.locator(`#root${root} article`).filter({ hasText: 'demo' });
    const headingY = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y;
    const before = await cardIn('[aria-busy]').boundingBox();
    const headingBefore = await headingY();
    release.resolve();
    await cardIn(':not([aria-busy])').waitFor();
    const after = await cardIn(':not([aria-busy])').boundingBox();
    expect([after?.x, after?.width]).toEqual([before?.x, before?.width]);
    expect(await headingY()).toBe(headingBefore);
  });

  it('an installer reads, sorts and saves the table of sites, which the address names', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites`);
    await page.getByText('Online (1)').waitFor();
    await page.getByText('Table', { exact: true }).click();
    const row = page.getByRole('row', { name: /demo/ });
    await row.getByText('Online', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect.poll(() => new URL(page.url()).search).toBe('?view=table&sort=name&direction=descending');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save all as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('heliograph-sites.csv');
    await page.reload();
    await row.waitFor();
  });

  it('an installer selects sites in the table, gives all of them a tag, and invites a person to them', async () => {
    const { site, account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    const others = await addSites(cloud, 'bulk', 2);
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites?view=table`);
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected sites' });
    await bar.getByText('Selected: 3').waitFor();
    await bar.getByLabel('Tag', { exact: true }).fill('summer check');
    await page.keyboard.press('Enter');
    await bar.getByText('Done: 3, refused: 0').waitFor();
    await page
      .getByRole('row', { name: /bulk-1/ })
      .getByText('Done')
      .waitFor();
    await page
      .getByRole('row', { name: /bulk-1/ })
      .getByText('summer check')
      .waitFor();

    await page.getByRole('checkbox', { name: 'Select demo' }).uncheck();
    await bar.getByLabel('Action').selectOption('Invite a person');
    await bar.getByLabel('Email').fill('ines@example.org');
    await bar.getByRole('button', { name: 'Apply' }).click();
    await bar.getByText('Enter the name.').first().waitFor();
    await bar.getByLabel('First name').fill('Ines');
    await bar.getByLabel('Last name').fill('Example');
    await bar.getByRole('button', { name: 'Apply' }).click();
    await bar.getByText('Done: 2, refused: 0').waitFor();
    for (const id of others)
      expect((await cloud.getSite({ id })).users.map(({ email }) => email)).toContain('ines@example.org');

    await cloud.setSiteTags({ id: site.id, tags: [] });
    for (const id of others) await cloud.releaseSite({ id });
  });

  it('an installer saves a view of the table, renames and deletes it, and the browser remembers the table', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites`);
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search sites' }).fill('demo');
    await page.getByRole('columnheader', { name: 'Last seen' }).getByRole('button').click();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=demo&view=table&sort=last_seen');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Visits');
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await views.getByRole('link', { name: 'Visits' }).waitFor();

    await page.goto(`${fixture().portal}/sites`);
    await views.getByRole('link', { name: 'Visits' }).click();
    expect(new URL(page.url()).search).toBe('?q=demo&view=table&sort=last_seen');
    await page.getByRole('button', { name: 'Rename this view' }).click();
    await page.getByLabel('Name of the view').fill('Visits in June');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await views.getByRole('link', { name: 'Visits in June' }).waitFor();
    await page.getByRole('button', { name: 'Delete this view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this view' }).click();
    await views.waitFor({ state: 'detached' });

    await page.getByText('Cards', { exact: true }).click();
    await page.getByRole('article').waitFor();
    await page.goto(`${fixture().portal}/sites`);
    await page.getByRole('article').waitFor();
  });

  it('an installer finds a site on the map, keeps its mark open while the data refresh, opens it from there, and reads the same in a list', async () => {
    const { portal, system, look } = fixture();
    const { site, account } = system.run;
    const cloud = createCloudClient({ url: portal, token: account.api_token });
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/404|503/, /WebSocket/] });
    const { page } = visit;
    await page.clock.install();
    await page.goto(`${portal}/sites?view=map`);
    await page.getByText('No site has a location yet').waitFor();
    const [otherId = 0] = await addSites(cloud, 'map', 1);
    const place = { peak_power_kwp: null, latitude: 48.1374 };
    await cloud.setSiteInstallation({ id: site.id, ...place, longitude: 11.5755 });
    await cloud.setSiteInstallation({ id: otherId, ...place, longitude: 11.6 });
    try {
      await page.reload();
      await page.getByText('On the map: 2 of 2').waitFor();
      const listed = page.getByRole('list', { name: 'Sites on the map' }).getByRole('listitem');
      await listed.filter({ hasText: 'Online' }).getByRole('link', { name: 'demo', exact: true }).waitFor();
      const map = page.getByRole('region', { name: 'Map' });
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.getByRole('button', { name: 'Zoom out' }).click();
      const marks = map.locator('path');
      await expect.poll(() => marks.count()).toBe(2);
      // The worst is on top.
      const mark = marks.last();
      await mark.click();
      const link = map.getByRole('link', { name: 'map-1', exact: true });
      await map.getByText('Never seen online', { exact: true }).waitFor();
      await link.focus();
      const fill = () => mark.evaluate((one) => getComputedStyle(one).fill);
      const before = await fill();
      await withConnection(system.run.cloud.database_url, (client) => client.query(RAISE_ALERT, [otherId]));
      // The page requests the sites every minute.
      await page.clock.fastForward('01:00');
      await map.getByText('Never seen online · Critical', { exact: true }).waitFor();
      await expect.poll(fill).not.toBe(before);
      expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await faultsInBothLooks(page)).toEqual([]);
      await picture(page, `map-popup-${look.name}`);
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'map-1' }).waitFor();
    } finally {
      await cloud.setSiteInstallation({ id: site.id, peak_power_kwp: null, latitude: null, longitude: null });
      await cloud.releaseSite({ id: otherId });
    }
  });

  it('a member of one site sees it at once, and the list by the link above it', async () => {
    const { site, account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    const invitation = { email: 'una@example.org', first_name: 'Una', last_name: 'Example' };
    const { id } = await cloud.inviteSiteMember({ id: site.id, ...invitation, role: 'member' });
    await using member = await fixture().visit({ expectedErrors: [/401/] });
    const { page } = member;
    await acceptInvitation(fixture(), member, invitation.email);
    await page.goto(`${fixture().portal}/user`);
    await page.getByRole('link', { name: 'Sites', exact: true }).click();
    await page.waitForURL(`**${sitePath()}`);
    await page.goBack();
    await page.waitForURL('**/user');
    await page.goForward();
    await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').click();
    await page.getByRole('article').getByRole('link', { name: 'demo', exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search sites' }).fill('no-such-roof');
    await page.getByText('No site matches.').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('article').waitFor();
    await cloud.removeSiteMember({ id: site.id, user_id: id });
  });

  it('the tabs of a site use one connection and keep their input', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const sockets: { isClosed: boolean }[] = [];
    page.on('websocket', (socket) => {
      const seen = { isClosed: false };
      sockets.push(seen);
      socket.on('close', () => {
        seen.isClosed = true;
      });
    });
    await page.goto(`${fixture().portal}/sites`);
    await page.getByRole('link', { name: 'demo', exact: true }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await part(page, 'People');
    await page.getByLabel('Email').fill('half-typed@');
    await part(page, 'Settings');
    await page.getByText('Battery reserve').waitFor();
    await part(page, 'Metrics');
    await page.getByText('PV power').first().waitFor();
    await part(page, 'People');
    expect(await page.getByLabel('Email').inputValue()).toBe('half-typed@');
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe(`${sitePath()}/metrics`);
    expect(sockets).toEqual([{ isClosed: false }]);
    await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').click();
    await expect.poll(() => sockets).toEqual([{ isClosed: true }]);
  });

  it("a user follows a device's link, registers the device, and returns to it", async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/401/] });
    const { page } = visit;
    const { uid } = fixture().system.run.device;
    const callback = encodeURIComponent(`${fixture().device}/callback`);
    await page.goto(`${fixture().portal}/sites#register?uid=${uid}&callback=${callback}`);
    await expect.poll(() => page.getByLabel('Device identifier').inputValue()).toBe(uid);
    expect(new URL(page.url()).hash).toBe('');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().startsWith(`${fixture().device}/callback`)),
      page.getByRole('button', { name: 'Add' }).click(),
    ]);
    expect(new URL(request.url()).searchParams.get('token')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await page.waitForURL((url) => url.origin === fixture().device);
  });

  it('a link asks before it takes a token to an unknown host', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const requestedHosts: string[] = [];
    page.on('request', (request) => requestedHosts.push(new URL(request.url()).hostname));
    const link = new URLSearchParams({
      uid: fixture().system.run.device.uid,
      callback: 'https://stranger.example/callback',
    });
    await page.goto(`${fixture().portal}/sites#register?${link}`);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Continue to stranger.example?' }).waitFor();
    await page.getByRole('link', { name: 'To the site' }).click();
    await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
    expect(requestedHosts).not.toContain('stranger.example');
  });

  it('an unknown device and an invalid name are marked at their fields', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/404/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/add`);
    const uid = page.getByLabel('Device identifier');
    const name = page.getByLabel('Name of the site');
    await uid.fill('aaaaaaaaaaaaaaaaaaaa');
    await name.fill('my roof');
    await page.getByText('Use letters, digits and hyphens only').waitFor();
    await page.keyboard.press('Enter');
    await name.and(page.locator(':focus')).waitFor();
    await name.fill('my-roof');
    await page.keyboard.press('Enter');
    await page.getByText('There is no such device').waitFor();
    await uid.and(page.locator(':focus')).waitFor();
  });

  it('a site is renamed after a dialog that lists the consequences', async () => {
    const { site, account } = fixture().system.run;
    const { id } = site;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    try {
      await page.goto(`${fixture().portal}${sitePath()}/device`);
      await page.getByLabel('Name', { exact: true }).fill('meadow');
      await page.getByRole('button', { name: 'Rename' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename demo to meadow?' });
      await dialog.getByText(/demo\.\S+ to \S+meadow\./).waitFor();
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { level: 1, name: 'meadow' }).waitFor();
      expect((await cloud.getSite({ id })).name).toBe('meadow');
    } finally {
      await cloud.renameSite({ id, name: 'demo' });
    }
  });

  it('an owner chooses which releases the device takes', async () => {
    const { site, account } = fixture().system.run;
    const { id } = site;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    try {
      await page.goto(`${fixture().portal}${sitePath()}/device`);
      const save = page
        .locator('form')
        .filter({ hasText: 'Install updates automatically' })
        .getByRole('button');
      expect(await save.isDisabled()).toBe(true);
      await page.getByLabel('Releases').selectOption('Beta releases');
      await page.getByLabel('Install updates automatically').check();
      await save.click();
      await expect
        .poll(async () => (await cloud.getSite({ id })).updates)
        .toEqual({
          channel: 'beta',
          automatic: true,
        });
      await page.reload();
      expect(await page.getByLabel('Releases').inputValue()).toBe('beta');
    } finally {
      await cloud.setSiteUpdates({ id, channel: 'stable', automatic: false });
    }
  });

  it('an unknown site has no page', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/404/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/999999/people`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('an unknown tab of a site has one heading', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}${sitePath()}/roof`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['demo']);
  });

  it('the field of the activation code is ready again after a wrong one', async () => {
    const uid = 'journey-shed-7';
    const { account } = fixture().system.run;
    const cloud = createCloudClient({ url: fixture().portal, token: account.api_token });
    await cloud.provisionDevice({ uid, activate: false });
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/add`);
    await page.getByLabel('Device identifier').fill(uid);
    await page.keyboard.press('Enter');
    const code = page.getByLabel('Activation code');
    for (const typed of ['wrong-one', 'wrong-too']) {
      await code.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(typed);
      expect(await code.inputValue()).toBe(typed);
      await page.getByRole('button', { name: 'Activate', exact: false }).click();
      await code.and(page.locator('[aria-invalid=true]')).waitFor();
    }
  });
}

/** Sites of the demo account without a device that ever called. @returns their ids */
async function addSites(cloud: CloudClient, name: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const uid = `${name}-journey-${nth}`;
    await cloud.provisionDevice({ uid, activate: true });
    ids.push((await cloud.registerSite({ uid, name: `${name}-${nth}` })).id);
  }
  return ids;
}

async function part(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'demo' }).getByRole('link', { name }).click();
}
