import { type BuyerOrder, type Order, SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESS, TestShops } from '../../../test/shop/orders/shops.ts';
import type { Answer } from '../../../test/test-cloud.ts';
import { consoleCaller } from '../../access/caller.ts';
import { markOrderPaid, refundOrder } from './orders.ts';

let shops: TestShops;
beforeAll(async () => {
  shops = await TestShops.start();
});
afterAll(() => shops?.[Symbol.asyncDispose]());

const expectRefused = (answer: Answer<unknown>, status: number, body: unknown) =>
  expect(answer).toMatchObject({ status, body });

describe('an order that is marked paid', () => {
  it('the payment covers what is outstanding, the buyer gets a receipt, and a device is activated', async () => {
    const shop = await shops.open();
    const uid = await shops.cloud.make.device({ activated: false });
    const { body: placed } = await shops.place(shop, {
      items: [{ sku: 'licence', device_uid: uid.toUpperCase() }],
    });
    await shops.cloud.mail(shop.buyer.email);
    const { status, body } = await shops.markPaid(placed.id, shop, {
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
    expect(await shops.device(uid)).toMatchObject({ state: 'unregistered', organization_id: shop.seller });
    expect(await shops.actionsOf(placed.id)).toEqual(['order.created', 'order.paid', 'order.completed']);
    // Two mails of one moment may come in either order.
    const mails = [await shops.cloud.mail(shop.buyer.email), await shops.cloud.mail(shop.buyer.email)];
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Payment received for order ${placed.number}`,
      `Your order ${placed.number} is complete`,
    ]);
  });

  it('a repetition changes nothing, and another reference is refused', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    const paid = await shops.markPaid(placed.id, shop, { reference: 'A' });
    for (const body of [{ reference: 'A' }, {}, undefined]) {
      expect(await shops.markPaid(placed.id, shop, body)).toMatchObject({
        status: 200,
        body: paid.body,
      });
    }
    expectRefused(await shops.markPaid(placed.id, shop, { reference: 'B' }), 422, {
      errors: { reference: ['is another than that of the payment: the order is paid already'] },
    });
    const { body: other } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    expectRefused(await shops.markPaid(other.id, shop, { reference: 'A' }), 422, {
      errors: { reference: ['belongs to the payment of another order'] },
    });
  });

  it('a reference is free where another seller has it, or a payment through a provider', async () => {
    const [shop, other] = [await shops.open(), await shops.open()];
    const order = async (at = shop) => (await shops.place(at, { items: [{ sku: 'licence' }] })).body.id;
    const reference = 'BANK-1';
    expect((await shops.markPaid(await order(other), other, { reference })).status).toBe(200);
    const [byProvider, third] = [await order(), await order()];
    expect((await shops.markPaid(byProvider, shop, { reference })).status).toBe(200);
    const set = { provider: 'stripe' };
    await shops.cloud.db.updateTable('order_payments').set(set).where('order_id', '=', byProvider).execute();
    expect((await shops.markPaid(third, shop, { reference })).status).toBe(200);
  });

  it.each<[string, object | undefined, object]>([
    ['nothing', undefined, { method: 'other', reference: null, paid_at: 'now' }],
    ['a blank reference', { reference: '  ' }, { method: 'other', reference: null, paid_at: 'now' }],
    ['spaces around it', { reference: ' A ' }, { method: 'other', reference: 'A', paid_at: 'now' }],
    [
      'the day and the way of it',
      { method: 'cash', paid_at: '2026-06-01T00:00:00Z' },
      { method: 'cash', reference: null, paid_at: '2026-06-01T00:00:00.000Z' },
    ],
  ])('a payment that is recorded with %s has that', async (_what, body, expected) => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    shops.cloud.clock.advance(1_000);
    const now = new Date(shops.cloud.clock.now()).toISOString();
    const { body: paid } = await shops.markPaid(placed.id, shop, body);
    const [{ method, reference, paid_at }] = paid.payments as [Order['payments'][number]];
    expect({ method, reference, paid_at: paid_at === now ? 'now' : paid_at }).toEqual(expected);
    expect(paid.paid_at).toBe(paid_at);
    expect(paid.payments[0]?.recorded_at).toBe(now);
  });

  it('many integrators at once make one payment', async () => {
    const shop = await shops.open();
    for (let round = 0; round < 10; round++) {
      const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
      const answers = await Promise.all(
        ['A', 'A', 'B', 'C'].map((name) =>
          shops.markPaid(placed.id, shop, { reference: `${name}-${round}` }),
        ),
      );
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const order = await shops.show(placed.id);
      expect([order.payments.length, order.paid]).toEqual([1, 6_000]);
    }
  });

  it('one reference pays one of two orders that are marked paid at once', async () => {
    const shop = await shops.open();
    for (let round = 0; round < 10; round++) {
      const order = async () => (await shops.place(shop, { items: [{ sku: 'licence' }] })).body.id;
      const ids = [await order(), await order()];
      const reference = `SHARED-${round}`;
      const answers = await Promise.all(ids.map((id) => shops.markPaid(id, shop, { reference })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
      expectRefused(answers.find(({ status }) => status === 422) as Answer<unknown>, 422, {
        errors: { reference: ['belongs to the payment of another order'] },
      });
    }
  });

  it.each<[object, object]>([
    [{ amount: 5_999 }, { amount: ['must be 6000, which is still to be paid'] }],
    [{ currency: 'USD' }, { currency: ['must be EUR'] }],
    [{ paid_at: '2099-01-01T00:00:00Z' }, { paid_at: ['must not be in the future'] }],
  ])('a payment with %j is refused', async (body, errors) => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    expectRefused(await shops.markPaid(placed.id, shop, body), 422, { errors });
    expect((await shops.show(placed.id)).payment_state).toBe('unpaid');
  });

  it('the buyer cannot mark it, a session has no scope for it, and a cancelled order is refused', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    expect((await shops.markPaid(placed.id, shop, undefined, shop.buyer.token)).status).toBe(403);
    const session = await shops.cloud.make.token(shop.buyer.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await shops.cloud.call('GET /api/v1/orders', { token: session })).status).toBe(403);
    const own = await shops.cloud.call<BuyerOrder[]>('GET /api/v1/user/orders', { token: session });
    expect(own).toMatchObject({ status: 200, body: [{ id: placed.id }] });
    const cancel = () => shops.cloud.call(`POST /api/v1/user/orders/${placed.id}/cancel`, { token: session });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expectRefused(await shops.markPaid(placed.id, shop), 422, {
      error: 'The order is cancelled: it cannot be paid, but another one can be placed',
    });
  });

  it('a payment of this moment is not one of the future, and each wrong fact of one is named', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    const now = shops.cloud.clock.now();
    const paidAt = (ms: number) => ({ paid_at: new Date(ms).toISOString() });
    const wrong = { amount: 1, currency: 'usd', ...paidAt(now + 1) };
    expectRefused(await shops.markPaid(placed.id, shop, wrong), 422, {
      errors: {
        amount: ['must be 6000, which is still to be paid'],
        currency: ['must be EUR'],
        paid_at: ['must not be in the future'],
      },
    });
    const right = { amount: 6_000, currency: 'eur', ...paidAt(now) };
    expect((await shops.markPaid(placed.id, shop, right)).body).toMatchObject(paidAt(now));
  });

  it('a key of idempotency counts for one order: with it another one is paid, too', async () => {
    const shop = await shops.open();
    const headers = { 'idempotency-key': 'payment-7' };
    const states: unknown[] = [];
    for (let nth = 0; nth < 2; nth++) {
      const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
      const route = `POST /api/v1/orders/${placed.id}/mark_paid`;
      const { status, body } = await shops.cloud.call<Order>(route, { token: shop.boss.token, headers });
      states.push([status, body.id === placed.id, body.payment_state]);
    }
    expect(states).toEqual(Array.from({ length: 2 }, () => [200, true, 'paid']));
  });

  it.each([
    ['by a person: with the name', { first_name: 'Bea', last_name: 'Boss' }, 'Bea Boss'],
    ['by a person without a last name', { first_name: 'Bea', last_name: '' }, 'Bea'],
    ['by a person without a name: with the address', { first_name: '', last_name: '' }, undefined],
  ])('the seller sees who recorded a payment, %s', async (_who, set, name) => {
    const shop = await shops.open();
    await shops.cloud.db.updateTable('users').set(set).where('id', '=', shop.boss.id).execute();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.markPaid(placed.id, shop);
    const [payment] = (await shops.show(placed.id)).payments;
    expect(payment?.recorded_by).toEqual({ id: shop.boss.id, name: name ?? shop.boss.email });
  });

  it('a payment that the command line recorded has no person', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await markOrderPaid(shops.platform, consoleCaller(), { params: { id: placed.id }, body: {} });
    expect((await shops.show(placed.id)).payments).toMatchObject([{ recorded_by: null }]);
  });

  it('the buyer does not see who recorded the payment', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.markPaid(placed.id, shop);
    const { body } = await shops.cloud.call(`GET /api/v1/user/orders/${placed.id}`, {
      token: shop.buyer.token,
    });
    expect(body.payments).toEqual([expect.not.objectContaining({ recorded_by: expect.anything() })]);
  });
});

describe('the activation code of an order', () => {
  it('a paid licence gives a code for as many devices as were bought, and a new one ends it', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence', quantity: 3 }] });
    expectRefused(await shops.makeCode(shop, placed.id), 422, {
      error: 'The order is unpaid: it has no code yet, but it can be paid or cancelled',
    });
    await shops.markPaid(placed.id, shop);
    const { status, body: first } = await shops.makeCode(shop, placed.id);
    expect([status, first.uses_left]).toEqual([201, 3]);
    expect((await shops.show(placed.id)).state).toBe('completed');
    expect((await shops.redeem(shop, first.code)).status).toBe(200);
    const { body: second } = await shops.makeCode(shop, placed.id);
    expect(second.uses_left).toBe(2);
    expect((await shops.redeem(shop, first.code)).status).toBe(422);
    expect((await shops.redeem(shop, second.code)).status).toBe(200);
    expect((await shops.redeem(shop, second.code)).status).toBe(200);
    expectRefused(await shops.makeCode(shop, placed.id), 422, {
      error: 'The code of this order has activated all its devices',
    });
    const made = 'order.activation_code_made';
    expect(await shops.actionsOf(placed.id)).toEqual([
      ...['order.created', 'order.paid', made, 'order.completed', made],
    ]);
    const rows = JSON.stringify(await shops.cloud.db.selectFrom('audit_events').selectAll().execute());
    expect(rows).not.toContain(second.code);
  });

  it('a code that the seller revoked is not replaced', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.markPaid(placed.id, shop);
    await shops.makeCode(shop, placed.id);
    await shops.cloud.db.deleteFrom('activation_codes').where('organization_id', '=', shop.seller).execute();
    expectRefused(await shops.makeCode(shop, placed.id), 422, {
      error: 'The seller has revoked the code of this order',
    });
  });

  it('a code is for the devices of all licences that name none, and is there while the order is paid in part', async () => {
    const shop = await shops.open();
    const uid = await shops.cloud.make.device({ activated: false });
    const { body: placed } = await shops.place(shop, {
      items: [
        { sku: 'duo', quantity: 2 },
        { sku: 'licence' },
        { sku: 'licence', device_uid: uid },
        { sku: 'box' },
      ],
      shipping_address: ADDRESS,
    });
    const { body: paid } = await shops.markPaid(placed.id, shop);
    await refundOrder(shops.platform, consoleCaller(), placed.id, paid.payments[0]?.id ?? 0, 1);
    expect((await shops.makeCode(shop, placed.id)).body.uses_left).toBe(5);
    const { state, items } = await shops.show(placed.id);
    expect([state, ...items.map(({ fulfilled }) => fulfilled)]).toEqual(['open', true, true, true, false]);
  });

  it('an order without such a licence has none', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'free' }] });
    expectRefused(await shops.makeCode(shop, placed.id), 422, {
      error: 'The order has no licence that is delivered as a code',
    });
  });
});
