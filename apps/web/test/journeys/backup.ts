import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { startNewDevice } from '../new-device.ts';

const PASSPHRASE = 'sun and rain on the roof';

/** Patience from the first start of a device to its restart as another one, in milliseconds. */
const RESTORE_MS = 120_000;

/** Errors in the console while a device restarts. */
const AWAY = [/ERR_CONNECTION_REFUSED/, /ERR_CONNECTION_RESET/, /ERR_EMPTY_RESPONSE/, /422/];

export function describeBackup(fixture: () => Fixture): void {
  it(
    "a device's owner saves a backup, and a new device becomes that device on its first page",
    async () => {
      const { device: home, system } = fixture();
      const { password } = system.run.device;
      await using owner = await fixture().visit({ as: 'device', expectedErrors: [/422/] });
      await owner.page.goto(`${home}/configuration`);
      await owner.page.getByRole('link', { name: 'Backup' }).click();
      const making = owner.page.getByRole('region', { name: 'Make a backup' });
      await making.getByLabel('Current password').fill(password);
      await making.getByLabel('Passphrase for the backup').fill(PASSPHRASE);
      await making.getByLabel('Passphrase again').fill('another passphrase');
      await making.getByRole('button', { name: 'Make a backup' }).click();
      await making.getByText('The two passphrases are not the same.').waitFor();
      await making.getByLabel('Passphrase again').fill(PASSPHRASE);
      const saving = owner.page.waitForEvent('download');
      await making.getByRole('button', { name: 'Make a backup' }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toMatch(/^heliograph-demo-\d{8}T\d{6}Z\.backup$/);
      await making.getByText('The backup was saved as heliograph-demo-').waitFor();

      await using fresh = await startNewDevice();
      await using visit = await fixture().visit({ expectedErrors: AWAY });
      const { page } = visit;
      await page.goto(fresh.url);
      await page.getByRole('button', { name: 'Restore from a backup' }).click();
      await page.locator('input[type=file]').setInputFiles(await saved.path());
      await page.getByLabel('Passphrase of the backup').fill('not the passphrase');
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByText('The passphrase is wrong, or the beginning').waitFor();
      await page.getByLabel('Passphrase of the backup').fill(PASSPHRASE);
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByLabel('Device password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      const uidAt = async (url: string, from: typeof page) =>
        ((await (await from.request.get(`${url}/api/v1/device`)).json()) as { uid: string }).uid;
      expect(await uidAt(fresh.url, page)).toBe(await uidAt(home, owner.page));
    },
    RESTORE_MS,
  );

  it('an owner turns backups in the cloud on, reads the recovery code, and turns them off', async () => {
    const { device: home, system } = fixture();
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${home}/configuration/backup`);
    const card = page.getByRole('region', { name: 'Backup in the cloud' });
    await card.getByLabel('Current password').fill(system.run.device.password);
    await card.getByRole('button', { name: 'Turn on' }).click();
    await card.getByText(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){5}$/).waitFor();
    await card.getByText('Last backup:').waitFor();
    await page.reload();
    await card.getByText('Last backup:').waitFor();
    expect(await card.getByText('Recovery code').count()).toBe(0);
    await card.getByRole('button', { name: 'Turn off and delete the backups' }).click();
    await card.getByRole('button', { name: 'Turn on' }).waitFor();
  });

  it('a device without its data names the reason, and starts as a new device once that is confirmed', async () => {
    await using device = await startNewDevice({
      prepare: (folder) => writeFile(join(folder, 'device.sqlite'), 'no database'.repeat(1_000)),
    });
    await using visit = await fixture().visit({ expectedErrors: AWAY });
    const { page } = visit;
    await page.goto(device.url);
    await page.getByText('The database of this device is damaged.').waitFor();
    await page.getByText('Its identity is unknown.').waitFor();
    const start = page.getByRole('button', { name: 'Start with a new database' });
    await expect.poll(() => start.isDisabled()).toBe(true);
    await page.getByLabel('I understand that this becomes a new device').check();
    await start.click();
    await page.getByLabel('New password', { exact: true }).waitFor();
  });
}
