import { createCloudClient } from '@heliograph/client';
import { withConnection } from '@heliograph/dev/postgres';
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

/** Stopped, with one message that was not taken: the cloud makes none whose host it cannot look up. */
const ADD_WEBHOOK = `
  with made as (
    insert into webhooks (organization_id, name, url, types, sealed_secret, enabled, transaction, event_id, position_at, next_at,
      created_at)
    values ($1, 'Roof report', 'https://report.example.org/events', '{alert}', '', false, '0', 0, now(), now(), now())
    returning id
  )
  insert into webhook_deliveries (webhook_id, at, event_id, event_type, status, outcome, duration_ms)
  select id, now(), 'event-1', 'alert.raised', 503, 'retried', 120 from made`;

const ADDRESS = {
  name: 'Ada Lovelace',
  line1: 'Main street 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

/**
 * A catalogue, an order and a ticket of the demo account: the first of their kinds, whose ids are 1. A webhook of its organization, and
 * a location of its site.
 */
export async function makeSamples(fixture: Fixture): Promise<void> {
  await importCatalogue(fixture, CATALOGUE);
  const cloud = createCloudClient({ url: fixture.portal, token: fixture.system.run.account.api_token });
  const { id: orderId } = await cloud.placeOrder({
    items: [{ sku: 'box', quantity: 2 }, { sku: 'licence' }],
    currency: 'EUR',
    shipping_address: ADDRESS,
    billing_address: { ...ADDRESS, company: 'Analytical engines', vat_number: 'DE136695976' },
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

  const { organization, site } = fixture.system.run;
  await withConnection(fixture.system.run.cloud.database_url, (client) =>
    client.query(ADD_WEBHOOK, [organization.id]),
  );
  await cloud.setSiteInstallation({
    id: site.id,
    peak_power_kwp: 6,
    latitude: 48.1374,
    longitude: 11.5755,
  });
}
