import { NotFound } from '@heliograph/kit';
import { SERVICE } from '../../access/caller.ts';
import { Unavailable } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { keepExcess, recordPayment, recordRefund } from '../orders/lifecycle.ts';
import { lockOrder } from '../orders/records.ts';
import { closeCheckout, findCheckout, isFirstReport, orderOfPayment } from './checkouts.ts';
import { dueOf, isSame, isUnpaid, type PayingPlatform } from './online.ts';
import type { PaymentEvent } from './provider.ts';

export interface Notification {
  /** That it is meant for. */
  readonly provider: string;
  readonly body: Buffer;
  /** The header that proves where it comes from. */
  readonly signature: string;
}

/** A refund that is reported before its payment is sent again, after this time. */
const RETRY_S = 60;

/**
 * Does what a notification of the provider reports, once.
 *
 * @throws NotFound without a provider; BadRequest; Unavailable for a refund that came before its payment
 */
export async function receiveNotification(
  platform: PayingPlatform,
  { provider: name, body, signature }: Notification,
): Promise<void> {
  const { db, clock, paymentProvider: provider } = platform;
  if (provider?.name !== name) throw new NotFound();
  const event = provider.read(body, signature);
  const at = new Date(clock.now());
  await db.transaction().execute(async (tx) => {
    if (await isFirstReport(tx, name, event.id, at)) await apply(platform, tx, name, event, at);
  });
}

async function apply(
  platform: Platform,
  tx: Database,
  provider: string,
  event: PaymentEvent,
  at: Date,
): Promise<void> {
  switch (event.kind) {
    case 'paid':
      return applyPaid(platform, tx, provider, event, at);
    case 'refunded':
      return applyRefunded(platform, tx, provider, event);
    case 'expired':
      return closeCheckout(tx, provider, event.checkoutId, at);
    case 'other':
      return;
  }
}

async function applyPaid(
  platform: Platform,
  tx: Database,
  provider: string,
  { checkoutId, reference, money, paidAt }: Extract<PaymentEvent, { kind: 'paid' }>,
  at: Date,
): Promise<void> {
  const checkout = await findCheckout(tx, provider, checkoutId);
  if (checkout === undefined || money === undefined) {
    const about = { checkout: checkoutId, reference };
    platform.logger.warn(about, 'money came that is for no order of this service');
    return;
  }
  const order = await lockOrder(tx, checkout.orderId);
  await closeCheckout(tx, provider, checkoutId, at);
  // Two kinds of notifications can be about one payment.
  if ((await orderOfPayment(tx, provider, reference)) !== undefined) return;
  const payment = { method: 'card', provider, reference, paidAt, recordedBy: null } as const;
  const isDue = isUnpaid(order) && isSame(money, dueOf(order)) && isSame(money, checkout);
  if (isDue) await recordPayment(platform, tx, SERVICE, order, payment);
  else await keepExcess(platform, tx, SERVICE, order, { ...payment, ...money });
}

async function applyRefunded(
  platform: Platform,
  tx: Database,
  provider: string,
  { reference, isOurs, refunded }: Extract<PaymentEvent, { kind: 'refunded' }>,
): Promise<void> {
  const orderId = await orderOfPayment(tx, provider, reference);
  if (orderId === undefined) {
    if (isOurs) throw new Unavailable('The payment is not known yet: send this again', RETRY_S);
    return;
  }
  const order = await lockOrder(tx, orderId);
  const payment = order.payments.find((one) => one.reference === reference);
  if (payment === undefined || refunded?.currency !== payment.currency) {
    const about = { order: orderId, reference };
    platform.logger.warn(about, 'a refund has another currency than its payment');
    return;
  }
  await recordRefund(platform, tx, SERVICE, order, payment, refunded.amount);
}
