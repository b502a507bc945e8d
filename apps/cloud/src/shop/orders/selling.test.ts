import type { Order } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESS, type Shop, TestShops } from '../../../test/shop/orders/shops.ts';
import { consoleCaller } from '../../access/caller.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';
import {
  cancelOrder,
  cancelUnpaidOrders,
  completeOrder,
  refundOrder,
  shipOrder,
  unpaidOrders,
} from './orders.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let shops: TestShops;
beforeAll(async () => {
  shops = await TestShops.start();
});
afterAll(() => shops?.[Symbol.asyncDispose]());

/** Steps of one order: a box, a licence that names a device, and two licences of which a code is made. */
const STEPS = {
  pay: ({ shop, id }: Placed) => shops.markPaid(id, shop),
  ship: ({ id }: Placed) =>
    shipOrder(shops.platform, consoleCaller(), id, {
      carrier: 'DHL',
      trackingNumber: null,
      trackingUrl: null,
    }),
  makeCode: ({ shop, id }: Placed) => shops.makeCode(shop, id),
  complete: ({ id }: Placed) => completeOrder(shops.platform, consoleCaller(), id),
  cancel: ({ id }: Placed) => cancelOrder(shops.platform, consoleCaller(), id),
  withdraw: ({ shop, id }: Placed) =>
    shops.cloud.call(`POST /api/v1/user/orders/${id}/cancel`, { token: shop.buyer.token }),
  forget: ({ id }: Placed) =>
    shops.cloud.db.updateTable('orders').set({ user_id: null }).where('id', '=', id).execute(),
  refundPart: (placed: Placed) => refund(placed, 1_000),
  refund: (placed: Placed) => refund(placed, null),
};
type Step = keyof typeof STEPS;
interface Placed {
  readonly shop: Shop;
  readonly id: number;
}
async function refund({ id }: Placed, amount: number | null) {
  const { payments } = await shops.show(id);
  return refundOrder(shops.platform, consoleCaller(), id, payments[0]?.id ?? 0, amount);
}

