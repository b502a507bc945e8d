import { deepEqual, equal } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Step } from '../step.ts';
import { CUSTOMER_EMAIL, customer } from './customer.ts';

const CATALOGUE = `products:
  - sku: device_rpi5
    name: Monitoring device
    kind: device
    prices: { EUR: 219.90 }
    stock: 12
taxes:
  included: true
  country: DE
  rates:
    - { country: DE, category: standard, name: VAT, rate: 0.19 }
shipping: { EUR: 5.90 }
`;

const ADDRESS = { name: 'Ada Lovelace', line1: 'Sonnenweg 1', city: 'Berlin', country: 'DE' };

export const order: Step = {
  name: 'order',
  title: 'an order is placed, paid and sent, each with its mail, and the seller has one, too',
  async run(live) {
    const file = join(live.folder, 'catalogue.yaml');
    await writeFile(file, CATALOGUE);
    await live.admin('products', 'import', file);
    const buyer = await customer(live);
    const placed = await buyer.placeOrder({
      items: [{ sku: 'device_rpi5', quantity: 2 }],
      currency: 'EUR',
      billing_address: ADDRESS,
      shipping_address: ADDRESS,
    });
    deepEqual([placed.state, placed.payment_state, placed.total], ['open', 'unpaid', 44_570]);
    const id = `${placed.id}`;
    const mailed = (subject: RegExp) => live.mail(CUSTOMER_EMAIL, subject, new RegExp(placed.number));
    await mailed(/^Your order/);
    await live.mail(live.system.run.account.email, /^New order/, new RegExp(placed.number));
    await live.admin('orders', 'mark-paid', id, '--reference', 'transfer 17');
    await mailed(/^Payment received/);
    await live.admin('orders', 'ship', id, '--carrier', 'Post', '--tracking', 'A1');
    await mailed(/is on its way$/);
    const done = await buyer.getOwnOrder({ id: placed.id });
    deepEqual([done.state, done.payment_state, done.paid], ['completed', 'paid', 44_570]);
    equal(done.shipments[0]?.tracking_number, 'A1');
  },
};
