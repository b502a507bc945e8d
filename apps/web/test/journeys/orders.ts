import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { importCatalogue } from '../import-catalogue.ts';
import { confirm } from './confirm.ts';

const CATALOGUE = `
products:
  - { sku: journey_licence, name: Licence, kind: licence, licence: { devices: 2 }, prices: { EUR: 60 } }
`;

export function describeOrders(fixture: () => Fixture): void {
  it('a customer cancels an order, and reads the activation code of a paid one', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const { portal, system } = fixture();
    await importCatalogue(fixture(), CATALOGUE);
    const shop = createCloudClient({ url: portal, token: system.run.account.api_token });
    const order = { items: [{ sku: 'journey_licence' }], currency: 'EUR' };
    const unwanted = await shop.placeOrder(order);
    const wanted = await shop.placeOrder(order);
    await shop.markOrderPaid({ id: wanted.id, reference: 'journey' });

    await page.goto(`${portal}/user/orders`);
    await page.getByRole('link', { name: `Order ${unwanted.number}` }).click();
    await page.getByText('€60.00').first().waitFor();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await confirm(page, 'Cancel the order');
    await page.getByText('Cancelled').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the order' }).count()).toBe(0);

    await page.getByRole('link', { name: 'All orders' }).click();
    await page.getByRole('link', { name: `Order ${wanted.number}` }).click();
    await page.getByRole('button', { name: 'Show the code' }).click();
    const code = page.getByRole('region', { name: 'Activation code' }).locator('code');
    expect(await code.textContent()).toMatch(/^\w{5}(-\w{5}){3}$/);
    await page.getByText('Devices that it still activates: 2.').waitFor();
    await page.getByText('Completed').waitFor();
    for (const { id } of await shop.listServiceActivationCodes({})) {
      await shop.revokeServiceActivationCode({ code_id: id });
    }
    await importCatalogue(fixture(), 'products: []');
  });
}
