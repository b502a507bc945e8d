import type { BuyerOrder, Order, OrderCheckout } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { ADDRESS, CATALOGUE, TestShops } from '../../../test/shop/orders/shops.ts';
import {
  type StandInSession,
  StripeStandIn,
  signatureOf,
  WEBHOOK_SECRET,
} from '../../../test/shop/payments/stripe.ts';
import { OPERATOR } from '../../access/caller.ts';
import { openDatabase } from '../../db/open.ts';
import { importCatalogueFile } from '../products/catalogues.ts';
import { closeNeedlessCheckouts } from './online.ts';
import { StripeProvider } from './stripe.ts';

let stripe: StripeStandIn;
let shops: TestShops;
let buyer: TestUser;
let operator: TestUser;
beforeAll(async () => {
  stripe = await StripeStandIn.start(() => shops.cloud.clock.now());
  shops = await TestShops.start({ stripe: stripe.config });
  await importCatalogueFile(
    shops.platform,
    OPERATOR,
    null,
    CATALOGUE.replace('EUR: 119 }, stock: 5', 'EUR: 119, KWD: 1.234 }'),
  );
  operator = await shops.cloud.make.user({ staff: true });
});
afterAll(async () => {
  await shops?.[Symbol.asyncDispose]();
  await stripe?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  stripe.failure = undefined;
  buyer = await shops.cloud.make.user({ firstName: 'Ada' });
});

const MINUTE_MS = 60_000;

/** A loaded machine takes as long as it needs. */
const PATIENCE = { timeout: 60_000, interval: 50 };

async function place(body: object = { items: [{ sku: 'licence' }] }): Promise<BuyerOrder> {
  const { body: order } = await shops.cloud.call<BuyerOrder>('POST /api/v1/user/orders', {
    token: buyer.token,
    body: { currency: 'eur', ...body },
  });
  return order;
}
const pay = (id: number, token = buyer.token) =>
  shops.cloud.call<OrderCheckout>(`POST /api/v1/user/orders/${id}/pay`, { token });
const own = async (id: number) =>
  (await shops.cloud.call<BuyerOrder>(`GET /api/v1/user/orders/${id}`, { token: buyer.token })).body;
const shown = (id: number): Promise<Order> => shops.show(id);

/** Begins to pay an order. */
async function sessionOf({ id }: { readonly id: number }): Promise<StandInSession> {
  const { body } = await pay(id);
  const session = [...stripe.sessions.values()].find(({ url }) => url === body.url);
  if (session === undefined) throw new Error('No checkout was made');
  return session;
}

