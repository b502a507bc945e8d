import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import type { Locator } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { confirm } from './confirm.ts';

export function describeAccount(fixture: () => Fixture): void {
  const statusOf = async (path: string, token: string): Promise<number> => {
    const response = await fetch(`${fixture().portal}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status;
  };

  it('a user makes an API token, which is shown once, and revokes it', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/tokens`);
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByLabel('Name', { exact: false }).first().fill('My dashboard');
    await page.getByLabel('Read and change settings').check();
    await page.getByLabel('Read only').check();
    expect(await page.getByLabel('Expires').inputValue()).toBe('365');
    await page.getByLabel('Expires').selectOption({ label: 'After 30 days' });
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Make the token' }).click();
    const secret = page.getByRole('region', { name: 'API token', exact: true }).locator('code');
    const token = (await secret.textContent()) ?? '';
    expect(await statusOf('/sites', token)).toBe(200);
    expect(await statusOf('/users', token)).toBe(403);
    const siteId = fixture().system.run.site.id;
    const reader = createCloudClient({ url: fixture().portal, token });
    const device = await reader.device(siteId);
    await expect(device.set('inverter_1/battery_reserve', '20')).rejects.toMatchObject({ status: 403 });

    await page.reload();
    await page.getByText('My dashboard').waitFor();
    expect(await secret.count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke My dashboard' }).click();
    await confirm(page, 'Revoke');
    await page.getByText('My dashboard').waitFor({ state: 'detached' });
    expect(await statusOf('/sites', token)).toBe(401);
  });

  it('an invalid token request marks the invalid field', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/tokens`);
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Without scopes');
    await page.getByLabel('Chosen permissions').check();
    await page.getByLabel('Read all sites that you see').uncheck();
    await page.getByRole('button', { name: 'Make the token' }).click();
    const scopes = page.getByRole('group', { name: 'What the token may do' });
    await scopes.getByText("can't be blank").waitFor();
    // The first box that can mend it has the focus.
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('checkbox');
  });

  it('the first pages of a site ask which alerts are to come, until the question is answered or put off', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const { portal, system } = fixture();
    await withConnection(system.run.cloud.database_url, (client) =>
      client.query('delete from notification_settings'),
    );
    const question = page.getByRole('region', { name: 'Which alerts are to reach you by mail?' });
    await page.goto(`${portal}/sites?view=cards`);
    await question.waitFor();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
    const card = page.getByRole('list', { name: 'Sites' });
    expect(await topOf(question)).toBeGreaterThan(await topOf(card));
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.goto(`${portal}/sites/${system.run.site.id}`);
    await question.getByRole('button', { name: 'Not now' }).click();
    await question.waitFor({ state: 'detached' });
    await page.goto(`${portal}/alerts`);
    await page.getByRole('region', { name: 'Now' }).waitFor();
    expect(await question.count()).toBe(0);
    await withConnection(system.run.cloud.database_url, (client) =>
      client.query('delete from notification_settings'),
    );
  });

  it('a person chooses what to be notified of, and tests the mail', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/alerts`);
    const question = page.getByRole('region', { name: 'Which alerts are to reach you by mail?' });
    await question.getByRole('button', { name: 'Critical ones', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('region', { name: 'Now' }).waitFor();
    expect(await question.count()).toBe(0);

    await page.goto(`${fixture().portal}/user/notifications`);
    const own = page.getByLabel('Alerts of your sites');
    expect(await own.inputValue()).toBe('critical');
    await own.selectOption({ label: 'Critical ones and warnings' });
    await page.getByText('Kinds of alerts: 21 of 21').click();
    await page.getByLabel('A battery is nearly empty').uncheck();
    await page.getByText('Alerts of all sites', { exact: true }).click();
    await page.getByRole('checkbox', { name: /^demo\b/ }).check();
    await page.getByLabel('Also when an alert is over').uncheck({ force: true });
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByLabel('Quiet from').fill('22:00');
    await page.getByLabel('Quiet until').fill('22:01');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).first().isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('Test message', { exact: true }).waitFor();
    await page.getByText(/^Sent /).waitFor();

    await page.reload();
    expect(await own.inputValue()).toBe('warning');
    expect(await page.getByLabel('Quiet from').inputValue()).toBe('22:00');
    expect(await page.getByLabel('Also when an alert is over').isChecked()).toBe(false);
    await page.getByText('Kinds of alerts: 20 of 21').click();
    await page.getByLabel('A battery is nearly empty').check();
    await page.getByText('Alerts of 1 site').click();
    await page.getByRole('checkbox', { name: /^demo\b/ }).uncheck();
    await page.getByText('Alerts of all sites', { exact: true }).waitFor();
    await own.selectOption({ label: 'Critical ones' });
    await page.getByLabel('Quiet from').fill('');
    await page.getByLabel('Quiet until').fill('');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).first().isDisabled()).toBe(true);
  });

  it('a webhook to an address inside a network is refused, with the reason at the field', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/webhooks`);
    const none = page.getByText('No webhooks yet');
    await none.waitFor();
    await page.getByRole('button', { name: 'Make a webhook' }).click();
    await page.getByLabel('Name').fill('Control room');
    expect(await none.count()).toBe(0);
    await page.getByLabel('Address').fill('https://192.168.1.2/hook');
    await page.getByLabel('Events').selectOption({ label: 'Alerts and outages' });
    await page.getByRole('button', { name: 'Make the webhook' }).click();
    await page.getByText('cannot be used: its host is an address', { exact: false }).waitFor();
  });

  it('a person changes their names and phone number, and the page keeps them', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user`);
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const save = page.getByRole('button', { name: 'Save' });
    const former = await field('First name').inputValue();
    expect(await save.isDisabled()).toBe(true);

    const change = async (firstName: string, phone: string): Promise<void> => {
      await field('First name').fill(firstName);
      await field('Phone number').fill(phone);
      const saved = page.waitForResponse((answer) => answer.url().endsWith('/user/profile'));
      await save.click();
      expect((await saved).status()).toBe(200);
      await page.reload();
      await expect.poll(() => field('First name').inputValue()).toBe(firstName);
      expect(await field('Phone number').inputValue()).toBe(phone);
    };
    await change('Augusta', '+44 20 7946 0018');
    await change(former, '');
  });

  it('a user ends a session elsewhere with what it set up, and stays signed in', async () => {
    const { portal, system } = fixture();
    const { email, password } = system.run.account;
    const credentials = { email, password, organization_id: 'none' } as const;
    const { token } = await createCloudClient({ url: portal }).signIn(credentials);
    const elsewhere = createCloudClient({ url: portal, token });
    const session = (await elsewhere.listSessions()).find(({ current }) => current);
    await elsewhere.changeNotificationSettings({ ntfy: { url: 'https://ntfy.example.org/topic' } });
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${portal}/user/security`);
    await page.getByText('This browser', { exact: true }).waitFor();
    await page.getByText('Messages by ntfy').waitFor();
    expect(session?.current).toBe(true);
    // The newest is the first that can be ended.
    await page
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await page.getByLabel('Also end what it set up: Messages by ntfy').check();
    await confirm(page, 'End');
    await expect.poll(() => statusOf('/user', token)).toBe(401);
    await page.getByText('Messages by ntfy').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('This browser', { exact: true }).waitFor();
  });

  it('a user ends all other sessions with what they set up, also where a first attempt ended half of it', async () => {
    const { portal, system } = fixture();
    const { email, password } = system.run.account;
    const credentials = { email, password, organization_id: 'none' } as const;
    const { token } = await createCloudClient({ url: portal }).signIn(credentials);
    const elsewhere = createCloudClient({ url: portal, token });
    await elsewhere.changeNotificationSettings({ ntfy: { url: 'https://ntfy.example.org/topic' } });
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/404|503/] });
    const { page } = visit;
    await page.goto(`${portal}/user/security`);
    await page.getByText('Messages by ntfy').waitFor();
    // The session ends, and the answer is lost before what it made has ended.
    await page.route(/\/user\/sessions\/\d+\?made=end$/, async (route) => {
      await route.fetch({ url: route.request().url().replace('?made=end', '') });
      await route.fulfill({ status: 503, json: { error: 'The service is busy' } });
      await page.unroute(/\/user\/sessions\/\d+\?made=end$/);
    });
    await page.getByRole('button', { name: 'End all others' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Also end what (it|they) set up: Messages by ntfy$/).check();
    await dialog.getByRole('button', { name: 'End all others' }).click();
    await dialog.getByRole('alert').waitFor();
    await expect.poll(() => statusOf('/user', token)).toBe(401);
    await confirm(page, 'End all others');
    await page.getByText('Messages by ntfy').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('This browser', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'End all others' }).count()).toBe(0);
  });

  it('the activity lists failed attempts to sign in with their address', async () => {
    const { portal, system } = fixture();
    const { email } = system.run.account;
    const credentials = { email, password: 'Wrong-horse-7', organization_id: 'none' } as const;
    const wrong = createCloudClient({ url: portal }).signIn(credentials);
    await expect(wrong).rejects.toMatchObject({ status: 401 });
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${portal}/user/security`);
    await page
      .getByText(/Last used .* from 127\.0\.0\.1/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Security activity' }).click();
    const failure = page.getByRole('listitem').filter({ hasText: 'Sign-in failed' }).first();
    await failure.getByText('127.0.0.1').waitFor();
    await failure.getByText(/Attempts: \d/).waitFor();
  });

  it('the chosen language applies at once and after a reload', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${fixture().portal}/user/edit#api`);
    await page.waitForURL(`${fixture().portal}/user/tokens`);
    await page.goto(`${fixture().portal}/user/edit`);
    await page.waitForURL(`${fixture().portal}/user`);
    const languages = page.locator('main select').first();
    const lang = (): Promise<string> => page.evaluate('document.documentElement.lang');
    await languages.selectOption('pt');
    await expect.poll(lang).toBe('pt');
    await page.reload();
    await languages.waitFor();
    expect(await lang()).toBe('pt');
    await languages.selectOption('en');
    await expect.poll(lang).toBe('en');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  it('the pages of an account lead to sign-in after a sign-out', async () => {
    const { portal, system } = fixture();
    const { email, password } = system.run.account;
    await using visit = await fixture().visit();
    const { page, context } = visit;
    const entered = await context.request.post(`${portal}/portal/sign_in`, {
      headers: { origin: portal },
      data: { email, password },
    });
    expect(entered.status()).toBe(200);
    await page.goto(`${portal}/user`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${portal}/`);
    await page.goto(`${portal}/user`);
    await page.waitForURL(/sign_in\?return_to=%2Fuser/);
  });
}
