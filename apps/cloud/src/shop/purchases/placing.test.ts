import { MAX_AMOUNT } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESS, CATALOGUE, TestShops } from '../../../test/shop/orders/shops.ts';
import type { Answer } from '../../../test/test-cloud.ts';
import { OPERATOR } from '../../access/caller.ts';
import { importCatalogueFile } from '../products/catalogues.ts';

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
    await importCatalogueFile(shops.platform, OPERATOR, shop.seller, CATALOGUE.replace('EUR: 60', 'EUR: 99'));
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
      'an accessory without an address',
      { items: [{ sku: 'cable' }], currency: 'USD', billing_address: ADDRESS },
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
      'more than the stock in two lines',
      {
        items: [
          { sku: 'box', quantity: 3 },
          { sku: 'box', quantity: 3 },
        ],
        shipping_address: ADDRESS,
      },
      { error: 'There are not enough of box in stock' },
    ],
    [
      'a device for goods',
      { items: [{ sku: 'box', device_uid: 'abc' }], shipping_address: ADDRESS },
      { errors: { 'items.0.device_uid': ['is for licences alone'] } },
    ],
    [
      'two licences for one device',
      { items: [{ sku: 'licence', quantity: 2, device_uid: 'abc' }] },
      { errors: { 'items.0.device_uid': ['is for one licence of one device: leave it out to get a code'] } },
    ],
    [
      'a licence of two devices for one',
      { items: [{ sku: 'duo', device_uid: 'abc' }] },
      { errors: { 'items.0.device_uid': ['is for one licence of one device: leave it out to get a code'] } },
    ],
    [
      'two wrong items and a right one',
      { items: [{ sku: 'nothing' }, { sku: 'licence' }, { sku: 'free', device_uid: 'abc' }] },
      {
        errors: {
          'items.0.sku': ['is not for sale here'],
          'items.2.device_uid': ['is for licences alone'],
        },
      },
    ],
    [
      'more than any order can cost',
      { items: [{ sku: 'dear' }, { sku: 'licence' }] },
      { error: 'The order is too large' },
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

  it('a licence is for a device that is known and not revoked, in any letter case, and for none where it is blank', async () => {
    const shop = await shops.open();
    const { make, db } = shops.cloud;
    const [uid, revoked] = [await make.device(), await make.device()];
    const revoked_at = new Date(shops.cloud.clock.now());
    await db.updateTable('devices').set({ revoked_at }).where('uid', '=', revoked).execute();
    const order = (device_uid: string | null) =>
      shops.place(shop, { items: [{ sku: 'licence', device_uid }] });
    expectRefused(await order(revoked), 422, {
      errors: { 'items.0.device_uid': ['is no device that can be activated'] },
    });
    for (const [given, stored] of [
      [uid.toUpperCase(), uid],
      ['  ', null],
      [null, null],
    ] as const)
      expect((await order(given)).body.items).toMatchObject([{ device_uid: stored }]);
  });

  it('spaces around the lines of an address and a note are left out, and blank ones are none', async () => {
    const shop = await shops.open();
    const blank = { company: ' ', line2: '', region: null, phone: '  ' };
    const given = { name: ' Ada ', line1: ' Main 1 ', city: ' Berlin ', postal_code: ' 10115 ' };
    const stored = { name: 'Ada', line1: 'Main 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
    const items = [{ sku: 'free' }];
    const vat_number = ' DE136695976 ';
    const { body } = await shops.place(shop, {
      items,
      note: ' Ring twice ',
      billing_address: { ...blank, ...given, country: 'de', vat_number },
    });
    expect(body).toMatchObject({
      note: 'Ring twice',
      billing_address: {
        ...{ ...stored, company: null, line2: null, region: null, phone: null, vat_number: 'DE136695976' },
      },
      shipping_address: null,
    });
    for (const note of [' ', null])
      expect((await shops.place(shop, { items, note })).body).toMatchObject({
        note: null,
        billing_address: null,
      });
  });

  it.each([
    ['GB', 'XI 123 456 789', 'XI123456789'],
    ['RO', 'RO12345', 'RO12345'],
    ['CH', 'CHE-123.456.789 MWST', 'CHE123456789'],
    ['GR', 'GR123456789', 'EL123456789'],
    ['BE', '0123456749', 'BE0123456749'],
    ['BE', 'BE0123456748', undefined],
    ['RO', 'none', undefined],
  ])('a VAT number of %s, typed %s, is stored as %s or refused', async (country, vat_number, stored) => {
    const shop = await shops.open();
    const billing_address = { ...ADDRESS, country, vat_number };
    const { status, body } = await shops.place(shop, { items: [{ sku: 'free' }], billing_address });
    if (stored !== undefined) expect(body.billing_address?.vat_number).toBe(stored);
    else
      expect([status, body]).toMatchObject([
        422,
        { errors: { 'billing_address.vat_number': [`is not a VAT number of ${country}`] } },
      ]);
  });

  it.each<[string, object, readonly number[]]>([
    [
      'a licence needs no parcel',
      { items: [{ sku: 'licence' }], shipping_address: ADDRESS },
      [6_000, 0, 958],
    ],
    ['goods need one', { items: [{ sku: 'box' }], shipping_address: ADDRESS }, [12_490, 590, 1_994]],
    [
      'goods in a currency without a price of parcels',
      { items: [{ sku: 'cable' }], currency: 'usd', shipping_address: ADDRESS },
      [1_000, 0, 160],
    ],
    [
      'goods for another country',
      { items: [{ sku: 'box' }], shipping_address: { ...ADDRESS, country: 'FR' } },
      [12_490, 590, 2_082],
    ],
    [
      'goods for the country of the parcel, not that of the bill',
      { items: [{ sku: 'box' }], shipping_address: ADDRESS, billing_address: { ...ADDRESS, country: 'FR' } },
      [12_490, 590, 1_994],
    ],
    [
      'licences for the country of the bill',
      { items: [{ sku: 'licence' }], billing_address: { ...ADDRESS, country: 'FR' } },
      [6_000, 0, 1_000],
    ],
    [
      'goods for a business abroad by its number on the parcel',
      {
        items: [{ sku: 'box' }],
        shipping_address: { ...ADDRESS, country: 'FR', vat_number: 'FR40303265045' },
      },
      [12_490, 590, 0],
    ],
    [
      'goods for a business abroad by its number on the bill',
      {
        items: [{ sku: 'box' }],
        shipping_address: { ...ADDRESS, country: 'FR' },
        billing_address: { ...ADDRESS, country: 'FR', vat_number: 'FR40303265045' },
      },
      [12_490, 590, 0],
    ],
    [
      'goods for a business abroad by the number on the parcel, not the one on the bill',
      {
        items: [{ sku: 'box' }],
        shipping_address: { ...ADDRESS, country: 'FR', vat_number: 'FR40303265045' },
        billing_address: { ...ADDRESS, vat_number: 'DE136695976' },
      },
      [12_490, 590, 0],
    ],
    [
      'goods for an address abroad of a business whose number is that of another country',
      {
        items: [{ sku: 'box' }],
        shipping_address: { ...ADDRESS, country: 'FR' },
        billing_address: { ...ADDRESS, vat_number: 'DE136695976' },
      },
      [12_490, 590, 2_082],
    ],
  ])('the total, parcel and tax of an order: %s', async (_what, body, expected) => {
    const shop = await shops.open();
    const { status, body: order } = await shops.place(shop, body);
    expect([status, order.total, order.shipping, order.tax]).toEqual([201, ...expected]);
  });

  it('an order costs as much as the largest amount, and no more', async () => {
    const shop = await shops.open();
    const prices = [{ amount: 1, currency: 'EUR' }];
    await shops.cloud.make.product(shop.seller, { sku: 'cent', kind: 'service', prices });
    const order = (quantity: number) =>
      shops.place(shop, { items: [{ sku: 'dear' }, { sku: 'cent', quantity }] });
    expect(await order(1)).toMatchObject({ status: 201, body: { total: MAX_AMOUNT } });
    expectRefused(await order(2), 422, { error: 'The order is too large' });
  });

  it('an account places 50 orders a day, and others are not counted with it', async () => {
    const shop = await shops.open();
    const order = async (by = shop) => (await shops.place(by, { items: [{ sku: 'free' }] })).status;
    expect(await order()).toBe(201);
    await shops.cloud.multiplyCounts(49);
    expect(await order()).toBe(201);
    expect(await order()).toBe(429);
    const buyer = await shops.cloud.make.user({ customerOf: shop.seller });
    expect(await order({ ...shop, buyer })).toBe(201);
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
    const paid_at = new Date(shops.cloud.clock.now()).toISOString();
    expect(body).toMatchObject({ total: 0, payment_state: 'paid', paid_at });
    expect((await shops.show(body.id)).payments).toMatchObject([
      { amount: 0, currency: 'EUR', method: 'other', provider: null, reference: null, recorded_by: null },
    ]);
  });
});
