import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import { appCode } from '@heliograph/dev/testing';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { acceptInvitation, PASSWORD } from './invitation.ts';
import { signIn } from './sign-in.ts';

const OTTO = { email: 'otto@example.org', first_name: 'Otto', last_name: 'Example' } as const;
const NORA = { email: 'nora@example.org', first_name: 'Nora', last_name: 'Example' } as const;

/** The employees of an organization. */
export function describeTeam(fixture: () => Fixture): void {
  it('an invited user joins a team, and sets up the second factor that it requires', async () => {
    const { portal, system } = fixture();
    const { site, account, cloud: run } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    await using owner = await fixture().visit();
    await using guest = await fixture().visit({ expectedErrors: [/401|412/, /WebSocket/] });
    const team = await operator.createOrganization({ name: 'Careful installers' });
    await operator.addOrganizationMember({ id: team.id, ...OTTO, role: 'owner' });
    await acceptInvitation(fixture(), owner, OTTO.email);
    const { id } = await operator.inviteSiteMember({ id: site.id, ...NORA, role: 'member' });
    await acceptInvitation(fixture(), guest, NORA.email);

    await owner.page.goto(`${portal}/organizations/${team.id}/members`);
    await owner.page.getByRole('button', { name: 'Invite a person' }).click();
    await owner.page.getByLabel('Email').fill(NORA.email);
    await owner.page.keyboard.press('Enter');
    await owner.page.getByText('Invited', { exact: true }).waitFor();
    expect(await faultsInBothLooks(owner.page)).toEqual([]);
    await withConnection(run.database_url, (client) =>
      client.query('update organizations set requires_second_factor = true where id = $1', [team.id]),
    );

    const { page } = guest;
    await page.goto(`${portal}/user/invitations`);
    await page.getByRole('heading', { name: 'Careful installers invites you to its team' }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).click();

    // From now on the password alone is not enough: signing in leads on to where the team's sites are.
    await page.getByLabel('Password', { exact: true }).waitFor();
    await signIn(page, { email: NORA.email, password: PASSWORD });
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const secret = (await page.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '';
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(await appCode({ secret }));
    await page.keyboard.press('Enter');
    // The focus on the heading makes screen readers announce the codes, which are shown once.
    await page
      .getByRole('heading', { level: 1, name: 'Recovery codes' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Careful installers' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/organizations/${team.id}/sites`);

    await operator.removeSiteMember({ id: site.id, user_id: id });
  });
}
