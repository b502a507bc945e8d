import type { MarkPaidBody, Order } from '@heliograph/contracts';
import { Forbidden, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller, SERVICE } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Actor } from '../../db/audit.ts';
import { isUniqueViolation } from '../../db/failures.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import {
  isGoods,
  recordCancellation,
  recordDelivery,
  recordPayment,
  recordRefund,
  recordShipment,
} from './lifecycle.ts';
import { presentOrder } from './present.ts';
import { findOrder, lockOrder, type OrderRecord, readOrders, scopesOf, sellersOf } from './records.ts';
import type { NewShipment } from './rows.ts';
import { searchOrders } from './search.ts';
import { requireCancellable, WrongOrderState } from './states.ts';

/** Orders that are not paid within this time are cancelled, in milliseconds. */
const UNPAID_MS = 30 * 24 * 60 * 60 * 1000;

/** Orders that one run cancels, each with its mails. */
const BATCH_SIZE = 10_000;

/** Orders that the caller bought or sells. */
export async function listOrders(
  { db }: Platform,
  caller: Caller,
  { query: { q, organization_id: sellerId, ...query } }: InputOf<'listOrders'>,
): Promise<Order[]> {
  const scopes = scopesOf(caller, await organizationsSoldBy(db, caller.userId));
  const page = pageFrom(query);
  const ids = searchOrders(scopes, q, sellerId, page);
  const found = await readOrders(db, [sql`orders.id in ${ids}`], { offset: 0, limit: page.limit });
  return found.map((order) => presentOrder(order, caller.locale));
}

/** @throws NotFound */
export async function getOrder(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'getOrder'>,
): Promise<Order> {
  return presentOrder(orNotFound(await findOrder(db, caller, params.id)), caller.locale);
}

/**
 * Records the payment of all that is outstanding. A repetition with the same reference, or without one, changes nothing.
 *
 * @param key of idempotency
 * @throws NotFound; Forbidden for the buyer; Unprocessable; ValidationError
 */
export async function markOrderPaid(
  platform: Platform,
  caller: Caller,
  { params: { id }, body }: InputOf<'markOrderPaid'>,
  key: string | undefined = undefined,
): Promise<Order> {
  const { db, clock } = platform;
  await requireManaged(db, caller, id);
  const at = new Date(clock.now());
  const request = { userId: caller.userId, path: `POST /api/v1/orders/${id}/mark_paid`, key, body };
  const done = db.transaction().execute((tx) =>
    doOnce(tx, request, at, async () => {
      await pay(platform, tx, caller, id, body, at);
      return presentOrder(await lockOrder(tx, id), caller.locale);
    }),
  );
  return done.catch((error: unknown) => {
    // Another order was paid with the reference at the same moment.
    throw isUniqueViolation(error, 'order_payments_reference') ? referenceTaken() : error;
  });
}

async function pay(
  platform: Platform,
  tx: Database,
  caller: Caller,
  id: number,
  body: MarkPaidBody,
  at: Date,
): Promise<void> {
  const reference = body.reference?.trim() || null;
  const order = await lockOrder(tx, id);
  const known = reference && (await orderOfReference(tx, order.organizationId, reference));
  if (typeof known === 'number' && known !== id) throw referenceTaken();
  if (order.state === 'cancelled') throw new WrongOrderState(order, 'it cannot be paid');
  if (order.paymentState !== 'unpaid') {
    requireSamePayment(order, reference);
    return;
  }
  requireExpected(order, body, at);
  await recordPayment(platform, tx, actorOf(caller), order, {
    method: body.method ?? 'other',
    provider: null,
    reference,
    paidAt: body.paid_at === undefined ? at : new Date(body.paid_at),
    recordedBy: caller.kind === 'console' ? null : caller.userId,
  });
}

/** @throws NotFound; Unprocessable unless the order is paid and has goods that were not sent */
export function shipOrder(
  platform: Platform,
  caller: Caller,
  id: number,
  shipment: NewShipment,
): Promise<Order> {
  return changeManaged(platform, caller, id, async (tx, actor, order) => {
    requireOpenAndPaid(order);
    if (!order.items.some((item) => isGoods(item) && item.fulfilled_at === null))
      throw new Unprocessable('The order has no goods that wait to be sent');
    await recordShipment(platform, tx, actor, order, shipment);
  });
}

/** Marks every item that is left as delivered. @throws NotFound; Unprocessable unless the order is open and paid */
export function completeOrder(platform: Platform, caller: Caller, id: number): Promise<Order> {
  return changeManaged(platform, caller, id, async (tx, actor, order) => {
    requireOpenAndPaid(order);
    await recordDelivery(platform, tx, actor, order, order.items);
  });
}

/** @throws NotFound; Unprocessable unless the order is open and unpaid */
export function cancelOrder(platform: Platform, caller: Caller, id: number): Promise<Order> {
  return changeManaged(platform, caller, id, async (tx, actor, order) => {
    requireCancellable(order);
    await recordCancellation(platform, tx, actor, order);
  });
}

