import { readFile } from 'node:fs/promises';
import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { confirm } from './confirm.ts';
import { acceptInvitation } from './invitation.ts';

const INES = { email: 'ines.fleet@example.org', first_name: 'Ines', last_name: 'Example' } as const;
const HOMES = 500;

/** Every tenth home was never seen, every second one has a location; the others are away for too long to be news of an alert. */
const ADD_HOMES = `
  with customers as (
    insert into users (email, first_name, last_name, confirmed_at)
    select 'home-' || n || '@fleet.example', 'Customer', n::text, now() from generate_series(1, $2::int) as n returning id, last_name::int as n
  ), homes as (
    insert into sites (name, region, owner_id, organization_id, latitude, longitude)
    select 'home-' || n, (select min(region) from sites), id, $1,
      case when n % 2 = 0 then 47 + n / 100.0 end, case when n % 2 = 0 then 8 + n % 50 / 10.0 end
    from customers returning id, name
  )
  insert into devices (uid, site_id, last_seen_at)
  select 'fleet-' || name, id, case when name not like '%0' then now() - interval '30 days' end from homes`;

/** A critical alert and a warning of one home, and a warning of another. */
const ADD_ALERTS = `
  insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, times, text)
  select id, rule, 'complaint', severity, '', now(), now(), now(), 1, '' from sites
  join (values ('home-70', 'fault', 3), ('home-70', 'hardware_warning', 2), ('home-60', 'hardware_warning', 2))
    as raised (name, rule, severity) using (name)`;

