import { moneyText } from '@heliograph/contracts';
import { type Actor, type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { revokeCodeIn } from '../../devices/activation/codes.ts';
import { activateIn } from '../../devices/devices/lifecycle.ts';
import { lockDevice } from '../../devices/devices/rows.ts';
import type { Platform } from '../../platform.ts';
import { returnToStock } from '../products/rows.ts';
import { type ItemRecord, type OrderRecord, type PaymentRecord, sellersOf } from './records.ts';
import {
  addPayment,
  addShipment,
  changeOrder,
  changePayment,
  markFulfilled,
  type NewPayment,
  type NewShipment,
} from './rows.ts';

// Each step is part of a transaction that has locked the order.

/** Records the payment of all that is outstanding, and delivers what needs no parcel. */
export async function recordPayment(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  payment: Omit<NewPayment, 'amount' | 'currency' | 'excess'>,
): Promise<void> {
  const money = { amount: order.total - order.paid, currency: order.currency };
  const at = now(platform);
  await addPayment(tx, order, { ...payment, ...money, excess: false }, at);
  await changeOrder(tx, order.id, { paid: order.total, payment_state: 'paid', paid_at: payment.paidAt }, at);
  const { method, provider, reference } = payment;
  const details = { amount: moneyText(money), method, provider, reference };
  await record(platform, tx, actor, order, 'order.paid', details);
  await mailBuyer(platform, tx, order, 'paid');
  await activateDevices(platform, tx, actor, order);
}

/** Keeps money that pays nothing, and mails the seller. */
export async function keepExcess(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  payment: Omit<NewPayment, 'excess'>,
): Promise<void> {
  const at = now(platform);
  await addPayment(tx, order, { ...payment, excess: true }, at);
  await changeOrder(tx, order.id, {}, at);
  const { method, provider, reference } = payment;
  const details = { amount: moneyText(payment), method, provider, reference };
  await record(platform, tx, actor, order, 'order.payment_excess', details);
  await mailSeller(platform, tx, order, 'excess', moneyText(payment));
}

/**
 * Records how much of a payment was paid back in all; less than before changes nothing. When all of an order is paid
 * back, its activation code ends, and an open one is cancelled.
 */
export async function recordRefund(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  payment: PaymentRecord,
  refundedInAll: number,
): Promise<void> {
  const added = Math.min(refundedInAll, payment.amount) - payment.refunded;
  if (added <= 0) return;
  const at = now(platform);
  await changePayment(tx, payment.id, payment.refunded + added);
  const amount = moneyText({ amount: added, currency: payment.currency });
  if (payment.excess) {
    await changeOrder(tx, order.id, {}, at);
    await record(platform, tx, actor, order, 'order.refunded', { amount, excess: true });
    return;
  }
  const refunded = order.refunded + added;
  const isAll = refunded === order.paid;
  await changeOrder(tx, order.id, { refunded, payment_state: isAll ? 'refunded' : 'partially_refunded' }, at);
  await record(platform, tx, actor, order, 'order.refunded', { amount });
  await mailBuyer(platform, tx, order, 'refunded', amount);
  if (!isAll) return;
  const { activationCodeId } = order;
  const organizationId = await openOrganization(tx, order.organizationId);
  if (activationCodeId !== null) await revokeCodeIn(platform, tx, actor, organizationId, activationCodeId);
  if (order.state === 'open') await recordCancellation(platform, tx, actor, order);
}

/** Gives the stock back. */
export async function recordCancellation(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
): Promise<void> {
  const at = now(platform);
  await changeOrder(tx, order.id, { state: 'cancelled', cancelled_at: at }, at);
  for (const item of order.items) {
    if (item.fulfilled_at === null) await returnToStock(tx, item.product_id, item.quantity);
  }
  await record(platform, tx, actor, order, 'order.cancelled');
  await mailBuyer(platform, tx, order, 'cancelled');
  if (actor.userId !== null && actor.userId === order.userId)
    await mailSeller(platform, tx, order, 'withdrawn');
}

/** Sends goods; every parcel of an order goes at once. */
export async function recordShipment(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  shipment: NewShipment,
): Promise<void> {
  const at = now(platform);
  await addShipment(tx, order.id, shipment, at);
  await record(platform, tx, actor, order, 'order.shipped', {
    carrier: shipment.carrier,
    tracking_number: shipment.trackingNumber,
  });
  await mailBuyer(platform, tx, order, 'shipped');
  await recordDelivery(platform, tx, actor, order, order.items.filter(isGoods));
}

/** Marks items as delivered; the last one completes a paid order. */
export async function recordDelivery(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  items: readonly ItemRecord[],
): Promise<void> {
  const at = now(platform);
  const ids = new Set(items.map(({ id }) => id));
  await markFulfilled(tx, [...ids], at);
  if (!order.items.every(({ id, fulfilled_at: done }) => done !== null || ids.has(id))) return;
  await changeOrder(tx, order.id, { state: 'completed', completed_at: at }, at);
  await record(platform, tx, actor, order, 'order.completed');
  await mailBuyer(platform, tx, order, 'completed');
}

export async function recordPlacement(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
): Promise<void> {
  const { total: amount, currency } = order;
  const details = { total: moneyText({ amount, currency }) };
  await record(platform, tx, actor, order, 'order.created', details);
  await mailBuyer(platform, tx, order, 'placed');
  await mailSeller(platform, tx, order, 'sold');
}

export async function recordActivationCode(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
  codeId: number,
): Promise<void> {
  await record(platform, tx, actor, order, 'order.activation_code_made', { code_id: codeId });
}

/** Activates the devices that licences name. A device that is gone leaves its item to the seller. */
async function activateDevices(
  platform: Platform,
  tx: Database,
  actor: Actor,
  order: OrderRecord,
): Promise<void> {
  const activated: ItemRecord[] = [];
  for (const item of order.items) {
    if (item.device_uid === null || item.fulfilled_at !== null) continue;
    const device = await lockDevice(tx, item.device_uid);
    if (device === undefined || device.revokedAt !== null) continue;
    const { organizationId } = order;
    await activateIn(platform, tx, actor, item.device_uid, { by: 'licence', organizationId });
    activated.push(item);
  }
  if (activated.length > 0) await recordDelivery(platform, tx, actor, order, activated);
}

async function mailBuyer(
  platform: Platform,
  tx: Database,
  { userId, organizationId, id: orderId }: OrderRecord,
  event: 'placed' | 'paid' | 'shipped' | 'completed' | 'cancelled' | 'refunded',
  amount: string | null = null,
): Promise<void> {
  if (userId === null) return;
  await platform.mail.enqueue(tx, { kind: 'order', event, userId, organizationId, orderId, amount });
}

/** Mails the operators where the seller was closed. */
async function mailSeller(
  platform: Platform,
  tx: Database,
  { organizationId: sellerId, id: orderId }: OrderRecord,
  event: 'sold' | 'withdrawn' | 'excess',
  amount: string | null = null,
): Promise<void> {
  const organizationId = await openOrganization(tx, sellerId);
  for (const userId of await sellersOf(tx, organizationId)) {
    await platform.mail.enqueue(tx, { kind: 'order', event, userId, organizationId, orderId, amount });
  }
}

function record(
  platform: Platform,
  tx: Database,
  actor: Actor,
  { id, number, organizationId, userId }: OrderRecord,
  action: AuditEvent['action'],
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const about = { organizationId, userId, details: { order_id: id, number, ...details } };
  return recordAudit(tx, actor, now(platform), { action, ...about });
}

function now(platform: Platform): Date {
  return new Date(platform.clock.now());
}

/** Whether an item is sent in a parcel. */
export function isGoods({ kind }: Pick<ItemRecord, 'kind'>): boolean {
  return kind === 'device' || kind === 'accessory';
}
