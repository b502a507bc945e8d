import type { Money } from '@heliograph/contracts';
import { Unavailable } from '../../common/errors.ts';
import type { Platform } from '../../platform.ts';
import type { OrderRecord } from '../orders/records.ts';
import { closeCheckout, needlessCheckouts } from './checkouts.ts';
import type { PaymentProvider } from './provider.ts';

/** With a provider through which orders of the operator's shop are paid. */
export interface PayingPlatform extends Platform {
  /** Undefined: orders are paid by transfer, and sellers record it. */
  readonly paymentProvider: PaymentProvider | undefined;
}

type Closing = Pick<PayingPlatform, 'db' | 'clock' | 'paymentProvider'>;

/** Checkouts that one run ends. */
const BATCH_SIZE = 200;

/** Whether the buyer can pay an order online now. */
export function isPayableOnline(provider: PaymentProvider | undefined, order: OrderRecord): boolean {
  return isUnpaid(order) && order.organizationId === null && provider?.takes(dueOf(order)) === true;
}

/** Ends what an order could still be paid with; a failure leaves it to `closeNeedlessCheckouts`. */
export async function closeCheckoutsOf(platform: Closing, orderId: number): Promise<void> {
  try {
    await closeNeedlessCheckouts(platform, orderId);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
}

/**
 * Ends the checkouts of orders that were paid another way, or cancelled.
 *
 * @param orderId of those of one order; undefined for all
 * @throws Unavailable
 */
export async function closeNeedlessCheckouts(
  { db, clock, paymentProvider: provider }: Closing,
  orderId: number | undefined = undefined,
): Promise<void> {
  if (provider === undefined) return;
  const at = new Date(clock.now());
  for (const id of await needlessCheckouts(db, provider.name, at, BATCH_SIZE, orderId)) {
    await provider.end(id);
    await closeCheckout(db, provider.name, id, at);
  }
}

export function isUnpaid({ state, paymentState, total }: OrderRecord): boolean {
  return state === 'open' && paymentState === 'unpaid' && total > 0;
}

export function dueOf({ total, paid, currency }: OrderRecord): Money {
  return { amount: total - paid, currency };
}

export function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}
