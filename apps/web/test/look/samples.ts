import { createCloudClient } from '@heliograph/client';
import type { Fixture } from '../fixture.ts';
import { importCatalogue } from '../import-catalogue.ts';

const CATALOGUE = `
shipping: { EUR: 5.90 }
products:
  - { sku: box, name: Monitoring box, kind: device, description: Reads and writes inverters, stock: 12,
      url: "https://shop.example.org/box", prices: { EUR: 119, USD: 130 } }
  - { sku: licence, name: Licence for a year, kind: licence, licence: { devices: 1, months: 12 }, prices: { EUR: 60 } }
  - { sku: planned, name: Planned, kind: service, state: draft, prices: { EUR: 10 } }
`;

const ADDRESS = {
  name: 'Ada Lovelace',
  line1: 'Main street 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

/** A catalogue, an order and a ticket of the demo account: the first of their kinds, whose ids are 1. */
export async function makeSamples(fixture: Fixture): Promise<void> {
  await importCatalogue(fixture, CATALOGUE);
  const cloud = createCloudClient({ url: fixture.portal, token: fixture.system.run.account.api_token });
  const { id: orderId } = await cloud.placeOrder({
    items: [{ sku: 'box', quantity: 2 }, { sku: 'licence' }],
    currency: 'EUR',
    shipping_address: ADDRESS,
    billing_address: { ...ADDRESS, company: 'Analytical engines', vat_number: 'DE123456789' },
    note: 'Please ring twice.',
  });
  const upload = await cloud.createUpload({ name: 'day.csv', file: new Blob(['time,power\n']) });
  const { id } = await cloud.createTicket({
    subject: 'When does the box come?',
    body: 'We wait for it.\nWhere is it?',
    category: 'billing',
    order_id: orderId,
    upload_ids: [upload.id],
  });
  await cloud.replyToTicket({ id, body: 'The parcel may be lost.', internal: true });
  await cloud.replyToTicket({ id, body: 'It comes on Monday.' });
}
