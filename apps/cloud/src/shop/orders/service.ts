import type { MarkPaidBody, Order, OrderListQuery } from '@heliograph/contracts';
import { type Clock, Forbidden, Unprocessable, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller, SERVICE } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Actor } from '../../db/audit.ts';
import { isUniqueViolation } from '../../db/failures.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { isGoods, type OrderLifecycle } from './lifecycle.ts';
import { presentOrder } from './present.ts';
import type { OrderRecord } from './records.ts';
import type { NewShipment, OrderRepository } from './repository.ts';
import { WrongOrderState } from './states.ts';

export type { OrderLifecycle } from './lifecycle.ts';
export type { OnlinePayments } from './online-payments.ts';
export type { OrderRecord } from './records.ts';
export type { OrderRepository } from './repository.ts';
export { WrongOrderState } from './states.ts';

/** Orders that are not paid within this time are cancelled, in milliseconds. */
const UNPAID_MS = 30 * 24 * 60 * 60 * 1000;

/** Orders that one run cancels, each with its mails. */
const BATCH_SIZE = 10_000;

export interface OrderOptions {
  readonly db: Database;
  readonly orders: OrderRepository;
  readonly lifecycle: OrderLifecycle;
  readonly clock: Clock;
}

/** Orders as their sellers see them. */
export class OrderService {
  readonly #options: OrderOptions;

  constructor(options: OrderOptions) {
    this.#options = options;
  }

  async list(caller: Caller, query: OrderListQuery): Promise<Order[]> {
    return (await this.#options.orders.list(caller, query)).map((order) =>
      presentOrder(order, caller.locale),
    );
  }

  /** @throws NotFound */
  async show(caller: Caller, id: number): Promise<Order> {
    return presentOrder(orNotFound(await this.#options.orders.find(caller, id)), caller.locale);
  }

  /**
   * Records the payment of all that is outstanding. A repetition with the same reference, or without one, changes nothing.
   *
   * @param key of idempotency
   * @throws NotFound; Forbidden for the buyer; Unprocessable; ValidationError
   */
  async markPaid(
    caller: Caller,
    id: number,
    body: MarkPaidBody,
    key: string | undefined = undefined,
  ): Promise<Order> {
    await this.#requireManaged(caller, id);
    const { db, clock } = this.#options;
    const at = new Date(clock.now());
    const request = { userId: caller.userId, path: `POST /api/v1/orders/${id}/mark_paid`, key, body };
    const done = db.transaction().execute((tx) =>
      doOnce(tx, request, at, async () => {
        await this.#markPaid(tx, caller, id, body, at);
        return presentOrder(await this.#options.orders.lock(tx, id), caller.locale);
      }),
    );
    return done.catch((error: unknown) => {
      // Another order was paid with the reference at the same moment.
      throw isUniqueViolation(error, 'order_payments_reference') ? referenceTaken() : error;
    });
  }

  async #markPaid(tx: Database, caller: Caller, id: number, body: MarkPaidBody, at: Date): Promise<void> {
    const { orders, lifecycle } = this.#options;
    const reference = body.reference?.trim() || null;
    const order = await orders.lock(tx, id);
    const known = reference && (await orders.orderOfReference(tx, order.organizationId, null, reference));
    if (typeof known === 'number' && known !== id) throw referenceTaken();
    if (order.state === 'cancelled') throw new WrongOrderState(order, 'it cannot be paid');
    if (order.paymentState !== 'unpaid') {
      requireSamePayment(order, reference);
      return;
    }
    requireExpected(order, body, at);
    await lifecycle.pay(tx, actorOf(caller), order, {
      method: body.method ?? 'other',
      provider: null,
      reference,
      paidAt: body.paid_at === undefined ? at : new Date(body.paid_at),
      recordedBy: caller.kind === 'console' ? null : caller.userId,
    });
  }

  /** @throws NotFound; Unprocessable unless the order is paid and has goods that were not sent */
  ship(caller: Caller, id: number, shipment: NewShipment): Promise<Order> {
    return this.#change(caller, id, async (tx, actor, order) => {
      requireOpenAndPaid(order);
      if (!order.items.some((item) => isGoods(item) && item.fulfilled_at === null))
        throw new Unprocessable('The order has no goods that wait to be sent');
      await this.#options.lifecycle.ship(tx, actor, order, shipment);
    });
  }

  /** Marks every item that is left as delivered. @throws NotFound; Unprocessable unless the order is open and paid */
  async complete(caller: Caller, id: number): Promise<Order> {
    return this.#change(caller, id, async (tx, actor, order) => {
      requireOpenAndPaid(order);
      await this.#options.lifecycle.fulfil(tx, actor, order, order.items);
    });
  }

  /** @throws NotFound; Unprocessable unless the order is open and unpaid */
  async cancel(caller: Caller, id: number): Promise<Order> {
    return this.#change(caller, id, async (tx, actor, order) => {
      requireCancellable(order);
      await this.#options.lifecycle.cancel(tx, actor, order);
    });
  }

  /**
   * Records that money was paid back at the bank or the provider.
   *
   * @param amount of the smallest unit; null for all that is left of the payment
   * @throws NotFound; Unprocessable for more than was paid
   */
  async refund(caller: Caller, id: number, paymentId: number, amount: number | null): Promise<Order> {
    return this.#change(caller, id, async (tx, actor, order) => {
      const payment = orNotFound(order.payments.find((one) => one.id === paymentId));
      const left = payment.amount - payment.refunded;
      const added = amount ?? left;
      if (added < 1 || added > left)
        throw new Unprocessable(`Of this payment ${left} of the smallest unit can be paid back`);
      await this.#options.lifecycle.refund(tx, actor, order, payment, payment.refunded + added);
    });
  }

  /** Cancels orders that were not paid in time. */
  async cancelUnpaid(): Promise<void> {
    const { db, orders, lifecycle, clock } = this.#options;
    const before = new Date(clock.now() - UNPAID_MS);
    for (const id of await orders.unpaidSince(before, BATCH_SIZE)) {
      await db.transaction().execute(async (tx) => {
        const order = await orders.lock(tx, id);
        // It may have been paid since it was found.
        if (order.state === 'open' && order.paymentState === 'unpaid')
          await lifecycle.cancel(tx, SERVICE, order);
      });
    }
  }

  async #change(
    caller: Caller,
    id: number,
    change: (tx: Database, actor: Actor, order: OrderRecord) => Promise<void>,
  ): Promise<Order> {
    await this.#requireManaged(caller, id);
    const { db, orders } = this.#options;
    return db.transaction().execute(async (tx) => {
      await change(tx, actorOf(caller), await orders.lock(tx, id));
      return presentOrder(await orders.lock(tx, id), caller.locale);
    });
  }

  /** @throws NotFound; Forbidden for a buyer who is not the seller */
  async #requireManaged(caller: Caller, id: number): Promise<void> {
    const { orders } = this.#options;
    const order = orNotFound(await orders.find(caller, id));
    if (caller.staff || (await orders.isManagedBy(caller.userId, order.organizationId))) return;
    throw new Forbidden('Only owners and admins of the seller, and operators, may do this');
  }
}

/** @throws Unprocessable */
export function requireCancellable(order: OrderRecord): void {
  if (order.state !== 'open' || order.paymentState !== 'unpaid')
    throw new WrongOrderState(order, 'it cannot be cancelled');
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
