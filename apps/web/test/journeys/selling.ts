import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { acceptInvitation } from './invitation.ts';

const SAM = { email: 'sam@example.org', first_name: 'Sam', last_name: 'Seller' } as const;
const LEA = { email: 'lea@example.org', first_name: 'Lea', last_name: 'Buyer' } as const;

const CATALOGUE = `taxes:
  included: true
  country: DE
  rates: [{ country: DE, category: standard, name: VAT, rate: 0.19 }]
products:
  - { sku: visit, name: Yearly visit, kind: service, prices: { EUR: 80 } }
`;

/** The shop of an organization, whose admin is no operator of the service. */
export function describeSelling(fixture: () => Fixture): void {
  it("an organization's admin imports a catalogue, and marks a customer's order paid, which the customer sees", async () => {
    const { portal, system } = fixture();
    const { site, account, organization } = system.run;
    const operator = createCloudClient({ url: portal, token: account.api_token });
    await using undo = new AsyncDisposableStack();
    await using seller = await fixture().visit();
    await using customer = await fixture().visit();
    const { id: sellerId } = await operator.addOrganizationMember({
      id: organization.id,
      ...SAM,
      role: 'admin',
    });
    undo.defer(() => operator.removeOrganizationMember({ id: organization.id, user_id: sellerId }));
    await acceptInvitation(fixture(), seller, SAM.email);
    const { id: customerId } = await operator.inviteSiteMember({ id: site.id, ...LEA, role: 'member' });
    undo.defer(() => operator.removeSiteMember({ id: site.id, user_id: customerId }));
    await acceptInvitation(fixture(), customer, LEA.email);
    const { page: sellerPage } = seller;
    const { page } = customer;

    await sellerPage.goto(`${portal}/sites`);
    await sellerPage.getByRole('link', { name: 'Organization', exact: true }).click();
    expect(await sellerPage.getByRole('link', { name: 'Service', exact: true }).count()).toBe(0);
    await sellerPage.getByRole('link', { name: 'Catalogue' }).click();
    await sellerPage.getByLabel('Catalogue in YAML').fill(CATALOGUE);
    await sellerPage.getByRole('button', { name: 'Show the changes' }).click();
    await sellerPage.getByRole('button', { name: 'Import', exact: true }).click();
    await sellerPage.getByRole('list', { name: 'Catalogue' }).getByText('Yearly visit').waitFor();

    await page.goto(`${portal}/shop`);
    await page.getByText('Sold by Demo organization').waitFor();
    await page.getByRole('button', { name: 'Add to basket: Yearly visit' }).click();
    await page.getByRole('link', { name: 'Basket: 1' }).click();
    await page.getByLabel('Street and number').fill('Side street 3');
    await page.getByLabel('City').fill('Hamburg');
    await page.getByLabel('Country').selectOption({ label: 'Germany' });
    await page.getByRole('button', { name: 'Place the order' }).click();
    const title = page.getByRole('heading', { level: 1, name: /^Order \d+$/ });
    const order = (await title.textContent()) ?? '';
    await page.getByText('Unpaid').waitFor();

    await sellerPage.getByRole('link', { name: 'Orders' }).click();
    await sellerPage.getByRole('list', { name: 'Orders' }).getByText('Lea Buyer').waitFor();
    await sellerPage.getByRole('link', { name: order }).click();
    await sellerPage.getByText('Side street 3').first().waitFor();
    await sellerPage.getByLabel('Reference').fill('Statement 9');
    expect(await faultsInBothLooks(sellerPage)).toEqual([]);
    await sellerPage.getByRole('button', { name: 'Mark as paid' }).click();
    await sellerPage.getByText('Recorded by Sam Seller').waitFor();

    await page.reload();
    await page.getByText('Paid', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All orders' }).click();
    await page.getByText('Paid', { exact: true }).waitFor();

    await sellerPage.goto(`${portal}/organizations/${organization.id}/catalogue`);
    await sellerPage.getByLabel('Catalogue in YAML').fill('products: []');
    await sellerPage.getByRole('button', { name: 'Show the changes' }).click();
    await sellerPage.getByRole('button', { name: 'Import', exact: true }).click();
    await sellerPage.getByText('Imported').waitFor();
  });
}