/** An installer who looks after many homes. */
export function describeFleet(fixture: () => Fixture): void {
  it('an installer with 500 homes finds those to visit, saves them as a view and as CSV, gives them a tag without a mouse, and sees them on a map', async () => {
    const { portal, system } = fixture();
    const { site, account, cloud: run } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    await using visit = await fixture().visit({ expectedErrors: [/401|403/] });
    const { page } = visit;
    const firm = await operator.createOrganization({ name: 'Fleet installers' });
    await operator.addOrganizationMember({ id: firm.id, ...INES, role: 'admin' });
    await withConnection(run.database_url, (client) => client.query(ADD_HOMES, [firm.id, HOMES]));
    await acceptInvitation(fixture(), visit, INES.email);
    // A site of others, where she may change nothing, is among those that she selects.
    const { id: inesId } = await operator.inviteSiteMember({ id: site.id, ...INES, role: 'member' });
    try {
      await page.goto(`${portal}/sites`);
      await page.getByText(`All (${HOMES + 1})`).waitFor();
      await page.getByText('Table', { exact: true }).click();
      // Those that need attention come first: demo, which is online, is on the last page.
      await expect.poll(() => page.getByRole('row', { name: /Offline/ }).count()).toBe(50);
      await page.getByText('Never seen online (50)').click();
      await expect.poll(() => page.getByRole('row', { name: /Never seen/ }).count()).toBe(50);
      await page.getByRole('button', { name: 'Save this view' }).click();
      await page.getByLabel('Name of the view').fill('To install');
      await page.keyboard.press('Enter');
      const view = page
        .getByRole('navigation', { name: 'Saved views' })
        .getByRole('link', { name: 'To install' });
      await view.waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save all as CSV' }).click();
      const csv = await readFile(await (await download).path(), 'utf8');
      const [, ...rows] = csv.trim().split('\r\n');
      expect(rows.filter((row) => /\bhome-\d*0\b/.test(row))).toHaveLength(50);
      expect(rows).toHaveLength(50);
      await page.goto(`${portal}/sites`);
      await view.click();
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
        .toEqual({ view: 'table', show: 'never_seen' });

      await page.goto(`${portal}/sites?view=table&sort=name`);
      await page.getByText(`All (${HOMES + 1})`).waitFor();
      await expect
        .poll(() => page.getByRole('rowheader').allTextContents())
        .toEqual(['demo', ...Array.from({ length: 49 }, (_, nth) => `home-${nth + 1}`)]);

      await withConnection(run.database_url, (client) => client.query(ADD_ALERTS));
      await page.goto(`${portal}/sites?view=table&q=home`);
      const homes = page.getByRole('rowheader');
      await homes.first().waitFor();
      expect((await homes.allTextContents()).slice(0, 2)).toEqual(['home-70', 'home-60']);
      await page
        .getByRole('row', { name: /home-70/ })
        .getByRole('link', { name: 'Critical (2)' })
        .waitFor();
      await page.getByText('Alerts: Critical (1)').click();
      await expect.poll(() => homes.allTextContents()).toEqual(['home-70']);
      await page.getByText('Cards', { exact: true }).click();
      await page.getByRole('article').getByText('Alerts: Critical (2)').waitFor();
      await view.waitFor();
      expect(await faultsInBothLooks(page)).toEqual([]);
      await page.goto(`${portal}/sites?view=table&sort=name`);

      const bar = page.getByRole('region', { name: 'Selected sites' });
      await page.getByRole('checkbox', { name: 'Select all of this page' }).focus();
      await page.keyboard.press('Space');
      await bar.getByText('Selected: 50').waitFor();
      await page.getByRole('checkbox', { name: 'Select home-49' }).focus();
      await page.keyboard.press('Space');
      await bar.getByText('Selected: 49').waitFor();
      await bar.getByLabel('Tag', { exact: true }).focus();
      await page.keyboard.type('visit');
      await page.keyboard.press('Enter');
      await bar.getByText('Done: 48, refused: 1').waitFor();
      await page.getByRole('row', { name: /demo/ }).getByText('Your account may not do this.').waitFor();
      await page
        .getByRole('row', { name: /home-48/ })
        .getByText('visit')
        .waitFor();
      expect(await faultsInBothLooks(page)).toEqual([]);

      await bar.getByRole('button', { name: 'Clear the selection' }).click();
      for (const name of ['home-1', 'home-2'])
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
      await bar.getByLabel('Action').selectOption('Move to an organization');
      await bar.getByRole('button', { name: 'Apply' }).click();
      await confirm(page, 'Apply');
      await bar.getByText('Done: 2, refused: 0').waitFor();
      await page.getByText(`All (${HOMES - 1})`).waitFor();

      await page.goto(`${portal}/sites?view=map`);
      const more = page.getByText(/^And \d+ more: zoom in to list them\.$/);
      // One of those with a location belongs to an organization of others by now.
      expect(await more.textContent()).toBe(`And ${HOMES / 2 - 1 - 50} more: zoom in to list them.`);
      expect(await faultsInBothLooks(page)).toEqual([]);
      const worst = page.getByRole('button', {
        name: /^\d+ sites, the worst: Never seen online · Critical$/,
      });
      const size = Number((await worst.textContent()) ?? '');
      await worst.click();
      const listed = page.getByRole('list', { name: 'Sites on the map' }).getByRole('link');
      await expect.poll(() => listed.count()).toBeLessThanOrEqual(Math.max(size, 50));
      await expect.poll(() => listed.first().textContent()).toBe('home-70');

      await page.goto(`${portal}/sites?view=map&q=tag%3Avisit&show=never_seen`);
      await page.getByText('On the map: 4 of 4').waitFor();
      expect(
        await page.getByRole('list', { name: 'Sites on the map' }).getByRole('link').allTextContents(),
      ).toEqual(['home-10', 'home-20', 'home-30', 'home-40']);
      expect(await faultsInBothLooks(page)).toEqual([]);
    } finally {
      await operator.removeSiteMember({ id: site.id, user_id: inesId });
      await withConnection(run.database_url, async (client) => {
        await client.query('delete from devices where uid like $1', ['fleet-%']);
        await client.query(
          `delete from sites where owner_id in (select id from users where email like '%@fleet.example')`,
        );
        await client.query('delete from users where email like $1', ['%@fleet.example']);
      });
    }
  });
}
