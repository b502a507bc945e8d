import type {
  Address,
  OrderListQuery,
  OrderState,
  PageQuery,
  PaymentMethod,
  PaymentState,
  TaxLine,
} from '@heliograph/contracts';
import { type SqlBool, sql, type Updateable } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { Schema } from '../../db/schema.ts';
import { orderSearch } from './search.ts';

export type OrderRecord = NonNullable<Awaited<ReturnType<OrderRepository['find']>>>;
export type ItemRecord = OrderRecord['items'][number];
export type PaymentRecord = OrderRecord['payments'][number];

export interface NewItem {
  readonly productId: number;
  readonly sku: string;
  readonly name: string;
  readonly kind: ItemRecord['kind'];
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly taxRate: string;
  readonly tax: number;
  readonly total: number;
  readonly licence: ItemRecord['licence'];
  readonly deviceUid: string | null;
}

export interface NewOrder {
  readonly organizationId: number | null;
  readonly buyer: {
    readonly id: number;
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly currency: string;
  readonly subtotal: number;
  readonly shipping: number;
  readonly tax: number;
  readonly total: number;
  readonly pricesIncludeTax: boolean;
  readonly taxLines: readonly TaxLine[];
  readonly billingAddress: Address | null;
  readonly shippingAddress: Address | null;
  readonly note: string | null;
  readonly items: readonly NewItem[];
}

export interface NewPayment {
  readonly amount: number;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly provider: string | null;
  readonly reference: string | null;
  readonly paidAt: Date;
  readonly recordedBy: number | null;
  readonly excess: boolean;
}

export interface OrderChange {
  readonly state?: OrderState;
  readonly payment_state?: PaymentState;
  readonly paid?: number;
  readonly refunded?: number;
  readonly paid_at?: Date;
  readonly completed_at?: Date;
  readonly cancelled_at?: Date;
  readonly activation_code_id?: number;
  readonly activation_code_at?: Date;
}

/** The first number of a seller's orders, less one. */
const FIRST_NUMBER = 1_000;

export class OrderRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first. */
  async list(caller: Caller, { q, organization_id: organizationId, ...page }: OrderListQuery) {
    const { offset, limit } = pageFrom(page);
    const rows = await selectOrders(this.#db)
      .where(visibleTo(caller))
      .where(orderSearch(q))
      .$if(organizationId !== undefined, (orders) =>
        orders.where('orders.organization_id', '=', organizationId ?? 0),
      )
      .orderBy('orders.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
    return withParts(this.#db, rows);
  }

  /** The newest first. */
  async ofBuyer(caller: Caller, page: PageQuery) {
    const { offset, limit } = pageFrom(page);
    const rows = await selectOrders(this.#db)
      .where(isOwn(caller))
      .orderBy('orders.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
    return withParts(this.#db, rows);
  }

  async find(caller: Caller, id: number) {
    const row = await selectOrders(this.#db)
      .where('orders.id', '=', id)
      .where(visibleTo(caller))
      .executeTakeFirst();
    return row && (await withParts(this.#db, [row]))[0];
  }

  async findOwn(caller: Caller, id: number) {
    const row = await selectOrders(this.#db)
      .where('orders.id', '=', id)
      .where(isOwn(caller))
      .executeTakeFirst();
    return row && (await withParts(this.#db, [row]))[0];
  }

  /** Locks an order until the transaction ends. */
  async lock(tx: Database, id: number): Promise<OrderRecord> {
    await tx.selectFrom('orders').select('id').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    const row = await selectOrders(tx).where('orders.id', '=', id).executeTakeFirstOrThrow();
    const [order] = await withParts(tx, [row]);
    if (order === undefined) throw new Error(`Order ${id} is gone`);
    return order;
  }

  /** The owners and admins of a seller; the operators for the own shop. */
  async sellers(tx: Database, organizationId: number | null): Promise<number[]> {
    const people = await tx
      .selectFrom('users')
      .select('id')
      .where((eb) =>
        organizationId === null
          ? eb('staff', '=', true)
          : eb.exists(
              eb
                .selectFrom('organization_members as employees')
                .select('employees.user_id')
                .whereRef('employees.user_id', '=', 'users.id')
                .where('employees.organization_id', '=', organizationId)
                .where('employees.role', 'in', ['owner', 'admin']),
            ),
      )
      .orderBy('id')
      .execute();
    return people.map(({ id }) => id);
  }

  /** Whether an account sells for an organization. */
  async isManagedBy(userId: number, organizationId: number | null): Promise<boolean> {
    return organizationId !== null && (await this.sellers(this.#db, organizationId)).includes(userId);
  }

  buyer(tx: Database, userId: number): Promise<NewOrder['buyer']> {
    return tx
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
  }

  /** Orders that were placed before a moment and are not paid, the oldest first. */
  async unpaidSince(before: Date, limit: number): Promise<number[]> {
    const rows = await this.#db
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

  /** @returns the id */
  async add(tx: Database, order: NewOrder, at: Date): Promise<number> {
    const seller = order.organizationId ?? 0;
    const { last } = await tx
      .insertInto('order_numbers')
      .values({ seller, last: FIRST_NUMBER + 1 })
      .onConflict((conflict) =>
        conflict.column('seller').doUpdateSet({ last: sql<number>`order_numbers.last + 1` }),
      )
      .returning('last')
      .executeTakeFirstOrThrow();
    const { id } = await tx
      .insertInto('orders')
      .values({
        organization_id: order.organizationId,
        number: String(last),
        user_id: order.buyer.id,
        email: order.buyer.email,
        first_name: order.buyer.first_name,
        last_name: order.buyer.last_name,
        currency: order.currency,
        subtotal: order.subtotal,
        shipping: order.shipping,
        tax: order.tax,
        total: order.total,
        prices_include_tax: order.pricesIncludeTax,
        tax_lines: JSON.stringify(order.taxLines),
        billing_address: order.billingAddress && JSON.stringify(order.billingAddress),
        shipping_address: order.shippingAddress && JSON.stringify(order.shippingAddress),
        note: order.note,
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('order_items')
      .values(
        order.items.map((item) => ({
          order_id: id,
          product_id: item.productId,
          sku: item.sku,
          name: item.name,
          kind: item.kind,
          quantity: item.quantity,
          unit_price: item.unitPrice,
          subtotal: item.subtotal,
          tax_rate: item.taxRate,
          tax: item.tax,
          total: item.total,
          licence: item.licence && JSON.stringify(item.licence),
          device_uid: item.deviceUid,
        })),
      )
      .execute();
    return id;
  }

  async change(tx: Database, id: number, change: OrderChange, at: Date): Promise<void> {
    const set: Updateable<Schema['orders']> = { ...change, updated_at: at };
    await tx.updateTable('orders').set(set).where('id', '=', id).execute();
  }

  async addPayment(
    tx: Database,
    order: Pick<OrderRecord, 'id' | 'organizationId'>,
    payment: NewPayment,
    at: Date,
  ): Promise<void> {
    await tx
      .insertInto('order_payments')
      .values({
        order_id: order.id,
        seller: order.organizationId ?? 0,
        amount: payment.amount,
        currency: payment.currency,
        method: payment.method,
        provider: payment.provider,
        reference: payment.reference,
        paid_at: payment.paidAt,
        recorded_at: at,
        recorded_by: payment.recordedBy,
        excess: payment.excess,
      })
      .execute();
  }

  /** @returns the order of the payment with a reference, among those of a seller */
  async orderOfReference(
    tx: Database,
    organizationId: number | null,
    provider: string | null,
    reference: string,
  ): Promise<number | undefined> {
    const payment = await tx
      .selectFrom('order_payments')
      .select('order_id')
      .where('seller', '=', organizationId ?? 0)
      .where(sql`coalesce(provider, '')`, '=', provider ?? '')
      .where('reference', '=', reference)
      .executeTakeFirst();
    return payment?.order_id;
  }

  /** @param refunded how much of the payment was paid back in all */
  async changePayment(tx: Database, id: number, refunded: number): Promise<void> {
    await tx.updateTable('order_payments').set({ refunded }).where('id', '=', id).execute();
  }

  async fulfil(tx: Database, itemIds: readonly number[], at: Date): Promise<void> {
    await tx
      .updateTable('order_items')
      .set({ fulfilled_at: at })
      .where('id', 'in', [...itemIds, 0])
      .where('fulfilled_at', 'is', null)
      .execute();
  }

  async addShipment(
    tx: Database,
    orderId: number,
    shipment: {
      readonly carrier: string;
      readonly trackingNumber: string | null;
      readonly trackingUrl: string | null;
    },
    at: Date,
  ): Promise<void> {
    await tx
      .insertInto('order_shipments')
      .values({
        order_id: orderId,
        carrier: shipment.carrier,
        tracking_number: shipment.trackingNumber,
        tracking_url: shipment.trackingUrl,
        shipped_at: at,
      })
      .execute();
  }
}

function selectOrders(db: Database) {
  return db
    .selectFrom('orders')
    .leftJoin('organizations', 'organizations.id', 'orders.organization_id')
    .select([
      'orders.id',
      'orders.organization_id as organizationId',
      'organizations.name as organizationName',
      'orders.number',
      'orders.user_id as userId',
      'orders.email',
      'orders.first_name as firstName',
      'orders.last_name as lastName',
      'orders.state',
      'orders.payment_state as paymentState',
      'orders.currency',
      'orders.subtotal',
      'orders.shipping',
      'orders.tax',
      'orders.total',
      'orders.paid',
      'orders.refunded',
      'orders.prices_include_tax as pricesIncludeTax',
      'orders.tax_lines as taxLines',
      'orders.billing_address as billingAddress',
      'orders.shipping_address as shippingAddress',
      'orders.note',
      'orders.activation_code_id as activationCodeId',
      'orders.activation_code_at as activationCodeAt',
      'orders.created_at as createdAt',
      'orders.updated_at as updatedAt',
      'orders.paid_at as paidAt',
      'orders.completed_at as completedAt',
      'orders.cancelled_at as cancelledAt',
    ]);
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number];

/** Orders with their items, payments and shipments. */
async function withParts(db: Database, rows: readonly OrderRow[]) {
  const ids = [...rows.map(({ id }) => id), 0];
  // One after the other: a transaction has one connection.
  const items = await db
    .selectFrom('order_items')
    .selectAll()
    .where('order_id', 'in', ids)
    .orderBy('id')
    .execute();
  const payments = await db
    .selectFrom('order_payments')
    .leftJoin('users', 'users.id', 'order_payments.recorded_by')
    .selectAll('order_payments')
    .select(['users.email', 'users.first_name', 'users.last_name'])
    .where('order_id', 'in', ids)
    .orderBy('order_payments.id')
    .execute();
  const shipments = await db
    .selectFrom('order_shipments')
    .selectAll()
    .where('order_id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    subtotal: Number(row.subtotal),
    shipping: Number(row.shipping),
    tax: Number(row.tax),
    total: Number(row.total),
    paid: Number(row.paid),
    refunded: Number(row.refunded),
    items: items
      .filter((item) => item.order_id === row.id)
      .map((item) => ({
        ...item,
        unit_price: Number(item.unit_price),
        subtotal: Number(item.subtotal),
        tax: Number(item.tax),
        total: Number(item.total),
      })),
    payments: payments
      .filter((payment) => payment.order_id === row.id)
      .map((payment) => ({
        ...payment,
        amount: Number(payment.amount),
        refunded: Number(payment.refunded),
      })),
    shipments: shipments.filter((shipment) => shipment.order_id === row.id),
  }));
}

/** An account's own; a token of an organization shows those of that seller alone. */
function isOwn({ userId, organizationId }: Caller) {
  return organizationId === null
    ? sql<SqlBool>`orders.user_id = ${userId}`
    : sql<SqlBool>`(orders.user_id = ${userId} and orders.organization_id = ${organizationId})`;
}

/** An account's own orders, those of a seller whose owner or admin it is, and to operators all. */
function visibleTo(caller: Caller) {
  const { userId, organizationId, staff } = caller;
  const isVisible = sql`(${staff}::boolean or orders.user_id = ${userId} or ${isManagedBy(userId)})`;
  return organizationId === null
    ? sql<SqlBool>`${isVisible}`
    : sql<SqlBool>`(orders.organization_id = ${organizationId} and ${isVisible})`;
}

function isManagedBy(userId: number) {
  return sql`orders.organization_id in (select organization_id from organization_members
    where user_id = ${userId} and role in ('owner', 'admin'))`;
}
