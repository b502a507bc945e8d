import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev-env/postgres';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { accessibilityFaults } from '../look/accessibility.ts';

/** The device reports an end to the cloud within half a minute, in milliseconds; a loaded machine takes longer. */
const REPORT_PATIENCE_MS = 120_000;

/** Support that an owner lets in. */
export function describeRecovery(fixture: () => Fixture): void {
  it('an owner narrows a request of support, ends the access on the device, and reads what was done', async () => {
    const { portal, device, system } = fixture();
    const { site, account, organization, cloud } = system.run;
    await withConnection(cloud.database_url, (client) =>
      client.query(
        `insert into recovery_sessions (site_id, organization_id, access, reason, hours, requested_at, request_expires_at)
         values ($1, $2, 'settings', 'The battery does not charge.', 48, now(), now() + interval '72 hours')`,
        [site.id, organization.id],
      ),
    );
    await withConnection(cloud.database_url, (client) =>
      client.query(
        `update tokens set authenticated_at = now() where kind = 'session' and revoked_at is null`,
      ),
    );
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${portal}/sites/${site.id}/support`);
    const current = page.getByRole('region', { name: 'Access now' });
    await current.getByText('Waits for an answer').waitFor();
    await current.getByText('The battery does not charge.').waitFor();
    expect(await current.getByLabel('Access', { exact: true }).inputValue()).toBe('repair');
    expect(await accessibilityFaults(page)).toEqual([]);
    await current.getByLabel('Access', { exact: true }).selectOption({ label: 'Look only' });
    await current.getByLabel('Duration').selectOption({ label: '4 hours' });
    await current.getByRole('button', { name: 'Approve' }).click();
    await current.getByText('Has access').waitFor();

    const support = createCloudClient({ url: portal, token: account.api_token });
    const { host, token, site_key: key } = await support.authorizeSite({ id: site.id, roles: 'recovery' });
    const headers = { authorization: `Bearer ${token}`, 'site-id': String(site.id), 'site-key': key };
    expect((await fetch(`http://${host}/api/v1/metrics?topic=total/*`, { headers })).status).toBe(200);

    await using home = await fixture().visit({ as: 'device' });
    await home.page.goto(`${device}/`);
    const banner = home.page.getByRole('alert').filter({ hasText: 'Support has access to this device' });
    await banner.getByText('Look only').waitFor();
    expect(await accessibilityFaults(home.page)).toEqual([]);
    await banner.getByRole('button', { name: 'End support access' }).click();
    await banner.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await fetch(`http://${host}/api/v1/metrics?topic=total/*`, { headers })).status)
      .toBe(401);

    const history = page.getByRole('region', { name: 'Past access' });
    await history.getByText('Ended on the device').waitFor({ timeout: REPORT_PATIENCE_MS });
    await history.getByRole('button', { name: 'What was done' }).click();
    await history.getByText('Connected for the first time').waitFor();
    await current.getByText('Support has no access').waitFor();
  });

  it('support access that the device never gives is refused on the page of the site', async () => {
    const { portal, device, system } = fixture();
    await using home = await fixture().visit({ as: 'device' });
    await home.page.goto(`${device}/configuration`);
    const never = home.page.getByRole('radio', { name: 'No, never' });
    await never.check();
    await home.page.reload();
    await never.and(home.page.locator(':checked')).waitFor();
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${portal}/sites/${system.run.site.id}/support`);
    await expect
      .poll(() => withConnection(system.run.cloud.database_url, readSupportAccess), {
        timeout: REPORT_PATIENCE_MS,
      })
      .toEqual(['never']);
    await page.getByLabel('Reason').fill('The battery does not charge.');
    await page.getByRole('button', { name: 'Let support in' }).click();
    await page.getByRole('alert').filter({ hasText: 'The device lets nobody in' }).waitFor();
    await home.page.getByRole('radio', { name: 'Yes, when the owner lets them in' }).check();
  });
}

async function readSupportAccess(client: {
  query(text: string): Promise<{ rows: { support_access: string | null }[] }>;
}): Promise<(string | null)[]> {
  const { rows } = await client.query('select support_access from devices where site_id is not null');
  return rows.map(({ support_access: access }) => access);
}
