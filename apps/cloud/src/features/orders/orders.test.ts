import { type BuyerOrder, type Order, SESSION_SCOPES } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleCaller, OPERATOR } from '../../access/caller.ts';
import { type AdminServices, openAdminServices } from '../../admin/services.ts';
import { Housekeeping } from '../../housekeeping/housekeeping.ts';
import type { TestUser } from '../../testing/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let operator: TestUser;
/** Those of the command line, with the clock of the cloud. */
let services: AdminServices;
beforeAll(async () => {
  cloud = await startTestCloud();
  const config = { databaseUrl: cloud.databaseUrl, cloudUrl: cloud.url };
  services = await openAdminServices(config, () => undefined, cloud.clock);
  await services.openMail();
  operator = await cloud.make.user({ staff: true });
});
afterAll(async () => {
  await services?.[Symbol.asyncDispose]();
  await cloud?.[Symbol.asyncDispose]();
});

const CATALOGUE = `
taxes:
  included: true
  country: DE
  rates:
    - { country: DE, category: standard, name: VAT, rate: 0.19 }
shipping: { EUR: 5.90 }
products:
  - { sku: box, name: Monitoring box, kind: device, prices: { EUR: 119 }, stock: 5 }
  - { sku: licence, name: Licence, kind: licence, licence: { devices: 1 }, prices: { EUR: 60 } }
  - { sku: free, name: Advice, kind: service, prices: { EUR: 0 } }
  - { sku: planned, name: Planned, kind: service, prices: { EUR: 1 }, state: draft }
`;

const ADDRESS = { name: 'Ada Lovelace', line1: 'Main street 1', city: 'Berlin', country: 'de' };

interface Shop {
  readonly seller: number;
  readonly boss: TestUser;
  readonly buyer: TestUser;
}

/** A seller with a catalogue, its owner, and a customer. */
async function openShop(): Promise<Shop> {
  const seller = await cloud.make.organization();
  const boss = await cloud.make.employee(seller, 'owner');
  const buyer = await cloud.make.user({ customerOf: seller, firstName: 'Ada', lastName: 'Lovelace' });
  await services.products.importCatalogue(OPERATOR, seller, CATALOGUE);
  return { seller, boss, buyer };
}

const place = ({ seller, buyer }: Shop, body: object, headers: Record<string, string> = {}) =>
  cloud.call<BuyerOrder>('POST /api/v1/user/orders', {
    token: buyer.token,
    headers,
    body: { organization_id: seller, currency: 'eur', ...body },
  });

const markPaid = (id: number, token: string, body?: object, headers: Record<string, string> = {}) =>
  cloud.call<Order>(`POST /api/v1/orders/${id}/mark_paid`, { token, body, headers });

const show = async (id: number) =>
  (await cloud.call<Order>(`GET /api/v1/orders/${id}`, { token: operator.token })).body;

async function actionsOf(id: number): Promise<string[]> {
  const events = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .orderBy('id')
    .execute();
  return events
    .filter(
      ({ action, details }) =>
        action.startsWith('order.') && (details as { order_id?: number }).order_id === id,
    )
    .map(({ action }) => action);
}

async function stockOf(seller: number, sku: string): Promise<number | null> {
  const { stock } = await cloud.db
    .selectFrom('products')
    .select('stock')
    .where('organization_id', '=', seller)
    .where('sku', '=', sku)
    .executeTakeFirstOrThrow();
  return stock;
}

const expectRefused = (answer: Answer<unknown>, status: number, body: unknown) =>
  expect(answer).toMatchObject({ status, body });

