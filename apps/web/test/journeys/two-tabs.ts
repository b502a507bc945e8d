import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture, Visit } from '../fixture.ts';
import { acceptInvitation, PASSWORD } from './invitation.ts';
import { signIn } from './sign-in.ts';

const ISLA = { email: 'isla@example.org', first_name: 'Isla', last_name: 'Example' } as const;

/** Two tabs of a browser, of which one signs in to another account. */
export function describeTwoTabs(fixture: () => Fixture): void {
  const operator = () =>
    createCloudClient({ url: fixture().portal, token: fixture().system.run.account.api_token });

  const enter = async ({ context }: Visit, email: string, password: string): Promise<void> => {
    const { portal } = fixture();
    const answer = await context.request.post(`${portal}/portal/sign_in`, {
      headers: { origin: portal },
      data: { email, password },
    });
    expect(answer.status()).toBe(200);
  };

  it('a page of one account changes nothing in another that the browser has signed in to since', async () => {
    const { portal, system } = fixture();
    const { site, account } = system.run;
    await using visit = await fixture().visit({ expectedErrors: [/409/] });
    const { id } = await operator().inviteSiteMember({ id: site.id, ...ISLA, role: 'member' });
    await acceptInvitation(fixture(), visit, ISLA.email);
    await enter(visit, account.email, account.password);
    const { page } = visit;
    await page.goto(`${portal}/user`);
    const firstName = page.getByRole('textbox', { name: 'First name', exact: true });
    const former = await firstName.inputValue();
    await firstName.fill('Written by another tab');

    await enter(visit, ISLA.email, PASSWORD);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(ISLA.email).first().waitFor();
    await expect.poll(() => firstName.inputValue()).toBe(ISLA.first_name);
    await page.reload();
    await expect.poll(() => firstName.inputValue()).toBe(ISLA.first_name);
    expect((await operator().getCurrentUser()).first_name).toBe(former);
    await operator().removeSiteMember({ id: site.id, user_id: id });
  });

  it('a tab shows the account that another tab signs in to, at once and without a click', async () => {
    const { portal, system } = fixture();
    await using visit = await fixture().visit({ expectedErrors: [/401/, /WebSocket/] });
    await enter(visit, system.run.account.email, system.run.account.password);
    const { page: left, context } = visit;
    await left.goto(`${portal}/user`);
    await left.getByText(system.run.account.email).first().waitFor();
    const right = await context.newPage();
    await right.goto(`${portal}/user`);
    await right.getByRole('button', { name: 'Sign out' }).click();
    await right.waitForURL(`${portal}/`);
    await left.getByRole('textbox', { name: 'Email' }).waitFor();
    await right.goto(`${portal}/sign_in?return_to=/user`);
    await signIn(right, { email: ISLA.email, password: PASSWORD });
    await right.getByText(ISLA.email).first().waitFor();
    await left.getByText(ISLA.email).first().waitFor();
  });
}
