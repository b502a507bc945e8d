import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reservedPorts } from '@heliograph/dev/testing';
import type { Locator, Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { startNewDevice } from '../new-device.ts';

/** Alerts of a home, and the rules that raise them. */
export function describeAlerts(fixture: () => Fixture): void {
  it('a device lists the servers that it sends alerts to, and why one did not take a test message', async () => {
    const closed = await reservedPorts();
    const mail = { smtp: `smtp://127.0.0.1:${closed}`, from: 'home@example.org', to: ['ada@example.org'] };
    await using device = await startNewDevice({
      // JSON is YAML as well.
      prepare: (folder) => writeFile(join(folder, 'device.yaml'), JSON.stringify({ notifications: [mail] })),
    });
    await using visit = await fixture().visit({ expectedErrors: [/401/] });
    const { page } = visit;
    await page.goto(device.url);
    await page.getByLabel('New password', { exact: true }).fill('sun on the roof');
    await page.getByLabel('New password again').fill('sun on the roof');
    await page.keyboard.press('Enter');
    await page.getByLabel('Where to look').waitFor();
    await page.goto(`${device.url}/alerts`);
    const receivers = page.getByRole('region', { name: 'Messages from this device' });
    const receiver = receivers.getByRole('listitem');
    await receiver.filter({ hasText: 'Mail, 127.0.0.1' }).waitFor();
    await receivers.getByRole('button', { name: 'Send test messages' }).click();
    await receiver.filter({ hasText: /Not sent: ./ }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
  });

  it('a rule of the owner raises an alert, which is counted, acknowledged, and ends with the rule', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    const look = (name: string) =>
      process.env.PICTURES === undefined
        ? undefined
        : page.screenshot({ path: `${process.env.PICTURES}/alerts-${name}.png`, fullPage: true });
    await page.goto(fixture().device);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'A battery is nearly empty' }).waitFor();
    await look('rules');
    expect(await faultsInBothLooks(page)).toEqual([]);

    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Name').fill('House in use');
    await page.getByLabel('Value', { exact: true }).selectOption('total/load_power');
    await page.getByLabel('Condition').selectOption('above');
    await page.getByLabel('Limit').fill('a lot');
    await page.getByLabel('For at least (minutes)').fill('0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByLabel('Limit').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Limit').fill('-1');
    await look('form');
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const rule = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('switch', { name: 'On: House in use' }) });
    await rule.getByText(/above -1 W for 0 min/).waitFor();

    const now = page.getByRole('region', { name: 'Now' });
    const alert = now.getByRole('listitem').filter({ hasText: /House in use is .*, above .1\sW/ });
    await reloadUntil(page, alert);
    await page.getByRole('link', { name: 'Alerts: 1' }).waitFor();
    await look('open');
    await alert.getByRole('button', { name: 'I know of it' }).click();
    await alert.getByText('local knows of it', { exact: false }).waitFor();

    // The cloud has it as well, among the alerts of all sites.
    await using reader = await fixture().visit({ as: 'demo' });
    await reader.page.addInitScript(noteBadges);
    await reader.page.goto(`${fixture().portal}/alerts`);
    const inCloud = reader.page.getByRole('region', { name: 'Now' }).getByRole('listitem');
    await reloadUntil(reader.page, inCloud.filter({ hasText: 'local knows of it' }));
    await inCloud
      .filter({ hasText: /House in use is/ })
      .getByRole('link', { name: 'demo' })
      .waitFor();
    expect(await faultsInBothLooks(reader.page)).toEqual([]);
    const entry = inCloud.filter({ hasText: /House in use is/ });
    await entry.getByRole('button', { name: 'Assign, snooze, note' }).click();
    await entry.getByLabel('Assigned to').selectOption({ index: 1 });
    await entry.getByLabel('No messages for').selectOption('8 hours');
    await entry.getByLabel('Note').fill('The family is at home');
    expect(await faultsInBothLooks(reader.page)).toEqual([]);
    await entry.getByRole('button', { name: 'Save' }).click();
    await entry.getByText('The family is at home').waitFor();
    await entry.getByText(/No messages until/).waitFor();
    await entry.getByText(/Assigned to \S/).waitFor();
    await expect
      .poll(() => reader.page.evaluate('document.activeElement.textContent'))
      .toBe('Assign, snooze, note');
    // The icon of the app has the count of open alerts.
    await expect.poll(async () => (await badgeOf(reader.page)) === (await inCloud.count())).toBe(true);

    await rule.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => rule.count()).toBe(0);
    await reloadUntil(page, now.getByText('Nothing is wrong'));
    await page
      .getByRole('region', { name: 'Earlier' })
      .getByText(/House in use/)
      .first()
      .waitFor();
    await look('earlier');
  });

  it('a built-in rule takes another limit, and is as delivered again', async () => {
    await using visit = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/alerts`);
    const rule = page.getByRole('listitem').filter({ hasText: 'A battery is nearly empty' });
    await rule.getByText(/below 5 % for 10 min/).waitFor();
    await rule.getByRole('button', { name: 'Change: A battery is nearly empty' }).click();
    await rule.getByLabel('Limit').fill('20');
    await rule.getByRole('button', { name: 'Save', exact: true }).click();
    // The value at which the alert clears has to be at least the limit.
    await rule
      .getByText(/clear_limit|at least the limit/)
      .first()
      .waitFor();
    await rule.getByLabel('The alert clears at').fill('25');
    await rule.getByRole('button', { name: 'Save', exact: true }).click();
    await rule.getByText(/below 20 % for 10 min/).waitFor();
    await rule.getByRole('switch').press(' ');
    await expect.poll(() => rule.getByRole('switch').isChecked()).toBe(false);
    await rule.getByRole('button', { name: 'As delivered' }).click();
    await rule.getByText(/below 5 % for 10 min/).waitFor();
    expect(await rule.getByRole('switch').isChecked()).toBe(true);

    // The rule of the cloud is beside those of the device.
    const offline = page.getByRole('region', { name: 'Offline alert' });
    for (const [label, minutes] of [
      ['1 hour', '60'],
      ['15 minutes', '15'],
    ] as const) {
      await offline.getByLabel('An alert after').selectOption(label);
      const saved = page.waitForResponse(/\/offline_alert$/);
      await offline.getByRole('button', { name: 'Save' }).click();
      await saved;
      await expect.poll(() => offline.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await page.reload();
      await expect.poll(() => offline.getByLabel('An alert after').inputValue()).toBe(minutes);
    }
    expect(await faultsInBothLooks(page)).toEqual([]);
  });
}

/** The page requests open alerts every quarter of a minute; a reader in a hurry reloads. */
async function reloadUntil(page: Page, shown: Locator): Promise<void> {
  const isShown = () =>
    shown.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  await expect
    .poll(async () => (await isShown()) || (await page.reload().then(isShown)), { timeout: 60_000 })
    .toBe(true);
}

/** Runs in the page: notes the count at the icon of the app, which the page of a test is not. */
function noteBadges(): void {
  const note = async (badge: number): Promise<void> => void Object.assign(globalThis, { badge });
  Object.defineProperties(navigator, {
    setAppBadge: { value: note },
    clearAppBadge: { value: () => note(0) },
  });
}

function badgeOf(page: Page): Promise<number | undefined> {
  return page.evaluate(() => (globalThis as { readonly badge?: number }).badge);
}