describe('what a seller does with an order', () => {
  it('goods are sent, which completes the order, and the buyer learns of the parcel', async () => {
    const shop = await shops.open();
    const { platform } = shops;
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    const caller = consoleCaller();
    const parcel = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: null };
    await expect(shipOrder(platform, caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is unpaid: it cannot be delivered yet, but it can be paid or cancelled',
    });
    await shops.markPaid(placed.id, shop);
    shops.cloud.clock.advance(1_000);
    const shipped_at = new Date(shops.cloud.clock.now()).toISOString();
    expect(await shipOrder(platform, caller, placed.id, parcel)).toMatchObject({
      ...{ state: 'completed', completed_at: shipped_at, updated_at: shipped_at },
      shipments: [{ carrier: 'DHL', tracking_number: '00340', tracking_url: null, shipped_at }],
      items: [{ fulfilled: true }],
    });
    expect(await shops.actionsOf(placed.id)).toContain('order.shipped');
    await expect(shipOrder(platform, caller, placed.id, parcel)).rejects.toMatchObject({
      message: 'The order is completed: nothing of it is left to deliver, but its money can be paid back',
    });
  });

  it('money that is paid back in parts cancels an open order once it is all, and changes no other order', async () => {
    const shop = await shops.open();
    const { platform } = shops;
    const caller = consoleCaller();
    const [{ body: placed }, { body: other }] = [
      await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS }),
      await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS }),
    ];
    const { body: untouched } = await shops.markPaid(other.id, shop, { reference: 'S' });
    const { body: paid } = await shops.markPaid(placed.id, shop, { reference: 'R' });
    shops.cloud.clock.advance(1_000);
    const payment = paid.payments[0]?.id ?? 0;
    expect(await refundOrder(platform, caller, placed.id, payment, 1_000)).toMatchObject({
      state: 'open',
      payment_state: 'partially_refunded',
      refunded: 1_000,
    });
    expect((await shops.markPaid(placed.id, shop, { reference: 'R' })).status).toBe(200);
    await expect(refundOrder(platform, caller, placed.id, payment, 20_000)).rejects.toMatchObject({
      status: 422,
    });
    expect(await refundOrder(platform, caller, placed.id, payment, null)).toMatchObject({
      state: 'cancelled',
      payment_state: 'refunded',
      refunded: 12_490,
      payments: [{ refunded: 12_490 }],
      cancelled_at: new Date(shops.cloud.clock.now()).toISOString(),
    });
    expect(await shops.show(other.id)).toEqual(untouched);
  });

  it('money that was paid too much is paid back without a change of the order, in parts and as a whole', async () => {
    const shop = await shops.open();
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    await shops.markPaid(placed.id, shop);
    const at = new Date(shops.cloud.clock.now());
    const { id } = await shops.cloud.db
      .insertInto('order_payments')
      .values({
        ...{
          order_id: placed.id,
          seller: shop.seller,
          amount: placed.total,
          currency: 'EUR',
          method: 'other',
        },
        ...{
          provider: null,
          reference: 'TWICE',
          paid_at: at,
          recorded_at: at,
          recorded_by: null,
          excess: true,
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const refundExcess = (amount: number | null) =>
      refundOrder(shops.platform, consoleCaller(), placed.id, id, amount);
    const order = { state: 'open', payment_state: 'paid', paid: placed.total, refunded: 0 };
    for (const [amount, refunded] of [
      [1, 1],
      [null, placed.total],
    ] as const)
      expect(await refundExcess(amount)).toMatchObject({
        ...order,
        payments: [{ refunded: 0 }, { refunded }],
      });
    expect(await shops.stockOf(shop.seller, 'box')).toBe(4);
    const actions = ['order.created', 'order.paid', 'order.refunded', 'order.refunded'];
    expect(await shops.actionsOf(placed.id)).toEqual(actions);
  });

  it('the activation code of an order ends when all of its money is paid back', async () => {
    const shop = await shops.open();
    const { platform } = shops;
    const { body: placed } = await shops.place(shop, { items: [{ sku: 'licence', quantity: 2 }] });
    const { body: paid } = await shops.markPaid(placed.id, shop);
    const { body: made } = await shops.makeCode(shop, placed.id);
    expect((await shops.redeem(shop, made.code)).status).toBe(200);
    const payment = paid.payments[0]?.id ?? 0;
    await refundOrder(platform, consoleCaller(), placed.id, payment, 1);
    expect((await shops.makeCode(shop, placed.id)).body.uses_left).toBe(1);
    const { body: again } = await shops.makeCode(shop, placed.id);
    await refundOrder(platform, consoleCaller(), placed.id, payment, null);
    expect((await shops.redeem(shop, again.code)).status).toBe(422);
    expect((await shops.makeCode(shop, placed.id)).status).toBe(422);
    expect(await shops.show(placed.id)).toMatchObject({ state: 'completed', payment_state: 'refunded' });
  });

  it.each<[string, readonly Step[], string, readonly number[]]>([
    ['is not paid', [], 'open unpaid', [3, 6, 7]],
    ['its seller cancels', ['cancel'], 'cancelled unpaid', [5, 8, 8]],
    ['its buyer cancels twice', ['withdraw', 'withdraw'], 'cancelled unpaid', [5, 8, 8]],
    ['is paid', ['pay'], 'open paid', [3, 6, 7]],
    ['is paid, and paid back in part', ['pay', 'refundPart'], 'open partially_refunded', [3, 6, 7]],
    ['is paid back', ['pay', 'refund'], 'cancelled refunded', [5, 8, 7]],
    ['is paid back in two parts', ['pay', 'refundPart', 'refund'], 'cancelled refunded', [5, 8, 7]],
    ['is paid back once the goods are sent', ['pay', 'ship', 'refund'], 'cancelled refunded', [3, 8, 7]],
    ['is paid back once the code is made', ['pay', 'makeCode', 'refund'], 'cancelled refunded', [5, 6, 7]],
    ['is delivered', ['pay', 'ship', 'makeCode'], 'completed paid', [3, 6, 7]],
    ['is delivered and paid back', ['pay', 'ship', 'makeCode', 'refund'], 'completed refunded', [3, 6, 7]],
    ['is completed and paid back', ['pay', 'complete', 'refund'], 'completed refunded', [3, 6, 7]],
  ])(
    'the stock of an order that %s has exactly what was not delivered',
    async (_what, steps, states, stock) => {
      const shop = await shops.open();
      const uid = await shops.cloud.make.device({ activated: false });
      const named = {
        sku: 'named',
        kind: 'licence',
        stock: 8,
        prices: [{ amount: 100, currency: 'EUR' }],
      } as const;
      await shops.cloud.make.product(shop.seller, named);
      const set = { stock: 8 };
      await shops.cloud.db.updateTable('products').set(set).where('sku', '=', 'licence').execute();
      const items = [
        { sku: 'box', quantity: 2 },
        { sku: 'licence', quantity: 2 },
        { sku: 'named', device_uid: uid },
      ];
      const { body } = await shops.place(shop, { items, shipping_address: ADDRESS });
      for (const step of steps) await STEPS[step]({ shop, id: body.id });
      const { state, payment_state } = await shops.show(body.id);
      expect(`${state} ${payment_state}`).toBe(states);
      const skus = ['box', 'licence', 'named'];
      expect(await Promise.all(skus.map((sku) => shops.stockOf(shop.seller, sku)))).toEqual(stock);
    },
  );

  it('each step that the state of an order does not allow is refused with what is possible', async () => {
    const possible = {
      unpaid: 'it can be paid or cancelled',
      paid: 'it can be delivered or paid back',
      completed: 'its money can be paid back',
      ended: 'another one can be placed',
    };
    const table: [readonly Step[], string, string, Partial<Record<Step, string>>][] = [
      [
        [],
        'unpaid',
        possible.unpaid,
        {
          ship: 'it cannot be delivered yet',
          complete: 'it cannot be delivered yet',
          makeCode: 'it has no code yet',
        },
      ],
      [
        ['pay'],
        'paid',
        possible.paid,
        { cancel: 'it cannot be cancelled', withdraw: 'it cannot be cancelled' },
      ],
      [
        ['pay', 'refundPart'],
        'partially_refunded',
        possible.paid,
        {
          pay: 'it cannot be paid again',
          cancel: 'it cannot be cancelled',
          withdraw: 'it cannot be cancelled',
        },
      ],
      [
        ['pay', 'complete'],
        'completed',
        possible.completed,
        {
          ship: 'nothing of it is left to deliver',
          complete: 'nothing of it is left to deliver',
          cancel: 'it cannot be cancelled',
          withdraw: 'it cannot be cancelled',
        },
      ],
      [
        ['pay', 'complete', 'refund'],
        'refunded',
        possible.ended,
        {
          pay: 'it cannot be paid again',
          ship: 'nothing of it is left to deliver',
          complete: 'nothing of it is left to deliver',
          makeCode: 'it has no code yet',
          cancel: 'it cannot be cancelled',
        },
      ],
      [
        ['cancel'],
        'cancelled',
        possible.ended,
        {
          pay: 'it cannot be paid',
          ship: 'nothing of it is left to deliver',
          complete: 'nothing of it is left to deliver',
          makeCode: 'it has no code',
          cancel: 'it cannot be cancelled',
        },
      ],
      [
        ['pay', 'refund'],
        'cancelled',
        possible.ended,
        { pay: 'it cannot be paid', ship: 'nothing of it is left to deliver', makeCode: 'it has no code' },
      ],
    ];
    for (const [steps, state, next, refusals] of table) {
      const shop = await shops.open();
      const items = [{ sku: 'box' }, { sku: 'licence' }];
      const { body } = await shops.place(shop, { items, shipping_address: ADDRESS });
      const placed = { shop, id: body.id };
      for (const step of steps) await STEPS[step](placed);
      const before = await shops.show(placed.id);
      const messages: Record<string, string> = {};
      for (const step of Object.keys(refusals) as Step[])
        messages[step] = await STEPS[step](placed).then(
          (answer) => String('body' in answer && 'error' in answer.body ? answer.body.error : 'done'),
          (error: Error) => error.message,
        );
      const expected = Object.entries(refusals).map(([step, refusal]) => [
        step,
        `The order is ${state}: ${refusal}, but ${next}`,
      ]);
      expect(messages, [...steps, state].join()).toEqual(Object.fromEntries(expected));
      expect(await shops.show(placed.id)).toEqual(before);
      // No more can be paid back than is left, and no less than a unit.
      const payment = before.payments[0];
      if (payment === undefined) continue;
      const left = payment.amount - payment.refunded;
      for (const amount of [-1, 0, left + 1])
        await expect(refund(placed, amount)).rejects.toMatchObject({
          message: `Of this payment ${left} of the smallest unit can be paid back`,
        });
    }
  });

  it('exactly the orders that are open and unpaid after 30 days are cancelled', async () => {
    const shop = await shops.open();
    const place = async () => ({
      shop,
      id: (await shops.place(shop, { items: [{ sku: 'licence' }] })).body.id,
    });
    const made: [string, string, Placed][] = [];
    const add = async (what: string, state: string, steps: readonly Step[]) => {
      const placed = await place();
      for (const step of steps) await STEPS[step](placed);
      made.push([what, state, placed]);
    };
    await add('forgotten', 'cancelled', []);
    shops.cloud.clock.advance(1);
    await add('unpaid for 30 days', 'open', []);
    await add('paid', 'open', ['pay']);
    await add('paid back in part', 'open', ['pay', 'refundPart']);
    await add('completed', 'completed', ['pay', 'complete']);
    await add('completed and paid back', 'completed', ['pay', 'complete', 'refund']);
    await add('cancelled', 'cancelled', ['cancel']);
    const { platform } = shops;
    shops.cloud.clock.advance(30 * DAY_MS);
    const clean = () => cancelUnpaidOrders(platform);
    await new Housekeeping(shops.cloud.db, shops.cloud.clock, silentLogger, [clean]).run();
    const states: [string, string][] = [];
    for (const [what, , { id }] of made) states.push([what, (await shops.show(id)).state]);
    expect(states).toEqual(made.map(([what, state]) => [what, state]));
    const [, , cancelled] = made.at(-1) ?? [];
    expect(await shops.actionsOf(cancelled?.id ?? 0)).toEqual(['order.created', 'order.cancelled']);
  });

  it('an order is found for its cancellation while it is open, unpaid and from before a moment, the oldest first', async () => {
    shops.cloud.clock.advance(-400 * DAY_MS);
    try {
      const shop = await shops.open();
      const at = (days: number) => new Date(shops.cloud.clock.now() + days * DAY_MS);
      const ids: number[] = [];
      for (const [days, set] of [
        [2, {}],
        [1, {}],
        [3, {}],
        [0, { state: 'cancelled' }],
        [0, { state: 'completed' }],
        [0, { payment_state: 'paid' }],
      ] as const) {
        const id = await shops.cloud.make.order(shop.seller, shop.buyer.id);
        await shops.cloud.db
          .updateTable('orders')
          .set({ created_at: at(days), ...set })
          .where('id', '=', id)
          .execute();
        ids.push(id);
      }
      expect(await unpaidOrders(shops.cloud.db, at(3), 10)).toEqual([ids[1], ids[0]]);
      expect(await unpaidOrders(shops.cloud.db, at(3), 1)).toEqual([ids[1]]);
    } finally {
      shops.cloud.clock.advance(400 * DAY_MS);
    }
  });

  it('goods are sent once, and keep their time when the rest of the order is delivered', async () => {
    const shop = await shops.open();
    const { body } = await shops.place(shop, {
      items: [{ sku: 'box' }, { sku: 'free' }],
      shipping_address: ADDRESS,
    });
    const placed = { shop, id: body.id };
    await STEPS.pay(placed);
    const shippedAt = new Date(shops.cloud.clock.now());
    await STEPS.ship(placed);
    shops.cloud.clock.advance(1_000);
    await expect(STEPS.ship(placed)).rejects.toThrow('The order has no goods that wait to be sent');
    await STEPS.complete(placed);
    const items = await shops.cloud.db
      .selectFrom('order_items')
      .select('fulfilled_at')
      .where('order_id', '=', body.id)
      .orderBy('id')
      .execute();
    expect(items.map(({ fulfilled_at: at }) => at)).toEqual([shippedAt, new Date(shops.cloud.clock.now())]);
  });

  it.each([
    ['paid', 'open'],
    ['cancelled', 'cancelled'],
  ] as const)(
    'an order that is %s while its cancellation waits for it is not cancelled',
    async (how, state) => {
      const shop = await shops.open();
      const { body } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
      shops.cloud.clock.advance(31 * DAY_MS);
      const { db } = shops.cloud;
      const cancelled = await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('orders')
          .set(how === 'paid' ? { payment_state: 'paid', paid: body.total } : { state: 'cancelled' })
          .where('id', '=', body.id)
          .execute();
        const running = cancelUnpaidOrders(shops.platform);
        await expect.poll(() => shops.cloud.waitingForLocks(), { interval: 5 }).toBe(1);
        return { running };
      });
      await cancelled.running;
      expect((await shops.show(body.id)).state).toBe(state);
      // The stand-in for the other cancellation gives nothing back.
      expect(await shops.stockOf(shop.seller, 'box')).toBe(4);
    },
  );

  it('a licence activates the device that it names, unless that was revoked since: the seller delivers it', async () => {
    const shop = await shops.open();
    const uids = [await shops.cloud.make.device({ activated: false }), await shops.cloud.make.device()];
    const items = uids.map((device_uid) => ({ sku: 'licence', device_uid }));
    const { body } = await shops.place(shop, { items });
    const revoked_at = new Date(shops.cloud.clock.now());
    await shops.cloud.db
      .updateTable('devices')
      .set({ revoked_at })
      .where('uid', '=', uids[1] ?? '')
      .execute();
    expect((await shops.markPaid(body.id, shop)).body).toMatchObject({
      state: 'open',
      items: [
        { device_uid: uids[0], fulfilled: true },
        { device_uid: uids[1], fulfilled: false },
      ],
    });
    // Neither licence is delivered as a code.
    expect((await shops.makeCode(shop, body.id)).status).toBe(422);
  });
});

