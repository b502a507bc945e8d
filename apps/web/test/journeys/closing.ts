import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import { expect, it } from 'vitest';
import type { Fixture, Visit } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { confirm } from './confirm.ts';

/** The end of an organization. */
export function describeClosing(fixture: () => Fixture): void {
  /** Moves the site whose device the page shows. */
  const moveTo = async ({ page }: Visit, organization: string): Promise<void> => {
    const card = page.getByRole('region', { name: 'Organization', exact: true });
    await card.getByLabel('Belongs to').selectOption({ label: organization });
    await card.getByRole('button', { name: 'Move the site' }).click();
    await confirm(page, 'Move the site');
    await card.getByRole('button', { name: 'Move the site' }).waitFor({ state: 'detached' });
  };

  it('a site moves away from an organization, which is closed then', async () => {
    const { portal, system } = fixture();
    const { site, account, organization, cloud: run } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    const { id } = await operator.createOrganization({ name: 'Retiring installers' });
    const { name: home } = await operator.getOrganization({ id: organization.id });
    await using visit = await fixture().visit({ as: 'demo' });
    await withConnection(run.database_url, (client) =>
      client.query(
        `update tokens set authenticated_at = now() where kind = 'session' and revoked_at is null`,
      ),
    );
    const { page } = visit;
    await page.goto(`${portal}/sites/${site.id}/device`);
    await moveTo(visit, 'Retiring installers');
    expect((await operator.getSite({ id: site.id })).organization).toMatchObject({ id });

    await page.goto(`${portal}/organizations/${id}`);
    const card = page.getByRole('region', { name: 'Close the organization' });
    const obstacle = card.getByRole('link', { name: `Site ${site.name}` });
    await obstacle.waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await obstacle.click();
    await moveTo(visit, home);

    await page.goto(`${portal}/organizations/${id}`);
    await card.getByRole('button', { name: 'Close the organization' }).click();
    await page.getByRole('dialog', { name: 'Close Retiring installers?' }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await confirm(page, 'Close the organization');
    await page.waitForURL(`${portal}/organizations`);
    await page.goto(`${portal}/organizations/${id}`);
    await page.getByText('There is no such page').waitFor();
  });
}
