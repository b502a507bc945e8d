import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import { employeeToken } from '@heliograph/dev/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { acceptInvitation } from './invitation.ts';

/** The device reports an end to the cloud within half a minute, in milliseconds; a loaded machine takes longer. */
const REPORT_PATIENCE_MS = 120_000;

const HEDY = { email: 'hedy.support@example.org', first_name: 'Hedy', last_name: 'Lamarr' } as const;

/** Until a minute before the token of a session expires, and some seconds, in milliseconds. */
const RENEWAL_MS = (14 * 60 + 10) * 1000;

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
    expect(await faultsInBothLooks(page)).toEqual([]);
    await current.getByLabel('Access', { exact: true }).selectOption({ label: 'Look only' });
    await current.getByLabel('Duration').selectOption({ label: '4 hours' });
    await current.getByRole('button', { name: 'Approve' }).click();
    await current.getByText('Has access', { exact: true }).waitFor();

    // The owner who consented is no support.
    const joining = createCloudClient({ url: portal, token: account.api_token });
    await expect(joining.authorizeSite({ id: site.id, roles: 'recovery' })).rejects.toThrow(/consented/);
    const support = createCloudClient({ url: portal, token: await employeeToken(system.run) });
    const { host, token, site_key: key } = await support.authorizeSite({ id: site.id, roles: 'recovery' });
    const headers = { authorization: `Bearer ${token}`, 'site-id': String(site.id), 'site-key': key };
    expect((await fetch(`http://${host}/api/v1/metrics?topic=total/*`, { headers })).status).toBe(200);

    await using home = await fixture().visit({ as: 'device' });
    await home.page.goto(`${device}/`);
    const banner = home.page.getByRole('alert').filter({ hasText: 'Support has access to this device' });
    await banner.getByText('Look only').waitFor();
    expect(await faultsInBothLooks(home.page)).toEqual([]);
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

  it('support asks for access from a ticket, keeps it and its input longer than a token lasts, and sees its end', async () => {
    const { portal, device, system } = fixture();
    const { site, account, cloud } = system.run;
    const client = createCloudClient({ url: portal, token: account.api_token });
    await using owner = await fixture().visit({ as: 'demo' });
    await using support = await fixture().visit({ expectedErrors: [/401|403/, /WebSocket/] });
    const { id: userId } = await client.inviteSiteMember({ id: site.id, ...HEDY, role: 'member' });
    await acceptInvitation(fixture(), support, HEDY.email);
    await client.removeSiteMember({ id: site.id, user_id: userId });
    const setStaff = (staff: boolean) =>
      withConnection(cloud.database_url, (database) =>
        database.query('update users set staff = $1 where id = $2', [staff, userId]),
      );
    await setStaff(true);
    const { id: ticketId } = await client.createTicket({
      subject: 'No power at noon',
      body: 'The roof is in the sun.',
      site_id: site.id,
    });
    const number = `About request ${ticketId}`;
    const { page } = support;

    await page.goto(`${portal}/operator/tickets/${ticketId}`);
    await page.getByRole('link', { name: 'Request access' }).click();
    await page.getByText(number).waitFor();
    await page.getByLabel('Reason').fill('I look at the roof with you.');
    await page.getByLabel('Access', { exact: true }).selectOption({ label: 'Look and repair' });
    await page.getByRole('button', { name: 'Send the request' }).click();
    const requested = page.getByRole('region', { name: 'Access now' });
    await requested.getByText('Waits for an answer').waitFor();
    await requested.getByRole('link', { name: number }).click();
    const conversation = page.getByRole('list', { name: 'Messages' });
    await conversation.getByText('I look at the roof with you.').waitFor();
    await conversation.getByText('Waits for an answer').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);

    await withConnection(cloud.database_url, (database) =>
      database.query(
        `update tokens set authenticated_at = now() where kind = 'session' and revoked_at is null`,
      ),
    );
    await owner.page.goto(`${portal}/user/tickets/${ticketId}`);
    const waiting = owner.page.getByRole('link', { name: 'Waits for an answer' });
    await waiting.waitFor();
    expect(await faultsInBothLooks(owner.page)).toEqual([]);
    await waiting.click();
    const current = owner.page.getByRole('region', { name: 'Access now' });
    await current.getByRole('link', { name: number }).waitFor();
    await current.getByRole('button', { name: 'Approve' }).click();
    await current.getByText('Has access', { exact: true }).waitFor();

    await page.goto(`${portal}/operator`);
    await page.getByRole('link', { name: 'Support access' }).click();
    await page.getByLabel('State').selectOption({ label: 'Ended' });
    const list = page.getByRole('list', { name: 'Support access' });
    await list.getByText('I look at the roof with you.').waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption({ label: 'Has access' });
    await list.getByText('I look at the roof with you.').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await list.getByRole('link', { name: 'demo' }).click();

    await page.clock.install();
    await page.getByRole('button', { name: 'Open the pages of the device' }).click();
    const banner = page.getByRole('alert').filter({ hasText: 'Support has access to this device' });
    await banner.getByText('Hedy Lamarr').waitFor();
    const { host } = new URL(page.url());
    await page.goto(`http://${host}/configuration`);
    // The page counts the time from here on.
    await banner.getByText('Hedy Lamarr').waitFor();
    // The device refuses these to support.
    for (const name of ['Region', 'Changes of one setting in a day, at most'])
      expect(await page.getByLabel(name).isDisabled()).toBe(true);
    const broker = page.getByRole('region', { name: 'MQTT and Home Assistant' });
    expect(await broker.getByRole('switch').isDisabled()).toBe(true);
    expect(await broker.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    const interval = page.getByLabel('Read every');
    expect(await faultsInBothLooks(page)).toEqual([]);
    const before = await interval.inputValue();
    await interval.fill('7');
    await page.clock.fastForward(RENEWAL_MS);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Renew in a new tab' }).click();
    const tab = await opened;
    await tab.getByRole('alert').filter({ hasText: 'Hedy Lamarr' }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await tab.close();
    // As a browser does when its reader comes back to the tab.
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('link', { name: 'Renew in a new tab' }).waitFor({ state: 'detached' });
    expect(await interval.inputValue()).toBe('7 s');
    await interval.fill(before);

    const renewed = page.waitForRequest((request) => new URL(request.url()).pathname === '/callback');
    await page.clock.fastForward(RENEWAL_MS);
    expect(new URL((await renewed).url()).host).toBe(host);
    await banner.getByText('Hedy Lamarr').waitFor();
    const session: { recovery: { session_id: number } | null } = await page.evaluate(
      `fetch('/api/v1/session').then((answer) => answer.json())`,
    );
    const { session_id: sessionId = 0 } = session.recovery ?? {};

    await client.endRecoverySession({ id: site.id, session_id: sessionId });
    await seeAccessEnd(page);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open support access' }).click();
    await page.getByRole('region', { name: 'Past access' }).getByText('Ended by the household').waitFor();

    const letIn = { reason: 'Look at the roof again.', party: 'operator' } as const;
    const { token } = await createCloudClient({ url: portal }).signIn({
      ...{ email: account.email, password: account.password, organization_id: 'none' },
    });
    const inPerson = createCloudClient({ url: portal, token });
    const { id: again } = await inPerson.openRecoverySession({ id: site.id, ...letIn });
    await page.reload();
    await page.getByRole('button', { name: 'Open the pages of the device' }).click();
    await banner.getByText('Hedy Lamarr').waitFor();
    const password = `Basic ${btoa(`admin:${system.run.device.password}`)}`;
    const ended = await fetch(`${device}/api/v1/support/sessions/${again}`, {
      method: 'DELETE',
      headers: { authorization: password },
    });
    expect(ended.status).toBe(204);
    await seeAccessEnd(page);
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open support access' }).click();
    const sessions = page.getByRole('region', { name: 'Past access' });
    const last = sessions.getByRole('listitem').filter({ hasText: letIn.reason });
    await last.getByText('Ended on the device').waitFor({ timeout: REPORT_PATIENCE_MS });
    await setStaff(false);
  }, 180_000);

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
    await page.getByRole('alert').filter({ hasText: 'The device refuses support access' }).waitFor();
    await home.page.getByRole('radio', { name: 'Yes, when the owner allows it' }).check();
  });
}

async function readSupportAccess(client: {
  query(text: string): Promise<{ rows: { support_access: string | null }[] }>;
}): Promise<(string | null)[]> {
  const { rows } = await client.query('select support_access from devices where site_id is not null');
  return rows.map(({ support_access: access }) => access);
}

/**
 * Waits for the page about the end: the portal's when the proxy is the first to know, the device's own when the device is. A
 * page of the device learns of the end by its live stream or, at the latest, when its reader comes back to the tab.
 */
async function seeAccessEnd(page: Page): Promise<void> {
  const ending = page.getByRole('heading', { name: /has ended$/ });
  await expect
    .poll(async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`).catch(() => undefined);
      return ending.isVisible();
    })
    .toBe(true);
}