describe('paying an order', () => {
  it('the buyer gets a page for the exact total, which is the same until it expires', async () => {
    const order = await place();
    expect(order).toMatchObject({ total: 6000, payable_online: true });
    const { status, body } = await pay(order.id);
    expect(status).toBe(200);
    expect(await pay(order.id)).toMatchObject({ body });
    const session = await sessionOf(order);
    expect(session).toMatchObject({
      amount_total: 6000,
      currency: 'eur',
      client_reference_id: String(order.id),
      success_url: `${shops.cloud.url}/user/orders/${order.id}?paid=stripe`,
    });
    shops.cloud.clock.advance(24 * 60 * MINUTE_MS);
    const second = await sessionOf(order);
    expect(second.id).not.toBe(session.id);
  });

  it('two requests at once get the same page', async () => {
    const order = await place();
    const [one, other] = await Promise.all([pay(order.id), pay(order.id)]);
    expect(one.body.url).toBe(other.body.url);
  });

  it('a notification of Stripe marks the order paid, mails the buyer and delivers', async () => {
    const order = await place();
    const session = await sessionOf(order);
    expect((await stripe.notify(shops.cloud, stripe.paid(session))).status).toBe(204);
    expect(await own(order.id)).toMatchObject({
      payment_state: 'paid',
      paid: 6000,
      payable_online: false,
      payments: [
        {
          amount: 6000,
          method: 'card',
          provider: 'stripe',
          reference: session.payment_intent,
          excess: false,
        },
      ],
    });
    expect(await shops.actionsOf(order.id)).toEqual(['order.created', 'order.paid']);
    expect((await pay(order.id)).body).toEqual({
      error: 'The order is paid: it cannot be paid, but it can be delivered or paid back',
    });
  });

  it('a way of paying that takes days marks the order once it has succeeded', async () => {
    const order = await place();
    const session = await sessionOf(order);
    await stripe.notify(shops.cloud, stripe.paid(session, { payment_status: 'unpaid' }));
    expect((await shown(order.id)).payment_state).toBe('unpaid');
    const late = stripe.paid(session, {}, 'checkout.session.async_payment_succeeded');
    await stripe.notify(shops.cloud, late);
    expect(await shown(order.id)).toMatchObject({ payment_state: 'paid', payments: [{}] });
  });

  it("another account's order is not found, and one of an organization or without a price is not paid online", async () => {
    const order = await place();
    const stranger = await shops.cloud.make.user();
    expect((await pay(order.id, stranger.token)).status).toBe(404);
    const shop = await shops.open();
    const { body } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    expect(body.payable_online).toBe(false);
    expect((await pay(body.id, shop.buyer.token)).body).toEqual({
      error: 'This order is not paid online: pay it as its seller asks',
    });
    expect((await place({ items: [{ sku: 'free' }] })).payable_online).toBe(false);
    // Stripe takes Kuwaiti dinars in tens of fils alone.
    const dinars = await place({ items: [{ sku: 'box' }], currency: 'kwd', shipping_address: ADDRESS });
    expect(dinars).toMatchObject({ total: 1234, payable_online: false });
  });

  it.each([
    [500, 'api_error', 503],
    [400, 'invalid_request_error', 422],
  ])(
    'a buyer is refused while Stripe answers %i %s, with %i, and pays later',
    async (status, type, expected) => {
      const order = await place();
      stripe.failure = { status, type };
      expect((await pay(order.id)).status).toBe(expected);
      stripe.failure = undefined;
      expect((await pay(order.id)).status).toBe(200);
    },
  );

  it('a cancelled order takes no payment any more: its page at Stripe ends', async () => {
    const order = await place();
    const session = await sessionOf(order);
    await shops.cloud.call(`POST /api/v1/user/orders/${order.id}/cancel`, { token: buyer.token });
    expect(stripe.sessions.get(session.id)?.status).toBe('expired');
    expect((await pay(order.id)).status).toBe(422);
  });

  /** As housekeeping does. */
  async function closeNeedless(): Promise<void> {
    const { cloud } = shops;
    const { db, close } = openDatabase(cloud.databaseUrl, () => undefined);
    const { clock } = cloud;
    const common = { clock, logger: silentLogger };
    const config = { ...common, config: stripe.config, cloudUrl: () => cloud.url };
    const provider = await StripeProvider.start(config);
    await closeNeedlessCheckouts({ db, clock, paymentProvider: provider });
    await close();
  }

  it('housekeeping ends exactly the open pages of orders that are not to be paid any more', async () => {
    const { db, clock } = shops.cloud;
    const set = (
      table: 'orders' | 'payment_checkouts',
      column: 'id' | 'order_id',
      id: number,
      values: object,
    ) =>
      db
        .updateTable(table)
        .set(values)
        .where(column as 'id', '=', id as never)
        .execute();
    const rows: [string, (id: number) => Promise<unknown>, 'open' | 'expired'][] = [
      ['unpaid', async () => undefined, 'open'],
      [
        'paid by transfer',
        (id) => shops.cloud.call(`POST /api/v1/orders/${id}/mark_paid`, { token: operator.token }),
        'expired',
      ],
      [
        'cancelled',
        (id) => set('orders', 'id', id, { state: 'cancelled', cancelled_at: new Date(clock.now()) }),
        'expired',
      ],
      [
        'paid, with a page that is closed',
        (id) => set('payment_checkouts', 'order_id', id, { closed_at: new Date(0) }),
        'open',
      ],
      [
        'paid, with a page that has expired',
        (id) => set('payment_checkouts', 'order_id', id, { expires_at: new Date(clock.now()) }),
        'open',
      ],
      [
        'paid, with a page of another provider',
        (id) => set('payment_checkouts', 'order_id', id, { provider: 'other' }),
        'open',
      ],
    ];
    const made: [string, StandInSession, string][] = [];
    for (const [what, step, status] of rows) {
      const order = await place();
      const session = await sessionOf(order);
      await step(order.id);
      if (what.startsWith('paid, '))
        await set('orders', 'id', order.id, { payment_state: 'paid', paid: 6_000 });
      made.push([what, session, status]);
    }
    await closeNeedless();
    const after = () => made.map(([what, { id }]) => [what, stripe.sessions.get(id)?.status]);
    expect(after()).toEqual(made.map(([what, , status]) => [what, status]));
    const requests = stripe.requests.length;
    await closeNeedless();
    expect(stripe.requests).toHaveLength(requests);
  });
});

