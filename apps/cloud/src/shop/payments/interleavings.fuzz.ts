import { setImmediate as turn } from 'node:timers/promises';
import type { BuyerOrder, OrderCheckout } from '@heliograph/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { CATALOGUE, TestShops } from '../../../test/shop/orders/shops.ts';
import { StripeStandIn } from '../../../test/shop/payments/stripe.ts';
import type { Answer } from '../../../test/test-cloud.ts';
import { OPERATOR } from '../../access/caller.ts';
import { importCatalogueFile } from '../products/catalogues.ts';

/** Each is another order, with other steps at other moments. */
const SEEDS = 40;

/** Enough for a slow machine, in milliseconds. */
const PATIENCE_MS = 600_000;

const TOTAL = 6_000;

let stripe: StripeStandIn;
let shops: TestShops;
let operator: TestUser;
beforeAll(async () => {
  stripe = await StripeStandIn.start(() => shops.cloud.clock.now());
  shops = await TestShops.start({ stripe: stripe.config });
  await importCatalogueFile(shops.platform, OPERATOR, null, CATALOGUE);
  operator = await shops.cloud.make.user({ staff: true });
});
afterAll(async () => {
  await shops?.[Symbol.asyncDispose]();
  await stripe?.[Symbol.asyncDispose]();
});

const STEPS = ['bank', 'books', 'completed', 'repeated', 'succeeded', 'cancelled'] as const;
type Step = (typeof STEPS)[number];

/** An order that its buyer has begun to pay, and what can happen to it. */
async function begin(seed: string): Promise<{ id: number; steps: Record<Step, () => Promise<Answer>> }> {
  const { cloud } = shops;
  const { token } = await cloud.make.user();
  const { body: order } = await cloud.call<BuyerOrder>('POST /api/v1/user/orders', {
    token,
    body: { currency: 'eur', items: [{ sku: 'licence' }] },
  });
  const { id } = order;
  const { body: checkout } = await cloud.call<OrderCheckout>(`POST /api/v1/user/orders/${id}/pay`, { token });
  const session = [...stripe.sessions.values()].find(({ url }) => url === checkout.url);
  if (session === undefined) throw new Error('No checkout was made');
  const completed = stripe.paid(session);
  const succeeded = stripe.paid(session, {}, 'checkout.session.async_payment_succeeded');
  const markPaid = (reference: string) => () =>
    cloud.call(`POST /api/v1/orders/${id}/mark_paid`, {
      token: operator.token,
      body: { reference: `${reference} ${seed}` },
    });
  const steps = {
    bank: markPaid('bank'),
    books: markPaid('books'),
    completed: () => stripe.notify(cloud, completed),
    repeated: () => stripe.notify(cloud, completed),
    succeeded: () => stripe.notify(cloud, succeeded),
    cancelled: () => cloud.call(`POST /api/v1/user/orders/${id}/cancel`, { token }),
  };
  return { id, steps };
}

const turns = fc.nat({ max: 60 });
/** Two integrators and a notification, with anything else besides. */
const plans = fc
  .tuple(
    fc.tuple(turns, turns, turns),
    fc.array(fc.record({ step: fc.constantFrom(...STEPS), turns }), { maxLength: 4 }),
  )
  .map(([[bank, books, completed], others]) => [
    { step: 'bank' as const, turns: bank },
    { step: 'books' as const, turns: books },
    { step: 'completed' as const, turns: completed },
    ...others,
  ]);

it('two integrators, notifications and a cancellation at once make at most one payment, and lose no money', {
  timeout: PATIENCE_MS,
}, () => {
  let count = 0;
  const property = fc.asyncProperty(plans, async (plan) => {
    count += 1;
    const { id, steps } = await begin(String(count));
    const answers = await Promise.all(
      plan.map(async ({ step, turns: wait }) => {
        for (let passed = 0; passed < wait; passed += 1) await turn();
        return { step, status: (await steps[step]()).status };
      }),
    );
    for (const { step, status } of answers) {
      const isNotification = step === 'completed' || step === 'repeated' || step === 'succeeded';
      expect(isNotification ? [204] : [200, 422], step).toContain(status);
    }
    const { state, payment_state: paymentState, paid, payments } = await shops.show(id);
    const paying = payments.filter(({ excess }) => !excess);
    const ofStripe = payments.filter(({ provider }) => provider === 'stripe');
    const isNotified = answers.some(({ status }) => status === 204);
    const isMarked = answers.some(({ step, status }) => /^b/.test(step) && status === 200);
    expect(paying.map(({ amount }) => amount)).toEqual(paid === 0 ? [] : [TOTAL]);
    expect(paymentState).toBe(paid === TOTAL ? 'paid' : 'unpaid');
    if (state === 'cancelled') expect(paying).toEqual([]);
    else if (isNotified || isMarked) expect(paid).toBe(TOTAL);
    expect(ofStripe).toHaveLength(isNotified ? 1 : 0);
    const actions = await shops.actionsOf(id);
    expect(actions.filter((action) => action === 'order.paid')).toHaveLength(paying.length);
    const excess = payments.length - paying.length;
    expect(actions.filter((action) => action === 'order.payment_excess')).toHaveLength(excess);
  });
  return fc.assert(property, { numRuns: SEEDS, endOnFailure: true });
});
