import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { acceptInvitation } from './invitation.ts';

const MIA = { email: 'mia@example.org', first_name: 'Mia', last_name: 'Customer' } as const;

const CATALOGUE = `taxes:
  included: true
  country: DE
  rates: [{ country: DE, category: standard, name: VAT, rate: 0.19 }]
shipping: { EUR: 5.90 }
products:
  - sku: box
    name: Monitoring box
    description: Reads and writes inverters
    kind: device
    stock: 3
    prices: { EUR: 119, USD: 130 }
  - { sku: advice, name: Advice, kind: service, prices: { EUR: 10 } }
  - { sku: one_home, name: Licence of one home, kind: licence, licence: { devices: 1 }, prices: { EUR: 60 } }
`;

/** The catalogue, the shop, and both sides of an order and a ticket. */
export function describeShop(fixture: () => Fixture): void {
  it('an operator imports a catalogue, a customer orders from it, and each side sees the other pay and answer', async () => {
    const { portal, system } = fixture();
    const { site, account, cloud } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    await using staff = await fixture().visit({ as: 'demo', expectedErrors: [/422/] });
    await using customer = await fixture().visit({ expectedErrors: [/422/, /ERR_FAILED/] });
    const { id: memberId } = await operator.inviteSiteMember({ id: site.id, ...MIA, role: 'member' });
    await acceptInvitation(fixture(), customer, MIA.email);
    const { page: operatorPage } = staff;
    const { page } = customer;

    const colleague = await withConnection(cloud.database_url, addColleague);
    // A mistake is shown with its place, and changes nothing.
    await operatorPage.goto(`${portal}/operator/catalogue`);
    const yaml = operatorPage.getByLabel('Catalogue in YAML');
    await yaml.fill(CATALOGUE.replace('EUR: 119', 'EUR: 119.001'));
    await operatorPage.getByRole('button', { name: 'Show the changes' }).click();
    await operatorPage.getByText('119.001 is no price in EUR').waitFor();
    await yaml.fill(CATALOGUE);
    await operatorPage.getByRole('button', { name: 'Show the changes' }).click();
    await operatorPage.getByText('box, advice, one_home').waitFor();
    expect(await faultsInBothLooks(operatorPage)).toEqual([]);
    await operatorPage.getByRole('button', { name: 'Import', exact: true }).click();
    await operatorPage.getByText('Imported').waitFor();
    await operatorPage.getByRole('list', { name: 'Catalogue' }).getByText('Monitoring box').waitFor();

    await page.goto(`${portal}/sites`);
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByRole('button', { name: 'Add to basket: Monitoring box' }).click();
    await page.getByRole('button', { name: 'Add to basket: Advice' }).click();
    await page.getByRole('button', { name: 'Add to basket: Licence of one home' }).click();
    // The basket is in the browser.
    await page.reload();
    await page.getByRole('link', { name: 'Basket: 3' }).click();
    await page.getByLabel('Quantity of Monitoring box').fill('2');
    await page.getByText('€313.90').waitFor();
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByText('This is needed.').first().waitFor();
    await page.getByLabel('Street and number').fill('Main street 1');
    await page.getByLabel('City').fill('Berlin');
    await page.getByLabel('Country').selectOption({ label: 'Germany' });
    const vatNumber = page.getByLabel('VAT number');
    await vatNumber.fill('DE12345');
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByText('This is not a VAT number of this country.').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await vatNumber.fill('');
    const device = page.getByLabel('Device to activate');
    await device.fill('no-device');
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByText('is no device that can be activated', { exact: true }).waitFor();
    expect(await device.getAttribute('aria-invalid')).toBe('true');
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove Licence of one home' }).click();
    // The answer to the order is lost, and the page is loaded again.
    await page.route('**/api/v1/user/orders', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/api/v1/user/orders');
    await page.reload();
    await page.getByLabel('Street and number').fill('Main street 2');
    await page.getByLabel('City').fill('Berlin');
    await page.getByLabel('Country').selectOption({ label: 'Germany' });
    await page.getByRole('button', { name: 'Place the order' }).click();
    await page.getByText('Nothing was ordered again').waitFor();
    await page.getByLabel('Street and number').fill('Main street 1');
    await page.getByRole('button', { name: 'Place the order' }).dblclick();
    const title = page.getByRole('heading', { level: 1, name: /^Order \d+$/ });
    const order = (await title.textContent()) ?? '';
    await page.getByText('Unpaid').waitFor();
    expect(await operator.listOrders({ q: `email:${MIA.email}` })).toHaveLength(1);

    await operatorPage.goto(`${portal}/operator/orders?q=${MIA.email}`);
    await operatorPage.getByRole('link', { name: order }).click();
    await operatorPage.getByText('Main street 1').first().waitFor();
    await operatorPage.getByLabel('Reference').fill('Statement 4, line 7');
    expect(await faultsInBothLooks(operatorPage)).toEqual([]);
    await operatorPage.getByRole('button', { name: 'Mark as paid' }).click();
    await operatorPage.getByText('Statement 4, line 7').waitFor();
    await page.reload();
    await page.getByText('Paid', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Ask about this order' }).click();
    await page.getByText(`About ${order.toLowerCase()}`).waitFor();
    await page.getByLabel('Subject').fill('When does it come?');
    await page.getByLabel('Message', { exact: false }).fill('We wait for the box.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'When does it come?' }).waitFor();

    await operatorPage.goto(`${portal}/operator/tickets`);
    await operatorPage.getByLabel('Whose turn').selectOption({ label: 'Our turn' });
    await operatorPage.getByRole('link', { name: 'When does it come?' }).click();
    await operatorPage.getByText('We wait for the box.').waitFor();
    await operatorPage.getByLabel('Internal note').check();
    await operatorPage.getByRole('textbox', { name: 'Message' }).fill('The parcel is lost.');
    await operatorPage.getByRole('button', { name: 'Add the note' }).click();
    await operatorPage.getByRole('list', { name: 'Messages' }).getByText('The parcel is lost.').waitFor();
    await operatorPage.getByRole('textbox', { name: 'Message' }).fill('It comes on Monday.');
    await operatorPage.getByRole('button', { name: 'Send' }).click();
    await operatorPage.getByRole('list', { name: 'Messages' }).getByText('It comes on Monday.').waitFor();
    await operatorPage.getByLabel('Priority').selectOption({ label: 'High' });
    const assignee = operatorPage.getByLabel('Assignee');
    await assignee.getByRole('option', { name: 'Grace Hopper' }).waitFor({ state: 'attached' });
    await assignee.selectOption({ label: 'Grace Hopper' });
    await operatorPage.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await operator.listTickets({ q: `assignee:${colleague} priority:high` })).length)
      .toBe(1);
    expect(await faultsInBothLooks(operatorPage)).toEqual([]);

    await page.reload();
    await page.getByText('It comes on Monday.').waitFor();
    expect(await page.getByText('The parcel is lost.').count()).toBe(0);
    await page.getByRole('link', { name: `About ${order.toLowerCase()}` }).waitFor();

    await operatorPage.goto(`${portal}/operator/catalogue`);
    await operatorPage.getByLabel('Catalogue in YAML').fill('products: []');
    await operatorPage.getByRole('button', { name: 'Show the changes' }).click();
    await operatorPage.getByRole('button', { name: 'Import', exact: true }).click();
    await operatorPage.getByText('Imported').waitFor();
    await operator.removeSiteMember({ id: site.id, user_id: memberId });
  });
}

/** Another operator. @returns the id */
async function addColleague(client: {
  query(text: string): Promise<{ rows: { id: number }[] }>;
}): Promise<number | undefined> {
  const { rows } = await client.query(
    `insert into users (email, first_name, last_name, staff, confirmed_at)
     values ('grace@example.org', 'Grace', 'Hopper', true, now()) returning id`,
  );
  return rows[0]?.id;
}