describe('placing an order', () => {
  it('an order copies prices, has taxes and delivery, takes from stock, and mails buyer and seller', async () => {
    const shop = await openShop();
    const { status, body } = await place(shop, {
      items: [{ sku: 'box', quantity: 2 }, { sku: 'LICENCE' }],
      shipping_address: ADDRESS,
      note: 'Ring twice',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      number: '1001',
      state: 'open',
      payment_state: 'unpaid',
      currency: 'EUR',
      subtotal: 29_800,
      shipping: 590,
      total: 30_390,
      paid: 0,
      prices_include_tax: true,
      items: [
        { sku: 'box', quantity: 2, unit_price: 11_900, subtotal: 23_800, tax_rate: '0.19', tax: 3_800 },
        { sku: 'licence', quantity: 1, unit_price: 6_000, fulfilled: false },
      ],
      customer: { email: shop.buyer.email, first_name: 'Ada', last_name: 'Lovelace' },
      organization: { id: shop.seller },
      shipping_address: { ...ADDRESS, country: 'DE', line2: null },
      note: 'Ring twice',
      payments: [],
    });
    expect(body.tax_lines).toEqual([{ name: 'VAT', rate: '0.19', amount: body.tax }]);
    expect(await stockOf(shop.seller, 'box')).toBe(3);
    const mail = await cloud.mail(shop.buyer.email);
    expect(mail.subject).toContain('1001');
    expect(mail.text).toMatch(/2 × Monitoring box, 1 × Licence/);
    expect(mail.text).toMatch(/Total: EUR.303\.90/);
    expect((await cloud.mail(shop.boss.email)).text).toContain(`Ada Lovelace (${shop.buyer.email})`);
  });

  it('a price that changes later leaves orders as they are', async () => {
    const shop = await openShop();
    const { body } = await place(shop, { items: [{ sku: 'licence' }] });
    await services.products.importCatalogue(OPERATOR, shop.seller, CATALOGUE.replace('EUR: 60', 'EUR: 99'));
    expect((await show(body.id)).total).toBe(6_000);
    expect((await place(shop, { items: [{ sku: 'licence' }] })).body.total).toBe(9_900);
  });

  it('orders are numbered by seller, also when they are placed at once', async () => {
    const shop = await openShop();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => place(shop, { items: [{ sku: 'licence' }] })),
    );
    expect(answers.map(({ body }) => body.number).toSorted()).toEqual([
      '1001',
      '1002',
      '1003',
      '1004',
      '1005',
      '1006',
    ]);
  });

  it.each<[string, object, unknown]>([
    [
      'an unknown SKU',
      { items: [{ sku: 'nothing' }] },
      { errors: { 'items.0.sku': ['is not for sale here'] } },
    ],
    ['a draft', { items: [{ sku: 'planned' }] }, { errors: { 'items.0.sku': ['is not for sale here'] } }],
    [
      'a currency without a price',
      { items: [{ sku: 'licence' }], currency: 'JPY' },
      { errors: { 'items.0.sku': ['is not sold in JPY'] } },
    ],
    [
      'no currency',
      { items: [{ sku: 'licence' }], currency: 'XXY' },
      { errors: { currency: ['is no currency of ISO 4217'] } },
    ],
    [
      'goods without an address',
      { items: [{ sku: 'box' }] },
      { errors: { shipping_address: ["can't be blank: the order has goods to send"] } },
    ],
    [
      'a country that does not exist',
      { items: [{ sku: 'box' }], shipping_address: { ...ADDRESS, country: 'QX' } },
      { errors: { 'shipping_address.country': ['is no country of ISO 3166-1'] } },
    ],
    [
      'more than the stock',
      { items: [{ sku: 'box', quantity: 6 }], shipping_address: ADDRESS },
      { error: 'There are not enough of box in stock' },
    ],
    [
      'a device for goods',
      { items: [{ sku: 'box', device_uid: 'abc' }], shipping_address: ADDRESS },
      { errors: { 'items.0.device_uid': ['is for licences alone'] } },
    ],
    [
      'an unknown device',
      { items: [{ sku: 'licence', device_uid: 'nobody' }] },
      { errors: { 'items.0.device_uid': ['is no device that can be activated'] } },
    ],
  ])('an order of %s is refused, and leaves the stock', async (_what, body, refusal) => {
    const shop = await openShop();
    expectRefused(await place(shop, body), 422, refusal);
    expect(await stockOf(shop.seller, 'box')).toBe(5);
  });

  it("a stranger's order from another organization is refused as if it sold nothing", async () => {
    const shop = await openShop();
    const buyer = await cloud.make.user();
    expectRefused(await place({ ...shop, buyer }, { items: [{ sku: 'licence' }] }), 422, {
      errors: { 'items.0.sku': ['is not for sale here'] },
    });
  });

  it('the last piece is sold once, to one of two who order it at once', async () => {
    const shop = await openShop();
    const all = { items: [{ sku: 'box', quantity: 5 }], shipping_address: ADDRESS };
    const answers = await Promise.all([place(shop, all), place(shop, all)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(await stockOf(shop.seller, 'box')).toBe(0);
  });

  it('a request that is repeated with its key orders once, also at the same time', async () => {
    const shop = await openShop();
    const headers = { 'idempotency-key': '"cart-7"' };
    const order = () => place(shop, { items: [{ sku: 'licence' }] }, headers);
    const [first, second] = await Promise.all([order(), order()]);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expectRefused(await place(shop, { items: [{ sku: 'licence', quantity: 2 }] }, headers), 422, {
      error: 'The Idempotency-Key was used for a request with another body',
    });
    cloud.clock.advance(DAY_MS + 1);
    expect((await order()).body.id).not.toBe(first.body.id);
  });

  it('a refused request leaves its key free', async () => {
    const shop = await openShop();
    const headers = { 'idempotency-key': 'cart-8' };
    expect((await place(shop, { items: [{ sku: 'nothing' }] }, headers)).status).toBe(422);
    expect((await place(shop, { items: [{ sku: 'licence' }] }, headers)).status).toBe(201);
    expect((await place(shop, { items: [{ sku: 'box' }] }, { 'idempotency-key': 'a b' })).status).toBe(400);
  });

  it('an order that costs nothing is paid at once', async () => {
    const shop = await openShop();
    const { body } = await place(shop, { items: [{ sku: 'free' }] });
    expect(body).toMatchObject({ total: 0, payment_state: 'paid' });
  });
});

