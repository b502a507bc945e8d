import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../access/caller.ts';
import type { Answer } from '../../testing/test-cloud.ts';
import { ADDRESS, CATALOGUE, TestShops } from './testing/shops.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let shops: TestShops;
beforeAll(async () => {
  shops = await TestShops.start();
});
afterAll(() => shops?.[Symbol.asyncDispose]());

const expectRefused = (answer: Answer<unknown>, status: number, body: unknown) =>
  expect(answer).toMatchObject({ status, body });

describe('placing an order', () => {
  it('an order copies prices, has taxes and delivery, takes from stock, and mails buyer and seller', async () => {
    const shop = await shops.open();
    const { status, body } = await shops.place(shop, {
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
    expect(await shops.stockOf(shop.seller, 'box')).toBe(3);
    const mail = await shops.cloud.mail(shop.buyer.email);
    expect(mail.subject).toContain('1001');
    expect(mail.text).toMatch(/2 × Monitoring box, 1 × Licence/);
    expect(mail.text).toMatch(/Total: EUR.303\.90/);
    const sold = await shops.cloud.mail(shop.boss.email);
    expect(sold.text).toContain(`Ada Lovelace (${shop.buyer.email})`);
    expect(sold.text).toContain(`${shops.cloud.url}/organizations/${shop.seller}/orders/${body.id}`);
  });

  it('a price that changes later leaves orders as they are', async () => {
    const shop = await shops.open();
    const { body } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.services.products.importCatalogue(
      OPERATOR,
      shop.seller,
      CATALOGUE.replace('EUR: 60', 'EUR: 99'),
    );
    expect((await shops.show(body.id)).total).toBe(6_000);
    expect((await shops.place(shop, { items: [{ sku: 'licence' }] })).body.total).toBe(9_900);
  });

  it('orders are numbered by seller, also when they are placed at once', async () => {
    const shop = await shops.open();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shops.place(shop, { items: [{ sku: 'licence' }] })),
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
      'a region that is no country',
      { items: [{ sku: 'box' }], shipping_address: { ...ADDRESS, country: 'ZZ' } },
      { errors: { 'shipping_address.country': ['is no country of ISO 3166-1'] } },
    ],
    [
      'an address with a blank name',
      { items: [{ sku: 'box' }], shipping_address: { ...ADDRESS, name: ' ' } },
      { errors: { 'shipping_address.name': ["can't be blank"] } },
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
    const shop = await shops.open();
    expectRefused(await shops.place(shop, body), 422, refusal);
    expect(await shops.stockOf(shop.seller, 'box')).toBe(5);
  });

  it("a stranger's order from another organization is refused as if it sold nothing", async () => {
    const shop = await shops.open();
    const buyer = await shops.cloud.make.user();
    expectRefused(await shops.place({ ...shop, buyer }, { items: [{ sku: 'licence' }] }), 422, {
      errors: { 'items.0.sku': ['is not for sale here'] },
    });
  });

  it('the last piece is sold once, to one of two who order it at once', async () => {
    const shop = await shops.open();
    const all = { items: [{ sku: 'box', quantity: 5 }], shipping_address: ADDRESS };
    const answers = await Promise.all([shops.place(shop, all), shops.place(shop, all)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(await shops.stockOf(shop.seller, 'box')).toBe(0);
  });

  it('a request that is repeated with its key orders once, also at the same time', async () => {
    const shop = await shops.open();
    const headers = { 'idempotency-key': '"cart-7"' };
    const order = () => shops.place(shop, { items: [{ sku: 'licence' }] }, headers);
    const [first, second] = await Promise.all([order(), order()]);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expectRefused(await shops.place(shop, { items: [{ sku: 'licence', quantity: 2 }] }, headers), 422, {
      error: 'The Idempotency-Key was used for a request with another body',
    });
    shops.cloud.clock.advance(DAY_MS + 1);
    expect((await order()).body.id).not.toBe(first.body.id);
  });

  it('a refused request leaves its key free', async () => {
    const shop = await shops.open();
    const headers = { 'idempotency-key': 'cart-8' };
    expect((await shops.place(shop, { items: [{ sku: 'nothing' }] }, headers)).status).toBe(422);
    expect((await shops.place(shop, { items: [{ sku: 'licence' }] }, headers)).status).toBe(201);
    expect((await shops.place(shop, { items: [{ sku: 'box' }] }, { 'idempotency-key': 'a b' })).status).toBe(
      400,
    );
  });

  it('an order that costs nothing is paid at once', async () => {
    const shop = await shops.open();
    const { body } = await shops.place(shop, { items: [{ sku: 'free' }] });
    expect(body).toMatchObject({ total: 0, payment_state: 'paid' });
  });
});
