import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { EVERY_ROW } from '../../db/search-list.ts';

export type OrderRecord = Awaited<ReturnType<typeof withParts>>[number];
export type ItemRecord = OrderRecord['items'][number];
export type PaymentRecord = OrderRecord['payments'][number];

/** A condition on `orders`. */
export type OrderCondition = RawBuilder<SqlBool>;

/** Orders with their items, payments and shipments, the newest first. */
export async function readOrders(
  db: Database,
  conditions: readonly OrderCondition[],
  page: Page = { offset: 0, limit: 1 },
): Promise<OrderRecord[]> {
  const rows = await selectOrders(db)
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
    .orderBy('orders.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return withParts(db, rows);
}

/** One that the caller bought or sells. */
export async function findOrder(db: Database, caller: Caller, id: number): Promise<OrderRecord | undefined> {
  return (await readOrders(db, [hasId(id), isVisibleTo(caller)]))[0];
}

/** One that the caller bought. */
export async function findOwnOrder(
  db: Database,
  caller: Caller,
  id: number,
): Promise<OrderRecord | undefined> {
  return (await readOrders(db, [hasId(id), isOwn(caller)]))[0];
}

/** Locks an order until the transaction ends. */
export async function lockOrder(tx: Database, id: number): Promise<OrderRecord> {
  await tx.selectFrom('orders').select('id').where('id', '=', id).forUpdate().execute();
  const [order] = await readOrders(tx, [hasId(id)]);
  if (order === undefined) throw new Error(`Order ${id} is gone`);
  return order;
}

function hasId(id: number): OrderCondition {
  return sql`orders.id = ${id}`;
}

/** An account's own; a token of an organization shows those of that seller alone. */
export function isOwn({ userId, organizationId }: Caller) {
  return organizationId === null
    ? sql<SqlBool>`orders.user_id = ${userId}`
    : sql<SqlBool>`(orders.user_id = ${userId} and orders.organization_id = ${organizationId})`;
}

/** An account's own orders, those of a seller whose owner or admin it is, and to operators all. */
export function isVisibleTo(caller: Caller) {
  const { userId, organizationId, staff } = caller;
  const isVisible = sql`(${staff}::boolean or orders.user_id = ${userId} or ${isSoldBy(userId)})`;
  return organizationId === null
    ? sql<SqlBool>`${isVisible}`
    : sql<SqlBool>`(orders.organization_id = ${organizationId} and ${isVisible})`;
}

function isSoldBy(userId: number) {
  return sql`orders.organization_id in (select organization_id from organization_members
    where user_id = ${userId} and role in ('owner', 'admin'))`;
}

/**
 * The orders of `isVisibleTo` as conditions that an index serves one by one. No order meets two of them.
 *
 * @param sellerIds the organizations whose owner or admin the caller is
 */
export function scopesOf(caller: Caller, sellerIds: readonly number[]): readonly OrderCondition[] {
  const { userId, organizationId, staff } = caller;
  if (organizationId === null && staff) return [EVERY_ROW];
  const sellers = organizationId === null ? sellerIds : sellerIds.filter((id) => id === organizationId);
  if (organizationId !== null && (staff || sellers.length > 0))
    return [sql`orders.organization_id = ${organizationId}`];
  return [
    isOwn(caller),
    ...sellers.map(
      (id) => sql<SqlBool>`(orders.organization_id = ${id} and orders.user_id is distinct from ${userId})`,
    ),
  ];
}

function selectOrders(db: Database) {
  return db
    .selectFrom('orders')
    .leftJoin('organization_names as organizations', 'organizations.id', 'orders.organization_id')
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

/** The owners and admins of a seller; the operators for the own shop. */
export async function sellersOf(tx: Database, organizationId: number | null): Promise<number[]> {
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