describe('an order that is marked paid', () => {
  it('the payment covers what is outstanding, the buyer gets a receipt, and a device is activated', async () => {
    const shop = await openShop();
    const uid = await cloud.make.device({ activated: false });
    const { body: placed } = await place(shop, {
      items: [{ sku: 'licence', device_uid: uid.toUpperCase() }],
    });
    await cloud.mail(shop.buyer.email);
    const { status, body } = await markPaid(placed.id, shop.boss.token, {
      reference: 'BANK-77',
      method: 'bank_transfer',
      amount: 6_000,
      currency: 'eur',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'completed',
      payment_state: 'paid',
      paid: 6_000,
      items: [{ device_uid: uid, fulfilled: true }],
      payments: [
        {
          amount: 6_000,
          method: 'bank_transfer',
          reference: 'BANK-77',
          excess: false,
          recorded_by: { id: shop.boss.id },
        },
      ],
    });
    const { body: device } = await cloud.call(`GET /api/v1/devices/${uid}`, { token: operator.token });
    expect(device).toMatchObject({ state: 'unregistered', organization_id: shop.seller });
    expect(await actionsOf(placed.id)).toEqual(['order.created', 'order.paid', 'order.completed']);
    // Two mails of one moment may come in either order.
    const mails = [await cloud.mail(shop.buyer.email), await cloud.mail(shop.buyer.email)];
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Payment received for order ${placed.number}`,
      `Your order ${placed.number} is complete`,
    ]);
  });

  it('a repetition changes nothing, and another reference is refused', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
    const paid = await markPaid(placed.id, shop.boss.token, { reference: 'A' });
    for (const body of [{ reference: 'A' }, {}, undefined]) {
      expect(await markPaid(placed.id, shop.boss.token, body)).toMatchObject({
        status: 200,
        body: paid.body,
      });
    }
    expectRefused(await markPaid(placed.id, shop.boss.token, { reference: 'B' }), 422, {
      errors: { reference: ['is another than that of the payment: the order is paid already'] },
    });
    const { body: other } = await place(shop, { items: [{ sku: 'licence' }] });
    expectRefused(await markPaid(other.id, shop.boss.token, { reference: 'A' }), 422, {
      errors: { reference: ['belongs to the payment of another order'] },
    });
  });

  it('many integrators at once make one payment', async () => {
    const shop = await openShop();
    for (let round = 0; round < 10; round++) {
      const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
      const answers = await Promise.all(
        ['A', 'A', 'B', 'C'].map((name) =>
          markPaid(placed.id, shop.boss.token, { reference: `${name}-${round}` }),
        ),
      );
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const order = await show(placed.id);
      expect([order.payments.length, order.paid]).toEqual([1, 6_000]);
    }
  });

  it.each<[object, object]>([
    [{ amount: 5_999 }, { amount: ['must be 6000, which is still to be paid'] }],
    [{ currency: 'USD' }, { currency: ['must be EUR'] }],
    [{ paid_at: '2099-01-01T00:00:00Z' }, { paid_at: ['must not be in the future'] }],
  ])('a payment with %j is refused', async (body, errors) => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
    expectRefused(await markPaid(placed.id, shop.boss.token, body), 422, { errors });
    expect((await show(placed.id)).payment_state).toBe('unpaid');
  });

  it('the buyer cannot mark it, a session has no scope for it, and a cancelled order is refused', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
    expect((await markPaid(placed.id, shop.buyer.token)).status).toBe(403);
    const session = await cloud.make.token(shop.buyer.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await cloud.call('GET /api/v1/orders', { token: session })).status).toBe(403);
    const own = await cloud.call<BuyerOrder[]>('GET /api/v1/user/orders', { token: session });
    expect(own).toMatchObject({ status: 200, body: [{ id: placed.id }] });
    const cancel = () => cloud.call(`POST /api/v1/user/orders/${placed.id}/cancel`, { token: session });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expectRefused(await markPaid(placed.id, shop.boss.token), 422, {
      error: 'The order is cancelled: it cannot be paid',
    });
  });

  it('the buyer does not see who recorded the payment', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
    await markPaid(placed.id, shop.boss.token);
    const { body } = await cloud.call(`GET /api/v1/user/orders/${placed.id}`, { token: shop.buyer.token });
    expect(body.payments).toEqual([expect.not.objectContaining({ recorded_by: expect.anything() })]);
  });
});

describe('the activation code of an order', () => {
  const make = (shop: Shop, id: number) =>
    cloud.call<{ code: string; uses_left: number }>(`POST /api/v1/user/orders/${id}/activation_code`, {
      token: shop.buyer.token,
    });
  const redeem = async (shop: Shop, code: string) => {
    const uid = await cloud.make.device({ activated: false });
    return cloud.call('POST /api/v1/sites/request_activation', {
      token: shop.buyer.token,
      body: { uid, code },
    });
  };

  it('a paid licence gives a code for as many devices as were bought, and a new one ends it', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence', quantity: 3 }] });
    expectRefused(await make(shop, placed.id), 422, {
      error: 'The order is unpaid: its code is made once it is paid',
    });
    await markPaid(placed.id, shop.boss.token);
    const { status, body: first } = await make(shop, placed.id);
    expect([status, first.uses_left]).toEqual([201, 3]);
    expect((await show(placed.id)).state).toBe('completed');
    expect((await redeem(shop, first.code)).status).toBe(200);
    const { body: second } = await make(shop, placed.id);
    expect(second.uses_left).toBe(2);
    expect((await redeem(shop, first.code)).status).toBe(422);
    expect((await redeem(shop, second.code)).status).toBe(200);
    expect((await redeem(shop, second.code)).status).toBe(200);
    expectRefused(await make(shop, placed.id), 422, {
      error: 'The code of this order has activated all its devices',
    });
    const rows = JSON.stringify(await cloud.db.selectFrom('audit_events').selectAll().execute());
    expect(rows).not.toContain(second.code);
  });

  it('a code that the seller revoked is not replaced', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'licence' }] });
    await markPaid(placed.id, shop.boss.token);
    await make(shop, placed.id);
    await cloud.db.deleteFrom('activation_codes').where('organization_id', '=', shop.seller).execute();
    expectRefused(await make(shop, placed.id), 422, {
      error: 'The seller has revoked the code of this order',
    });
  });

  it('an order without such a licence has none', async () => {
    const shop = await openShop();
    const { body: placed } = await place(shop, { items: [{ sku: 'free' }] });
    expectRefused(await make(shop, placed.id), 422, {
      error: 'The order has no licence that is delivered as a code',
    });
  });
});

describe('what a seller does with an order', () => {
  it('goods are sent, which completes the order, and the buyer learns of the parcel', async () => {
    const shop = await openShop();
    const { orders } = services;
    const { body: placed } = await place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const caller = consoleCaller();
    const parcel = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: null };
    await expect(orders.ship(caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is unpaid: it is delivered once it is paid',
    });
    await markPaid(placed.id, shop.boss.token);
    expect(await orders.ship(caller, placed.id, parcel)).toMatchObject({
      state: 'completed',
      shipments: [{ carrier: 'DHL', tracking_number: '00340', tracking_url: null }],
      items: [{ fulfilled: true }],
    });
    expect(await actionsOf(placed.id)).toContain('order.shipped');
    await expect(orders.ship(caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is completed: nothing of it is left to deliver',
    });
  });

  it('money that is paid back in parts cancels an open order once it is all, and returns the stock', async () => {
    const shop = await openShop();
    const { orders } = services;
    const caller = consoleCaller();
    const { body: placed } = await place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const { body: paid } = await markPaid(placed.id, shop.boss.token, { reference: 'R' });
    const payment = paid.payments[0]?.id ?? 0;
    expect(await orders.refund(caller, placed.id, payment, 1_000)).toMatchObject({
      state: 'open',
      payment_state: 'partially_refunded',
      refunded: 1_000,
    });
    expect((await markPaid(placed.id, shop.boss.token, { reference: 'R' })).status).toBe(200);
    await expect(orders.refund(caller, placed.id, payment, 20_000)).rejects.toMatchObject({ status: 422 });
    expect(await orders.refund(caller, placed.id, payment, null)).toMatchObject({
      state: 'cancelled',
      payment_state: 'refunded',
      refunded: 12_490,
    });
    expect(await stockOf(shop.seller, 'box')).toBe(5);
  });

  it('an unpaid order is cancelled after 30 days, and one that is paid is not', async () => {
    const shop = await openShop();
    const { body: forgotten } = await place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const { body: paid } = await place(shop, { items: [{ sku: 'licence' }] });
    await markPaid(paid.id, shop.boss.token);
    const { orders } = services;
    const run = () =>
      new Housekeeping(cloud.db, cloud.clock, silentLogger, [() => orders.cancelUnpaid()]).run();
    cloud.clock.advance(30 * DAY_MS);
    await run();
    expect((await show(forgotten.id)).state).toBe('open');
    cloud.clock.advance(1);
    await run();
    expect([(await show(forgotten.id)).state, (await show(paid.id)).state]).toEqual(['cancelled', 'open']);
    expect(await stockOf(shop.seller, 'box')).toBe(5);
  });
});

describe('the orders that an account sees', () => {
  it.each([
    ['q=payment_state:paid', ['paid']],
    ['q=state:open+sku:licence', ['paid', 'open']],
    ['q=lovel', ['paid', 'open', 'box']],
    ['q=bank-9', ['paid']],
    ['q=number:1001', ['open']],
    ['q=currency:usd', []],
    ['q=created_after:2000-01-01+kind:box', []],
    ['q=paid_after:2000-01-01', ['paid']],
    ['q=created_before:2000-01-01', []],
    ['limit=1', ['box']],
    ['limit=1&offset=1', ['paid']],
  ])('the search %s finds the orders that match, the newest first', async (query, names) => {
    const shop = await openShop();
    const ids = new Map<number, string>();
    ids.set((await place(shop, { items: [{ sku: 'licence' }] })).body.id, 'open');
    const { body: paid } = await place(shop, { items: [{ sku: 'licence' }] });
    ids.set(paid.id, 'paid');
    const { body: box } = await place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    ids.set(box.id, 'box');
    await markPaid(paid.id, shop.boss.token, { reference: 'BANK-9' });
    const { body } = await cloud.call<Order[]>(`GET /api/v1/orders?${query}`, { token: shop.boss.token });
    const found = body.map(({ id }) => ids.get(id));
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});
