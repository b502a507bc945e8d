import type { Order } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleCaller } from '../../access/caller.ts';
import { Housekeeping } from '../../housekeeping/housekeeping.ts';
import { ADDRESS, TestShops } from './testing/shops.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let shops: TestShops;
beforeAll(async () => {
  shops = await TestShops.start();
});
afterAll(() => shops?.[Symbol.asyncDispose]());

describe('what a seller does with an order', () => {
  it('goods are sent, which completes the order, and the buyer learns of the parcel', async () => {
    const shop = await shops.open();
    const { orders } = shops.services;
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const caller = consoleCaller();
    const parcel = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: null };
    await expect(orders.ship(caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is unpaid: it cannot be delivered yet, but it can be paid or cancelled',
    });
    await shops.markPaid(placed.id, shop);
    expect(await orders.ship(caller, placed.id, parcel)).toMatchObject({
      state: 'completed',
      shipments: [{ carrier: 'DHL', tracking_number: '00340', tracking_url: null }],
      items: [{ fulfilled: true }],
    });
    expect(await shops.actionsOf(placed.id)).toContain('order.shipped');
    await expect(orders.ship(caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is completed: nothing of it is left to deliver, but its money can be paid back',
    });
  });

  it('money that is paid back in parts cancels an open order once it is all, and returns the stock', async () => {
    const shop = await shops.open();
    const { orders } = shops.services;
    const caller = consoleCaller();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const { body: paid } = await shops.markPaid(placed.id, shop, { reference: 'R' });
    const payment = paid.payments[0]?.id ?? 0;
    expect(await orders.refund(caller, placed.id, payment, 1_000)).toMatchObject({
      state: 'open',
      payment_state: 'partially_refunded',
      refunded: 1_000,
    });
    expect((await shops.markPaid(placed.id, shop, { reference: 'R' })).status).toBe(200);
    await expect(orders.refund(caller, placed.id, payment, 20_000)).rejects.toMatchObject({ status: 422 });
    expect(await orders.refund(caller, placed.id, payment, null)).toMatchObject({
      state: 'cancelled',
      payment_state: 'refunded',
      refunded: 12_490,
    });
    expect(await shops.stockOf(shop.seller, 'box')).toBe(5);
  });

  it('the activation code of an order ends when all of its money is paid back', async () => {
    const shop = await shops.open();
    const { orders } = shops.services;
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence', quantity: 2 }] });
    const { body: paid } = await shops.markPaid(placed.id, shop);
    const { body: made } = await shops.makeCode(shop, placed.id);
    expect((await shops.redeem(shop, made.code)).status).toBe(200);
    const payment = paid.payments[0]?.id ?? 0;
    await orders.refund(consoleCaller(), placed.id, payment, 1);
    expect((await shops.makeCode(shop, placed.id)).body.uses_left).toBe(1);
    const { body: again } = await shops.makeCode(shop, placed.id);
    await orders.refund(consoleCaller(), placed.id, payment, null);
    expect((await shops.redeem(shop, again.code)).status).toBe(422);
    expect((await shops.makeCode(shop, placed.id)).status).toBe(422);
    expect(await shops.show(placed.id)).toMatchObject({ state: 'completed', payment_state: 'refunded' });
  });

  it('an unpaid order is cancelled after 30 days, and one that is paid is not', async () => {
    const shop = await shops.open();
    const { body: forgotten } = await shops.place(shop, {
      items: [{ sku: 'box' }],
      shipping_address: ADDRESS,
    });
    const { body: paid } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.markPaid(paid.id, shop);
    const { orders } = shops.services;
    const run = () =>
      new Housekeeping(shops.cloud.db, shops.cloud.clock, silentLogger, [() => orders.cancelUnpaid()]).run();
    shops.cloud.clock.advance(30 * DAY_MS);
    await run();
    expect((await shops.show(forgotten.id)).state).toBe('open');
    shops.cloud.clock.advance(1);
    await run();
    expect([(await shops.show(forgotten.id)).state, (await shops.show(paid.id)).state]).toEqual([
      'cancelled',
      'open',
    ]);
    expect(await shops.stockOf(shop.seller, 'box')).toBe(5);
  });
});

describe('the orders that an account sees', () => {
  it.each([
    ['q=payment_state:paid', ['paid']],
    ['q=state:open+sku:licence', ['paid', 'open']],
    ['q=lovel', ['box', 'paid', 'open']],
    ['q=lovelace+monit', ['box']],
    ['q=sku:licence+1002', ['paid']],
    ['q=bank-9', ['paid']],
    ['q=number:1001', ['open']],
    ['q=currency:usd', []],
    ['q=created_after:2000-01-01+kind:box', []],
    ['q=paid_after:2000-01-01', ['paid']],
    ['q=created_before:2000-01-01', []],
    ['limit=1', ['box']],
    ['limit=1&offset=1', ['paid']],
  ])('the search %s finds the orders that match, the newest first', async (query, names) => {
    const shop = await shops.open();
    const ids = new Map<number, string>();
    ids.set((await shops.place(shop, { items: [{ sku: 'licence' }] })).body.id, 'open');
    const { body: paid } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    ids.set(paid.id, 'paid');
    const { body: box } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    ids.set(box.id, 'box');
    await shops.markPaid(paid.id, shop, { reference: 'BANK-9' });
    const { body } = await shops.cloud.call<Order[]>(`GET /api/v1/orders?${query}`, {
      token: shop.boss.token,
    });
    const found = body.map(({ id }) => ids.get(id));
    expect(found).toEqual(names);
  });
});
