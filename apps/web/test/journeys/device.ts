import type { Page } from '@heliograph/dev/testing/browser';
import { startReverseProxy } from '@heliograph/dev/testing/reverse-proxy';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { startNewDevice } from '../new-device.ts';
import { confirm } from './confirm.ts';
import { openMenu } from './interactions.ts';

const PASSWORD = 'sun on the roof';

/** Patience from the first start of a device to its first picture, in milliseconds. */
const FIRST_USE_MS = 180_000;

/** Errors in the console while a device restarts. */
const AWAY = [/ERR_CONNECTION_REFUSED/, /WebSocket connection/, /404/];

/** The device's own pages, on the network of the home. */
export function describeDevice(fixture: () => Fixture): void {
  it(
    'a new device is set up with a password and its hardware, and further steps are skipped',
    async () => {
      await using device = await startNewDevice();
      // A request that is under way while the password changes is refused; the page then reads its new session.
      await using visit = await fixture().visit({ expectedErrors: [...AWAY, /422/, /401/] });
      const { page } = visit;
      await page.goto(device.url);
      await page.getByLabel('New password', { exact: true }).fill('short');
      await page.keyboard.press('Enter');
      await page.getByText('The password is too short or too long.').waitFor();
      await page.getByLabel('New password', { exact: true }).and(page.locator(':focus')).waitFor();
      await page.getByLabel('New password', { exact: true }).fill('Password1');
      await page.getByLabel('New password again').fill('Password1');
      await page.keyboard.press('Enter');
      await page.getByText('This password is too easy to guess. Choose another one.').waitFor();
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('New password again').fill(PASSWORD);
      await page.keyboard.press('Enter');

      await page.getByLabel('Where to look').selectOption({ label: 'At an address in the network' });
      await page.getByLabel('Address').fill(`modbus-tcp://${fixture().system.run.plant.modbus}`);
      await page.getByRole('button', { name: 'Look', exact: true }).click();
      await page.getByRole('checkbox', { name: /SunSpec/ }).waitFor();
      await page.getByRole('button', { name: 'Use this connection' }).click();

      await page.getByLabel('Time zone', { exact: true }).selectOption('Europe/Berlin');
      await page.getByRole('link', { name: 'Skip this step' }).click();
      await page.getByText('No cloud is configured').waitFor();
      await page.getByRole('link', { name: 'Finish' }).click();
      await page.getByRole('figure').or(page.getByText('State of charge')).first().waitFor();

      await page.goto(`${device.url}/configuration/system`);
      await changePassword(page);
    },
    FIRST_USE_MS,
  );

  it('a sign-in at the device leads on to the requested page', async () => {
    await using visit = await fixture().visit({ expectedErrors: [/401/] });
    const { page } = visit;
    const wanted = '/history?topic=inverter_1%2Fpv_power&range=week';
    await page.goto(`${fixture().device}${wanted}`);
    const password = page.getByLabel('Device password');
    await password.fill('not this one');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the password of this device.').waitFor();
    await password.and(page.locator(':focus')).fill(fixture().system.run.device.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('week');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await password.waitFor();
  });

  it('a browser stays signed in at two devices on one host', async () => {
    await using second = await startNewDevice();
    expect(new URL(second.url).hostname).toBe(new URL(fixture().device).hostname);
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [...AWAY, /401/] });
    const { page } = visit;
    await page.goto(second.url);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password again').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Where to look').waitFor();
    await page.goto(`${fixture().device}/history`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.goto(`${second.url}/configuration/setup`);
    await page.getByLabel('Where to look').waitFor();
  });

  it('a sign-in through a reverse proxy that changes the host names the cause', async () => {
    await using front = await startReverseProxy(fixture().device);
    await using visit = await fixture().visit({ expectedErrors: [/403/] });
    const { page } = visit;
    await page.goto(`${front.url}/sign_in`);
    await page.getByLabel('Device password').fill(fixture().system.run.device.password);
    await page.keyboard.press('Enter');
    await page.getByText('must pass on the Host header unchanged').waitFor();
  });

  it('the chosen curves stand in the address of the page', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/history`);
    await page.getByRole('button', { name: 'Remove Grid' }).click();
    await page.getByRole('button', { name: 'Choose curves' }).click();
    await page.getByRole('searchbox').fill('pv voltage');
    await page
      .getByRole('checkbox', { name: /PV voltage/ })
      .first()
      .check();
    await expect.poll(() => new URL(page.url()).searchParams.getAll('topic')).toHaveLength(5);
    await page.reload();
    await page.getByRole('button', { name: /Remove .*PV voltage/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove Grid' }).count()).toBe(0);
  });

  it('a configuration is refused at the field of an invalid value, and saved with a valid one', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/422/, ...AWAY] });
    const { page } = visit;
    await page.goto(`${fixture().device}/configuration`);
    const most = page.getByLabel('Changes of one setting in a day, at most');
    const card = page.getByRole('region', { name: 'Readings and changes' });
    await most.waitFor();
    await most.fill('0');
    await card.getByRole('button', { name: 'Save' }).click();
    await most.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await most.fill('99');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved. The device runs with it.').waitFor();
    await page.reload();
    expect(await most.inputValue()).toBe('99');
  });

  it('removing hardware is explained, and undone when the change is discarded', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/configuration`);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('It is no longer read').waitFor();
    await confirm(page, 'Remove');
    await page.getByText('No hardware is connected yet').waitFor();
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByText('SunSpec', { exact: true }).waitFor();
  });

  it('the pages show the state of the connections and the site of the device', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/links`);
    await page.getByText(/\d+ % of the questions of the last minute were answered/).waitFor();
    await openMenu(page);
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText(`The device belongs to the site ${fixture().system.run.site.name}.`).waitFor();
  });
}

async function changePassword(page: Page): Promise<void> {
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD} 2`);
  await page.getByLabel('New password again').fill(`${PASSWORD} 2`);
  await page.keyboard.press('Enter');
  await page.getByText('The password was changed.').waitFor();
}
