import type { Money } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Checkout } from './provider.ts';

export interface CheckoutRecord extends Money {
  readonly id: string;
  readonly orderId: number;
  readonly url: string;
  readonly expiresAt: Date;
}

/** The checkouts of an order, open or not. */
export async function checkoutsOf(
  db: Database,
  provider: string,
  orderId: number,
): Promise<(CheckoutRecord & { readonly isOpen: boolean })[]> {
  const rows = await selectCheckouts(db, provider)
    .select('closed_at')
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({ ...recordOf(row), isOpen: row.closed_at === null }));
}

export async function findCheckout(
  tx: Database,
  provider: string,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const row = await selectCheckouts(tx, provider).where('id', '=', id).executeTakeFirst();
  return row && recordOf(row);
}

/** Adds a checkout, unless another request of the same attempt has. */
export async function addCheckout(
  tx: Database,
  provider: string,
  orderId: number,
  money: Money,
  { id, url, expiresAt }: Checkout,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('payment_checkouts')
    .values({
      provider,
      id,
      order_id: orderId,
      amount: money.amount,
      currency: money.currency,
      url,
      created_at: at,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function closeCheckout(db: Database, provider: string, id: string, at: Date): Promise<void> {
  await db
    .updateTable('payment_checkouts')
    .set({ closed_at: at })
    .where('provider', '=', provider)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .execute();
}

/** Open checkouts, of one order or of all, whose order is not to be paid any more. */
export async function needlessCheckouts(
  db: Database,
  provider: string,
  at: Date,
  limit: number,
  orderId: number | undefined,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_checkouts as checkouts')
    .innerJoin('orders', 'orders.id', 'checkouts.order_id')
    .select('checkouts.id')
    .where('checkouts.provider', '=', provider)
    .where('checkouts.closed_at', 'is', null)
    .where('checkouts.expires_at', '>', at)
    .where(sql<SqlBool>`(orders.state <> 'open' or orders.payment_state <> 'unpaid')`)
    .$if(orderId !== undefined, (select) => select.where('orders.id', '=', orderId ?? 0))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns whether it is the first time; a repetition at the same moment is waited for */
export async function isFirstReport(
  tx: Database,
  provider: string,
  eventId: string,
  at: Date,
): Promise<boolean> {
  const added = await tx
    .insertInto('payment_events')
    .values({ provider, id: eventId, received_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** The order that a payment of the provider was recorded for. */
export async function orderOfPayment(
  tx: Database,
  provider: string,
  reference: string,
): Promise<number | undefined> {
  const payment = await tx
    .selectFrom('order_payments')
    .select('order_id')
    // Its index begins with the seller, which is the operator.
    .where('seller', '=', 0)
    .where(sql`coalesce(provider, '')`, '=', provider)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return payment?.order_id;
}

function selectCheckouts(db: Database, provider: string) {
  return db
    .selectFrom('payment_checkouts')
    .select(['id', 'order_id', 'amount', 'currency', 'url', 'expires_at'])
    .where('provider', '=', provider);
}

function recordOf(row: {
  readonly id: string;
  readonly order_id: number;
  readonly amount: string;
  readonly currency: string;
  readonly url: string;
  readonly expires_at: Date;
}): CheckoutRecord {
  const { id, currency, url } = row;
  return { id, orderId: row.order_id, amount: Number(row.amount), currency, url, expiresAt: row.expires_at };
}
