import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

/** A restart of the device, and what it sends then. */
const PATIENCE = { timeout: 60_000, interval: 250 };

/** Long enough for the pages of an offline site, in milliseconds. */
const DOWN_MS = 30_000;

/** The history of a site in the cloud. */
export function describeKeptHistory(fixture: () => Fixture): void {
  it('an owner agrees once, and then sees the last values and the energy of the site while it is offline', async () => {
    const { portal, system } = fixture();
    const { run, parts } = system;
    const cloud = createCloudClient({ url: portal, token: run.account.api_token });
    const { id } = run.site;
    await using visit = await fixture().visit({
      as: 'demo',
      expectedErrors: [/50\d/, /409/, /WebSocket/, /ERR_/],
    });
    const { page } = visit;
    const look = (name: string) =>
      process.env.PICTURES === undefined
        ? undefined
        : page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
    await page.goto(`${portal}/sites/${id}`);
    const question = page.getByRole('region', { name: 'History in the cloud' });
    await question.waitFor();
    await look('1-question');
    await question.getByRole('button', { name: 'Keep the history' }).click();
    await expect.poll(() => question.count(), PATIENCE).toBe(0);

    // A device calls in each quarter of an hour, and when it starts.
    parts.device.kill('SIGTERM');
    const site = () => cloud.getSite({ id });
    await expect.poll(async () => (await site()).newest_values, PATIENCE).not.toBeNull();
    await expect.poll(async () => (await site()).online, PATIENCE).toBe(true);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(`${portal}/sites`);
    await page.getByText('As of').first().waitFor();
    await look('2-list');
    expect(requested.filter((path) => path === '/api/v1/metrics')).toEqual([]);

    parts.device.kill('SIGTERM', DOWN_MS);
    await expect.poll(async () => (await site()).online, PATIENCE).toBe(false);
    await page.goto(`${portal}/sites/${id}`);
    await page.getByRole('region', { name: 'Last values' }).getByText('Solar', { exact: true }).waitFor();
    await look('3-offline');
    await page.goto(`${portal}/sites/${id}/energy?unit=month`);
    await page.getByText('These values are from the cloud').waitFor();
    await page
      .getByRole('region', { name: 'Comparison' })
      .or(page.getByText('Self-sufficiency'))
      .first()
      .waitFor();
    await look('4-energy');

    await page.goto(`${portal}/sites/${id}/device`);
    const card = page.getByRole('region', { name: 'History in the cloud' });
    await card.getByRole('button', { name: 'Stop and delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop and delete' }).click();
    await card.getByText('The cloud keeps no history of this site.').waitFor();
    await look('5-device');
    expect((await site()).newest_values).toBeNull();
    await expect.poll(async () => (await site()).online, PATIENCE).toBe(true);
  }, 180_000);
}