/**
 * Records that money was paid back at the bank or the provider.
 *
 * @param amount of the smallest unit; null for all that is left of the payment
 * @throws NotFound; Unprocessable for more than was paid
 */
export function refundOrder(
  platform: Platform,
  caller: Caller,
  id: number,
  paymentId: number,
  amount: number | null,
): Promise<Order> {
  return changeManaged(platform, caller, id, async (tx, actor, order) => {
    const payment = orNotFound(order.payments.find((one) => one.id === paymentId));
    const left = payment.amount - payment.refunded;
    const added = amount ?? left;
    if (added < 1 || added > left)
      throw new Unprocessable(`Of this payment ${left} of the smallest unit can be paid back`);
    await recordRefund(platform, tx, actor, order, payment, payment.refunded + added);
  });
}

/** Cancels orders that were not paid in time. */
export async function cancelUnpaidOrders(platform: Platform): Promise<void> {
  const { db, clock } = platform;
  for (const id of await unpaidOrders(db, new Date(clock.now() - UNPAID_MS), BATCH_SIZE)) {
    await db.transaction().execute(async (tx) => {
      const order = await lockOrder(tx, id);
      // It may have been paid since it was found.
      if (order.state === 'open' && order.paymentState === 'unpaid')
        await recordCancellation(platform, tx, SERVICE, order);
    });
  }
}

/** Orders that were placed before a moment and are not paid, the oldest first. */
export async function unpaidOrders(db: Database, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('state', '=', 'open')
    .where('payment_state', '=', 'unpaid')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function changeManaged(
  { db }: Platform,
  caller: Caller,
  id: number,
  change: (tx: Database, actor: Actor, order: OrderRecord) => Promise<void>,
): Promise<Order> {
  await requireManaged(db, caller, id);
  return db.transaction().execute(async (tx) => {
    await change(tx, actorOf(caller), await lockOrder(tx, id));
    return presentOrder(await lockOrder(tx, id), caller.locale);
  });
}

/** @throws NotFound; Forbidden for a buyer who is not the seller */
async function requireManaged(db: Database, caller: Caller, id: number): Promise<void> {
  const { organizationId } = orNotFound(await findOrder(db, caller, id));
  if (caller.staff) return;
  if (organizationId !== null && (await sellersOf(db, organizationId)).includes(caller.userId)) return;
  throw new Forbidden('Only owners and admins of the seller, and operators, may do this');
}

async function organizationsSoldBy(db: Database, userId: number): Promise<number[]> {
  const sellers = await db
    .selectFrom('organization_members')
    .select('organization_id as id')
    .where('user_id', '=', userId)
    .where('role', 'in', ['owner', 'admin'])
    .execute();
  return sellers.map(({ id }) => id);
}

/** The order that a seller recorded the payment of, which has the reference. */
async function orderOfReference(
  tx: Database,
  organizationId: number | null,
  reference: string,
): Promise<number | undefined> {
  const payment = await tx
    .selectFrom('order_payments')
    .select('order_id')
    .where('seller', '=', organizationId ?? 0)
    .where(sql`coalesce(provider, '')`, '=', '')
    .where('reference', '=', reference)
    .executeTakeFirst();
  return payment?.order_id;
}

/** @throws Unprocessable */
function requireOpenAndPaid(order: OrderRecord): void {
  if (order.state !== 'open') throw new WrongOrderState(order, 'nothing of it is left to deliver');
  if (order.paymentState === 'unpaid' || order.paymentState === 'refunded')
    throw new WrongOrderState(order, 'it cannot be delivered yet');
}

function referenceTaken(): ValidationError {
  return new ValidationError({ reference: ['belongs to the payment of another order'] });
}

/** @throws Unprocessable; ValidationError for a second payment */
function requireSamePayment(order: OrderRecord, reference: string | null): void {
  if (reference !== null && order.payments.some((payment) => payment.reference === reference)) return;
  if (order.paymentState !== 'paid') throw new WrongOrderState(order, 'it cannot be paid again');
  if (reference === null) return;
  throw new ValidationError({
    reference: ['is another than that of the payment: the order is paid already'],
  });
}

/** @throws ValidationError */
function requireExpected(order: OrderRecord, body: MarkPaidBody, now: Date): void {
  const outstanding = order.total - order.paid;
  const isWrongAmount = body.amount !== undefined && body.amount !== outstanding;
  const isWrongCurrency = body.currency !== undefined && body.currency.toUpperCase() !== order.currency;
  const isAhead = body.paid_at !== undefined && new Date(body.paid_at) > now;
  const errors = {
    ...(isWrongAmount && { amount: [`must be ${outstanding}, which is still to be paid`] }),
    ...(isWrongCurrency && { currency: [`must be ${order.currency}`] }),
    ...(isAhead && { paid_at: ['must not be in the future'] }),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}
