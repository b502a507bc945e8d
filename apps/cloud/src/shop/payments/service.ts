import type { Money, OrderCheckout } from '@heliograph/contracts';
import { type Clock, type Logger, NotFound, Unprocessable } from '@heliograph/kit';
import { type Caller, SERVICE } from '../../access/caller.ts';
import { orNotFound, Unavailable } from '../../common/errors.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import type { Database } from '../../db/open.ts';
import {
  type OnlinePayments,
  type OrderLifecycle,
  type OrderRecord,
  type OrderRepository,
  WrongOrderState,
} from '../orders/service.ts';
import type { PaymentEvent, PaymentProvider } from './provider.ts';
import { PaymentRepository } from './repository.ts';

/** Each is a request to the provider. */
const CHECKOUTS: RateRule = { name: 'checkouts', points: 30, durationS: 60 * 60 };

/** A checkout with less time left is not offered again, in milliseconds. */
const MIN_TIME_MS = 10 * 60_000;

/** Checkouts that one run ends. */
const BATCH_SIZE = 200;

const CANNOT_BE_PAID = 'it cannot be paid';

/** A refund that is reported before its payment is sent again, after this time. */
const RETRY_S = 60;

export interface PaymentOptions {
  readonly db: Database;
  readonly orders: OrderRepository;
  readonly lifecycle: OrderLifecycle;
  /** Undefined: orders are paid by transfer, and sellers record it. */
  readonly provider: PaymentProvider | undefined;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Paying orders of the operator's shop through a provider. */
export class PaymentService implements OnlinePayments {
  readonly #options: PaymentOptions;
  readonly #payments: PaymentRepository | undefined;

  constructor(options: PaymentOptions) {
    this.#options = options;
    const { db, provider } = options;
    this.#payments = provider && new PaymentRepository(db, provider.name);
  }

  takes(order: OrderRecord): boolean {
    const { provider } = this.#options;
    return isUnpaid(order) && order.organizationId === null && provider?.takes(dueOf(order)) === true;
  }

  /**
   * The page on which the buyer pays: the former one while it is valid.
   *
   * @throws NotFound; Unprocessable for an order that is not to be paid online; TooManyRequests; Unavailable
   */
  async begin(caller: Caller, orderId: number): Promise<OrderCheckout> {
    const { db, orders, provider, limits, clock } = this.#options;
    const order = orNotFound(await orders.findOwn(caller, orderId));
    if (!isUnpaid(order)) throw new WrongOrderState(order, CANNOT_BE_PAID);
    const payments = this.#payments;
    if (provider === undefined || payments === undefined || !this.takes(order))
      throw new Unprocessable('This order is not paid online: pay it as its seller asks');
    const due = dueOf(order);
    const at = new Date(clock.now());
    const before = await payments.ofOrder(orderId);
    const open = before.find(
      (one) => one.isOpen && isSame(one, due) && one.expiresAt.getTime() > at.getTime() + MIN_TIME_MS,
    );
    if (open !== undefined) return { url: open.url };
    await limits.consume(CHECKOUTS, String(caller.userId));
    const { id, number, createdAt, email } = order;
    const checkout = await provider.begin({ id, number, createdAt, email, due, attempt: before.length + 1 });
    const now = await db.transaction().execute(async (tx) => {
      await payments.add(tx, id, due, checkout, at);
      return orders.lock(tx, id);
    });
    // It may have been paid or cancelled meanwhile.
    if (isUnpaid(now)) return { url: checkout.url };
    await this.close(id);
    throw new WrongOrderState(now, CANNOT_BE_PAID);
  }

  /** Ends what an order could still be paid with; a failure leaves it to `closeNeedless`. */
  async close(orderId: number): Promise<void> {
    try {
      await this.#closeNeedless(orderId);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  /** Ends the checkouts of orders that were paid another way, or cancelled. @throws Unavailable */
  closeNeedless(): Promise<void> {
    return this.#closeNeedless(undefined);
  }

  /**
   * Does what a notification of the provider reports, once.
   *
   * @param signature the header that proves where it comes from
   * @throws NotFound without a provider; BadRequest; Unavailable for a refund that came before its payment
   */
  async receive(providerName: string, body: Buffer, signature: string): Promise<void> {
    const { db, provider, clock } = this.#options;
    const payments = this.#payments;
    if (provider?.name !== providerName || payments === undefined) throw new NotFound();
    const event = provider.read(body, signature);
    const at = new Date(clock.now());
    await db.transaction().execute(async (tx) => {
      if (await payments.isFirst(tx, event.id, at)) await this.#apply(tx, payments, event, at);
    });
  }

  async #apply(tx: Database, payments: PaymentRepository, event: PaymentEvent, at: Date): Promise<void> {
    switch (event.kind) {
      case 'paid':
        return this.#paid(tx, payments, event, at);
      case 'refunded':
        return this.#refunded(tx, payments, event);
      case 'expired':
        return payments.close(event.checkoutId, at, tx);
      case 'other':
        return;
    }
  }

  async #paid(
    tx: Database,
    payments: PaymentRepository,
    event: Extract<PaymentEvent, { kind: 'paid' }>,
    at: Date,
  ): Promise<void> {
    const { orders, lifecycle, provider, logger } = this.#options;
    const { checkoutId, reference, money, paidAt } = event;
    const checkout = await payments.find(tx, checkoutId);
    if (checkout === undefined || money === undefined) {
      logger.warn({ checkout: checkoutId, reference }, 'money came that is for no order of this service');
      return;
    }
    const order = await orders.lock(tx, checkout.orderId);
    await payments.close(checkoutId, at, tx);
    // Two kinds of notifications can be about one payment.
    if ((await payments.orderOfPayment(tx, reference)) !== undefined) return;
    const payment = {
      method: 'card',
      provider: provider?.name ?? null,
      reference,
      paidAt,
      recordedBy: null,
    } as const;
    const isDue = isUnpaid(order) && isSame(money, dueOf(order)) && isSame(money, checkout);
    if (isDue) await lifecycle.pay(tx, SERVICE, order, payment);
    else await lifecycle.keepExcess(tx, SERVICE, order, { ...payment, ...money });
  }

  async #refunded(
    tx: Database,
    payments: PaymentRepository,
    { reference, isOurs, refunded }: Extract<PaymentEvent, { kind: 'refunded' }>,
  ): Promise<void> {
    const { orders, lifecycle, logger } = this.#options;
    const orderId = await payments.orderOfPayment(tx, reference);
    if (orderId === undefined) {
      if (isOurs) throw new Unavailable('The payment is not known yet: send this again', RETRY_S);
      return;
    }
    const order = await orders.lock(tx, orderId);
    const payment = order.payments.find((one) => one.reference === reference);
    if (payment === undefined || refunded?.currency !== payment.currency) {
      logger.warn({ order: orderId, reference }, 'a refund has another currency than its payment');
      return;
    }
    await lifecycle.refund(tx, SERVICE, order, payment, refunded.amount);
  }

  async #closeNeedless(orderId: number | undefined): Promise<void> {
    const { provider, clock } = this.#options;
    const payments = this.#payments;
    if (provider === undefined || payments === undefined) return;
    const at = new Date(clock.now());
    for (const id of await payments.needless(at, BATCH_SIZE, orderId)) {
      await provider.end(id);
      await payments.close(id, at);
    }
  }
}

function isUnpaid({ state, paymentState, total }: OrderRecord): boolean {
  return state === 'open' && paymentState === 'unpaid' && total > 0;
}

function dueOf({ total, paid, currency }: OrderRecord): Money {
  return { amount: total - paid, currency };
}

function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}
