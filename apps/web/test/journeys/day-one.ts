import { createCloudClient } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { startNewDevice } from '../new-device.ts';
import { signIn } from './sign-in.ts';

const PASSWORD = 'sun on the roof';

/** Hardly any machine has this time zone itself. */
const ZONE = 'Pacific/Chatham';

/** Patience from the first start of a device to its prices, in milliseconds. */
const DAY_ONE_MS = 180_000;

/** Errors in the console while a device restarts. */
const AWAY = [/ERR_CONNECTION_REFUSED/, /WebSocket connection/, /404/, /503/, /ChunkMissing/];

/** A person who hosts a cloud, and unpacks the first device. */
export function describeDayOne(fixture: () => Fixture): void {
  it(
    'a self-hoster sets up a device, connects it to an own cloud, reads it there, and enters prices',
    async () => {
      const { portal, system, look } = fixture();
      const { account, plant } = system.run;
      const cloud = createCloudClient({ url: portal, token: account.api_token });
      await using device = await startNewDevice({ cloudUrl: portal });
      await using visit = await fixture().visit({ timeZone: ZONE, expectedErrors: [...AWAY, /401/, /422/] });
      const { page } = visit;
      const shown = (name: string): Promise<void> => picture(page, `day-one-${name}-${look.name}`);
      await page.goto(device.url);
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('New password again').fill(PASSWORD);
      await page.keyboard.press('Enter');

      await page.getByLabel('Where to look').selectOption({ label: 'At an address in the network' });
      await page.getByLabel('Address').fill(`modbus-tcp://${plant.modbus}`);
      await page.getByRole('button', { name: 'Look', exact: true }).click();
      await page.getByRole('checkbox', { name: /SunSpec/ }).waitFor();
      await shown('hardware');
      await page.getByRole('button', { name: 'Use this connection' }).click();
      await expect.poll(() => doneSteps(page)).toEqual(['Find hardware']);

      const zone = page.getByLabel('Time zone', { exact: true });
      await expect.poll(() => zone.inputValue()).toBe(ZONE);
      await shown('time-zone');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => doneSteps(page)).toEqual(['Find hardware', 'Set the time zone']);
      expect(await faultsInBothLooks(page)).toEqual([]);
      await shown('account');

      await page.getByRole('link', { name: 'Register this device' }).click();
      await signIn(page, account);
      await page.getByLabel('Name of the site').fill('cottage');
      await shown('name');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.waitForURL((url) => url.origin === device.url);
      await readValues(page);
      await shown('overview');

      await page.getByRole('navigation').getByRole('link', { name: 'Energy', exact: true }).click();
      const money = page.getByRole('region', { name: 'Money' });
      await money.getByRole('button', { name: 'Enter prices' }).click();
      await money.getByLabel('Price of a kWh from the grid').fill('0.32');
      await money.getByLabel('Price of a kWh to the grid').fill('0.08');
      await money.getByRole('button', { name: 'Save prices' }).click();
      await money.getByRole('button', { name: 'Change prices' }).waitFor();
      await page
        .getByRole('region', { name: 'Where the energy of the house came from, and what left it' })
        .waitFor();
      await shown('energy');

      await page.goto(`${portal}/sites?q=cottage`);
      await page.getByRole('link', { name: 'cottage', exact: true }).click();
      await readValues(page);
      await shown('portal');
      await page.goto(`${device.url}/configuration/setup?step=claim`);
      await expect
        .poll(() => doneSteps(page))
        .toEqual(['Find hardware', 'Set the time zone', 'Connect to an account']);

      const release = async () => {
        for (const { id } of await cloud.listSites({ q: 'cottage' })) await cloud.releaseSite({ id });
      };
      await release();
      await page.goto(`${device.url}/claim`);
      await page.getByText('The device was released and belongs to no account.').waitFor();
      const registration = page.getByText(/^([0-9A-Z]{5}-){3}[0-9A-Z]{5}$/);
      const code = await registration.innerText();
      expect(await faultsInBothLooks(page)).toEqual([]);
      await shown('released');
      const uid = await page.locator('code').last().innerText();

      await page.goto(`${portal}/sites/add`);
      await page.getByLabel('Device identifier (UID)').fill(uid);
      await page.getByRole('button', { name: 'Add' }).click();
      const typed = page.getByLabel('Registration code');
      await expect.poll(() => typed.evaluate((field) => field === document.activeElement)).toBe(true);

      await page.goto(`${device.url}/claim`);
      await registration.waitFor();
      await page.getByRole('link', { name: 'Register this device' }).click();
      await expect.poll(() => typed.inputValue()).toBe(code);
      await typed.fill('00000-00000-00000-00000');
      await page.getByLabel('Name of the site').fill('cottage');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByText('This code is not valid, or it has expired.').waitFor();
      expect(await faultsInBothLooks(page)).toEqual([]);
      await shown('code');
      await typed.fill(code.toLowerCase());
      await page.getByRole('button', { name: 'Add' }).click();
      await page.waitForURL((url) => url.origin === device.url);
      await readValues(page);
      await release();
    },
    DAY_ONE_MS,
  );
}

/** The first values of the hardware are there. */
async function readValues(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  await page
    .getByText(/^[\d.]+\sk?W$/)
    .filter({ visible: true })
    .first()
    .waitFor();
}

async function doneSteps(page: Page): Promise<string[]> {
  const steps = await page.getByRole('navigation', { name: 'Steps' }).getByRole('link').all();
  const labels: string[] = [];
  for (const step of steps) {
    const label = (await step.innerText()).replaceAll(/\s+/g, ' ');
    if (label.includes('Done')) labels.push(label.replace(/^✓ ?/, '').replace(/ ?Done$/, ''));
  }
  return labels;
}
