import { withConnection } from '@heliograph/dev/postgres';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { signIn } from './sign-in.ts';

/** Actions that ask for the password again when the sign-in is old. */
export function describeFreshSignIn(fixture: () => Fixture): void {
  it('the password is asked for before an API token is made, and the form continues with its input', async () => {
    const { portal, system } = fixture();
    const { account, cloud } = system.run;
    await using visit = await fixture().visit({ expectedErrors: [/403|422/] });
    const { page } = visit;
    await page.goto(`${portal}/sign_in?return_to=%2Fuser%2Ftokens`);
    await signIn(page, account);
    await page.getByRole('button', { name: 'Make a token' }).click();
    await withConnection(cloud.database_url, (client) =>
      client.query(`
        update tokens set authenticated_at = authenticated_at - interval '1 hour'
        where id = (select max(id) from tokens where kind = 'session')`),
    );
    await page.getByRole('textbox', { name: 'Name' }).fill('Made with an old session');
    const make = page.getByRole('button', { name: 'Make the token' });
    await make.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const password = dialog.getByLabel('Password', { exact: true });
    await password.and(page.locator(':focus')).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);

    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    // A user who closes it knows why there is no token: no message claims missing rights.
    expect(await page.getByRole('alert').count()).toBe(0);
    await make.and(page.locator(':focus')).waitFor();

    await make.click();
    await password.fill('Wrong-horse-7');
    await page.keyboard.press('Enter');
    await dialog.getByText('This password is wrong.').waitFor();
    await password.fill(account.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'API token', exact: true }).locator('code').waitFor();
    await page.getByText('Made with an old session').first().waitFor();
  });
}