describe('the people of an order', () => {
  it.each([
    ['an organization: its owners and admins', true],
    ['the operator: all operators', false],
  ])('a sale of %s are mailed', async (_who, isOrganization) => {
    const { make, db } = shops.cloud;
    const shop = await shops.open();
    const admin = await make.employee(shop.seller, 'admin');
    await make.employee(shop.seller, 'member');
    await make.employee(await make.organization(), 'owner');
    const operator = await make.user({ staff: true });
    if (!isOrganization)
      await make.product(null, { sku: 'own', kind: 'service', prices: [{ amount: 100, currency: 'EUR' }] });
    const order = isOrganization
      ? { items: [{ sku: 'licence' }] }
      : { items: [{ sku: 'own' }], organization_id: null };
    const { body } = await shops.place(shop, order);
    const { rows } = await sql<{
      userId: number;
    }>`select (payload ->> 'userId')::int as "userId" from deliveries
      where kind = 'mail' and payload ->> 'event' = 'sold' and (payload ->> 'orderId')::int = ${body.id}`.execute(
      db,
    );
    const operators = await db.selectFrom('users').select('id').where('staff', '=', true).execute();
    expect(operators.map(({ id }) => id)).toContain(operator.id);
    const expected = isOrganization ? [shop.boss.id, admin.id] : operators.map(({ id }) => id);
    expect(rows.map(({ userId }) => userId).toSorted((a, b) => a - b)).toEqual(
      expected.toSorted((a, b) => a - b),
    );
  });

  it.each<[string, readonly Step[], readonly string[]]>([
    ['its buyer cancels', ['withdraw'], ['cancelled to buyer', 'withdrawn to seller']],
    ['its seller cancels', ['cancel'], ['cancelled to buyer']],
    ['its seller cancels once the account of the buyer is deleted', ['forget', 'cancel'], []],
    [
      'is paid, sent and paid back in part',
      ['pay', 'ship', 'refundPart'],
      ['paid to buyer', 'shipped to buyer', 'completed to buyer', 'refunded to buyer'],
    ],
    ['is paid back', ['pay', 'refund'], ['paid to buyer', 'refunded to buyer', 'cancelled to buyer']],
  ])('the mails of an order that %s', async (_what, steps, expected) => {
    const shop = await shops.open();
    const { body } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
    for (const step of steps) await STEPS[step]({ shop, id: body.id });
    const { rows } = await sql<{ event: string; userId: number; of: number | null }>`
      select payload ->> 'event' as event, (payload ->> 'userId')::int as "userId",
        (payload ->> 'organizationId')::int as of
      from deliveries where kind = 'mail' and (payload ->> 'orderId')::int = ${body.id} order by id`.execute(
      shops.cloud.db,
    );
    const names = new Map([
      [shop.buyer.id, 'buyer'],
      [shop.boss.id, 'seller'],
    ]);
    const mailed = rows.map(({ event, userId }) => `${event} to ${names.get(userId)}`);
    expect(mailed.toSorted()).toEqual(['placed to buyer', 'sold to seller', ...expected].toSorted());
    expect(new Set(rows.map(({ of }) => of))).toEqual(new Set([shop.seller]));
  });

  it('each account lists, reads and manages exactly the orders that it buys or sells', async () => {
    const { make, db } = shops.cloud;
    const [first, second] = [await shops.open(), await shops.open()];
    const [a, b] = [first.seller, second.seller];
    const { buyer } = first;
    const placed: Record<string, number> = {
      'of A': await make.order(a, buyer.id),
      'of B': await make.order(b, buyer.id),
      'of the operator': await make.order(null, buyer.id),
      'of A to another': await make.order(a, second.buyer.id),
      'of A to its own admin': 0,
    };
    const admin = await make.employee(a, 'admin');
    placed['of A to its own admin'] = await make.order(a, admin.id);
    const member = await make.employee(a, 'member');
    const both = await make.employee(a, 'owner');
    await db
      .insertInto('organization_members')
      .values({ organization_id: b, user_id: both.id, role: 'admin' })
      .execute();
    const operator = await make.user({ staff: true });
    const stranger = await make.user();
    const ofA = ['of A', 'of A to another', 'of A to its own admin'];
    const bought = ['of A', 'of B', 'of the operator'];
    /** Account, organization of its token, orders that it sees, that it bought, and that it manages. */
    const table: [string, { id: number }, number | null, string[], string[], string[]][] = [
      ['buyer', buyer, null, bought, bought, []],
      ['buyer with a token of A', buyer, a, ['of A'], ['of A'], []],
      ['owner', first.boss, null, ofA, [], ofA],
      ['owner with a token of A', first.boss, a, ofA, [], ofA],
      ['owner with a token of B', first.boss, b, [], [], []],
      ['admin', admin, null, ofA, ['of A to its own admin'], ofA],
      ['admin with a token of B', admin, b, [], [], []],
      ['member', member, null, [], [], []],
      ['owner of another seller', second.boss, null, ['of B'], [], ['of B']],
      [
        'owner of A and admin of B',
        both,
        null,
        ['of A', 'of B', ...ofA.slice(1)],
        [],
        ['of A', 'of B', ...ofA.slice(1)],
      ],
      ['the same with a token of B', both, b, ['of B'], [], ['of B']],
      ['operator', operator, null, Object.keys(placed), [], Object.keys(placed)],
      ['operator with a token of A', operator, a, ofA, [], ofA],
      ['stranger', stranger, null, [], [], []],
    ];
    const namesOf = (ids: readonly number[]) =>
      Object.keys(placed).filter((name) => ids.includes(placed[name] ?? 0));
    for (const [who, { id: userId }, organizationId, seen, own, managed] of table) {
      const token = await make.token(userId, { organizationId });
      const list = async (path: string) =>
        namesOf(
          (await shops.cloud.call<Order[]>(`GET /api/v1${path}?limit=200`, { token })).body.map(
            ({ id }) => id,
          ),
        );
      const statuses = async (route: (id: number) => string, body?: object) => {
        const found: string[][] = [[], []];
        for (const [name, id] of Object.entries(placed)) {
          const { status } = await shops.cloud.call(route(id), { token, body });
          if (status !== 404) found[0]?.push(name);
          if (status !== 404 && status !== 403) found[1]?.push(name);
        }
        return found;
      };
      const sort = (names: readonly string[]) => Object.keys(placed).filter((name) => names.includes(name));
      expect(await list('/orders'), who).toEqual(sort(seen));
      expect((await statuses((id) => `GET /api/v1/orders/${id}`))[1], who).toEqual(sort(seen));
      expect(await list('/user/orders'), who).toEqual(sort(own));
      expect((await statuses((id) => `GET /api/v1/user/orders/${id}`))[1], who).toEqual(sort(own));
      // Nothing is paid: the amount is never right.
      const pay = await statuses((id) => `POST /api/v1/orders/${id}/mark_paid`, { amount: 1 });
      expect(pay, who).toEqual([sort(seen), sort(managed)]);
    }
  });
});

