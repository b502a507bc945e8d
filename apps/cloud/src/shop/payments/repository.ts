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

/** Checkouts of one provider, and which of its notifications had their effect. */
export class PaymentRepository {
  readonly #db: Database;
  readonly #provider: string;

  constructor(db: Database, provider: string) {
    this.#db = db;
    this.#provider = provider;
  }

  /** The checkouts of an order, open or not. */
  async ofOrder(orderId: number): Promise<(CheckoutRecord & { readonly isOpen: boolean })[]> {
    const rows = await this.#select()
      .select('closed_at')
      .where('order_id', '=', orderId)
      .orderBy('created_at')
      .execute();
    return rows.map((row) => ({ ...recordOf(row), isOpen: row.closed_at === null }));
  }

  async find(tx: Database, id: string): Promise<CheckoutRecord | undefined> {
    const row = await this.#select(tx).where('id', '=', id).executeTakeFirst();
    return row && recordOf(row);
  }

  /** Adds a checkout, unless another request of the same attempt has. */
  async add(
    tx: Database,
    orderId: number,
    money: Money,
    { id, url, expiresAt }: Checkout,
    at: Date,
  ): Promise<void> {
    await tx
      .insertInto('payment_checkouts')
      .values({
        provider: this.#provider,
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

  async close(id: string, at: Date, tx: Database = this.#db): Promise<void> {
    await tx
      .updateTable('payment_checkouts')
      .set({ closed_at: at })
      .where('provider', '=', this.#provider)
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .execute();
  }

  /** Open checkouts, of one order or of all, whose order is not to be paid any more. */
  async needless(at: Date, limit: number, orderId: number | undefined): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('payment_checkouts as checkouts')
      .innerJoin('orders', 'orders.id', 'checkouts.order_id')
      .select('checkouts.id')
      .where('checkouts.provider', '=', this.#provider)
      .where('checkouts.closed_at', 'is', null)
      .where('checkouts.expires_at', '>', at)
      .where(sql<SqlBool>`(orders.state <> 'open' or orders.payment_state <> 'unpaid')`)
      .$if(orderId !== undefined, (select) => select.where('orders.id', '=', orderId ?? 0))
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** @returns whether it is the first time; a repetition at the same moment is waited for */
  async isFirst(tx: Database, eventId: string, at: Date): Promise<boolean> {
    const added = await tx
      .insertInto('payment_events')
      .values({ provider: this.#provider, id: eventId, received_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return added !== undefined;
  }

  /** The order that a payment of the provider was recorded for. */
  async orderOfPayment(tx: Database, reference: string): Promise<number | undefined> {
    const payment = await tx
      .selectFrom('order_payments')
      .select('order_id')
      // Its index begins with the seller, which is the operator.
      .where('seller', '=', 0)
      .where(sql`coalesce(provider, '')`, '=', this.#provider)
      .where('reference', '=', reference)
      .executeTakeFirst();
    return payment?.order_id;
  }

  #select(db: Database = this.#db) {
    return db
      .selectFrom('payment_checkouts')
      .select(['id', 'order_id', 'amount', 'currency', 'url', 'expires_at'])
      .where('provider', '=', this.#provider);
  }
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