describe('notifications of Stripe', () => {
  it.each<[string, { secret?: string; at?: number }]>([
    ['forged', { secret: 'whsec_of_somebody_else' }],
    ['old', { at: -6 * MINUTE_MS }],
  ])('a %s signature marks nothing, and the right one does afterwards', async (_kind, { secret, at }) => {
    const order = await place();
    const event = stripe.paid(await sessionOf(order));
    const given = {
      ...(secret !== undefined && { secret }),
      ...(at !== undefined && { at: shops.cloud.clock.now() + at }),
    };
    expect((await stripe.notify(shops.cloud, event, given)).status).toBe(400);
    expect((await shown(order.id)).payment_state).toBe('unpaid');
    expect((await stripe.notify(shops.cloud, event)).status).toBe(204);
    expect((await shown(order.id)).payment_state).toBe('paid');
  });

  it.each([
    ['no signature', {}],
    ['a signature that is none', { 'stripe-signature': 'x' }],
  ])('a notification with %s is refused', async (_kind, headers) => {
    const raw = JSON.stringify(stripe.event('checkout.session.completed', {}));
    const answer = await shops.cloud.call('POST /webhooks/payments/stripe', { raw, headers });
    expect(answer.status).toBe(400);
  });

  it('a signed body that is no event is refused, and one of 300 KB with 413', async () => {
    const send = (raw: string) => {
      const at = shops.cloud.clock.now();
      const signature = signatureOf(raw, { secret: WEBHOOK_SECRET, at });
      const headers = { 'stripe-signature': signature };
      return shops.cloud.call('POST /webhooks/payments/stripe', { raw, headers });
    };
    expect((await send('no json')).status).toBe(400);
    expect((await send('{}')).status).toBe(400);
    expect((await send('x'.repeat(300_000))).status).toBe(413);
  });

  it('a notification that Stripe signs with the secret and the one that replaces it counts with either', async () => {
    const order = await place();
    const raw = JSON.stringify(stripe.paid(await sessionOf(order)));
    const at = shops.cloud.clock.now();
    const [, replacement] = signatureOf(raw, { secret: 'whsec_of_the_next_one', at }).split(',');
    const signature = `${signatureOf(raw, { secret: WEBHOOK_SECRET, at })},${replacement}`;
    const reordered = signature.replace(/^(t=\d+),(v1=\w+),(v1=\w+)$/, '$1,$3,$2');
    for (const header of [signature, reordered]) {
      const headers = { 'stripe-signature': header };
      expect((await shops.cloud.call('POST /webhooks/payments/stripe', { raw, headers })).status).toBe(204);
    }
    expect((await shown(order.id)).payments).toHaveLength(1);
  });

  it('a repeated notification has no second effect, also at the same moment', async () => {
    const order = await place();
    const event = stripe.paid(await sessionOf(order));
    const answers = await Promise.all([1, 2, 3].map(() => stripe.notify(shops.cloud, event)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await shown(order.id)).payments).toHaveLength(1);
    expect(await shops.actionsOf(order.id)).toEqual(['order.created', 'order.paid']);
  });

  it('a payment counts, whatever references sellers have written down before', async () => {
    const order = await place();
    const session = await sessionOf(order);
    const reference = session.payment_intent;
    const own = await place();
    await shops.cloud.call(`POST /api/v1/orders/${own.id}/mark_paid`, {
      token: operator.token,
      body: { reference },
    });
    const shop = await shops.open();
    const { body: sold } = await shops.place(shop, { items: [{ sku: 'licence' }] });
    await shops.markPaid(sold.id, shop, { reference });
    const set = { provider: 'stripe' };
    await shops.cloud.db.updateTable('order_payments').set(set).where('order_id', '=', sold.id).execute();
    expect((await stripe.notify(shops.cloud, stripe.paid(session))).status).toBe(204);
    expect(await shown(order.id)).toMatchObject({
      payment_state: 'paid',
      payments: [{ reference, provider: 'stripe' }],
    });
  });

  it('two kinds of notifications about one payment make one payment', async () => {
    const order = await place();
    const session = await sessionOf(order);
    const both = [stripe.paid(session), stripe.paid(session, {}, 'checkout.session.async_payment_succeeded')];
    await Promise.all(both.map((event) => stripe.notify(shops.cloud, event)));
    expect((await shown(order.id)).payments).toMatchObject([{ amount: 6000, excess: false }]);
  });

  it.each([
    ['amount', { amount_total: 5999 }, { amount: 5999, currency: 'EUR' }],
    ['currency', { currency: 'usd' }, { amount: 6000, currency: 'USD' }],
  ])(
    'money of another %s is kept as excess, marks nothing and is reported to the operator',
    async (_what, changes, kept) => {
      const order = await place();
      await stripe.notify(shops.cloud, stripe.paid(await sessionOf(order), changes));
      expect(await shown(order.id)).toMatchObject({
        payment_state: 'unpaid',
        payments: [{ ...kept, excess: true, provider: 'stripe' }],
      });
      expect(await shops.actionsOf(order.id)).toEqual(['order.created', 'order.payment_excess']);
      await vi.waitFor(async () => {
        const subjects = (await shops.cloud.mails(operator.email)).map(({ text }) => text);
        expect(subjects.some((text) => text.includes(`/user/orders/`) || text.includes(order.number))).toBe(
          true,
        );
      }, PATIENCE);
    },
  );

  it('money for an order that was cancelled or paid meanwhile is kept as excess', async () => {
    const cancelled = await place();
    const late = stripe.paid(await sessionOf(cancelled));
    await shops.cloud.call(`POST /api/v1/user/orders/${cancelled.id}/cancel`, { token: buyer.token });
    await stripe.notify(shops.cloud, late);
    expect(await shown(cancelled.id)).toMatchObject({
      state: 'cancelled',
      payments: [{ amount: 6000, excess: true }],
    });
    const paid = await place();
    const second = stripe.paid(await sessionOf(paid));
    await shops.cloud.call(`POST /api/v1/orders/${paid.id}/mark_paid`, { token: operator.token });
    await stripe.notify(shops.cloud, second);
    expect(await shown(paid.id)).toMatchObject({
      paid: 6000,
      payments: [{ excess: false }, { excess: true, provider: 'stripe' }],
    });
  });

  it('money of a checkout that this service never made, and events of other kinds, change nothing', async () => {
    const order = await place();
    const session = { ...(await sessionOf(order)), id: 'cs_of_another_shop' };
    for (const event of [stripe.paid(session), stripe.event('customer.created', { id: 'cus_1' })]) {
      expect((await stripe.notify(shops.cloud, event)).status).toBe(204);
    }
    expect(await shown(order.id)).toMatchObject({ payment_state: 'unpaid', payments: [] });
  });

  it('refunds are recorded as Stripe counts them, and a full one ends an open order', async () => {
    const order = await place({ items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const session = await sessionOf(order);
    await stripe.notify(shops.cloud, stripe.paid(session));
    await stripe.notify(shops.cloud, stripe.refunded(session, 1000));
    expect(await shown(order.id)).toMatchObject({ payment_state: 'partially_refunded', refunded: 1000 });
    await stripe.notify(shops.cloud, stripe.refunded(session, 3000));
    // One that was sent before and comes late.
    await stripe.notify(shops.cloud, stripe.refunded(session, 1000));
    expect((await shown(order.id)).refunded).toBe(3000);
    await stripe.notify(shops.cloud, stripe.refunded(session, order.total));
    expect(await shown(order.id)).toMatchObject({ state: 'cancelled', payment_state: 'refunded' });
  });

  it('a refund that comes before its payment is sent again by Stripe, and that of another shop is not', async () => {
    const order = await place();
    const session = await sessionOf(order);
    const refund = stripe.refunded(session, 500, { heliograph_order: String(order.id) });
    expect((await stripe.notify(shops.cloud, refund)).status).toBe(503);
    expect((await stripe.notify(shops.cloud, stripe.refunded(session, 500))).status).toBe(204);
    await stripe.notify(shops.cloud, stripe.paid(session));
    expect((await stripe.notify(shops.cloud, refund)).status).toBe(204);
    expect((await shown(order.id)).refunded).toBe(500);
  });
});

describe('a cloud without Stripe', () => {
  it('a cloud without Stripe offers no payment, and has no address for notifications', async () => {
    await using other = await TestShops.start();
    await importCatalogueFile(other.platform, OPERATOR, null, CATALOGUE);
    const user = await other.cloud.make.user();
    const { body } = await other.cloud.call<BuyerOrder>('POST /api/v1/user/orders', {
      token: user.token,
      body: { currency: 'eur', items: [{ sku: 'licence' }] },
    });
    expect(body.payable_online).toBe(false);
    const route = `POST /api/v1/user/orders/${body.id}/pay`;
    expect((await other.cloud.call(route, { token: user.token })).status).toBe(422);
    const event = stripe.event('customer.created', {});
    expect((await stripe.notify(other.cloud, event)).status).toBe(404);
  });
});