it('a search finds exactly the orders that match, the newest first', async () => {
  const shop = await shops.open();
  const { body: open } = await shops.place(shop, { items: [{ sku: 'licence' }] });
  shops.cloud.clock.advance(DAY_MS);
  const { body: paid } = await shops.place(shop, { items: [{ sku: 'licence' }] });
  await shops.markPaid(paid.id, shop, { reference: 'BANK-9' });
  const { body: box } = await shops.place(shop, { items: [{ sku: 'box' }], shipping_address: ADDRESS });
  const names = new Map([
    [open.id, 'open'],
    [paid.id, 'paid'],
    [box.id, 'box'],
  ]);
  const second = new Date(shops.cloud.clock.now()).toISOString();
  for (const [query, expected] of [
    ['q=payment_state:paid', ['paid']],
    ['q=payment_state:lost', []],
    ['q=state:open+sku:licence', ['paid', 'open']],
    ['q=state:completed', []],
    ['q=lovel', ['box', 'paid', 'open']],
    ['q=lovelace+monit', ['box']],
    ['q=sku:licence+1002', ['paid']],
    ['q=sku:LICENCE+1002', ['paid']],
    ['q=bank-9', ['paid']],
    ['q=number:1001', ['open']],
    ['q=currency:usd', []],
    ['q=currency:eur+box', ['box']],
    [`q=email:${shop.buyer.email.toUpperCase()}+box`, ['box']],
    [`q=email:x${shop.buyer.email}`, []],
    [`q=user_id:${shop.buyer.id}+box`, ['box']],
    [`q=user_id:${shop.boss.id}`, []],
    [`q=organization_id:${shop.seller}+box`, ['box']],
    ['q=organization_id:none', []],
    [`organization_id=${shop.seller + 1}`, []],
    ['q=created_after:2000-01-01+kind:box', []],
    [`q=created_after:${second}`, ['box', 'paid']],
    [`q=created_before:${second}`, ['open']],
    [`q=paid_after:${second}`, ['paid']],
    [`q=paid_after:${new Date(shops.cloud.clock.now() + 1).toISOString()}`, []],
    ['limit=1', ['box']],
    ['limit=1&offset=1', ['paid']],
  ] as const) {
    const { body } = await shops.cloud.call<Order[]>(`GET /api/v1/orders?${query}`, {
      token: shop.boss.token,
    });
    expect(
      body.map(({ id }) => names.get(id)),
      query,
    ).toEqual(expected);
  }
});
