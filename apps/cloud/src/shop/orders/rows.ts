import type { Address, OrderState, PaymentMethod, PaymentState, TaxLine } from '@heliograph/contracts';
import { sql, type Updateable } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { ItemRecord, OrderRecord } from './records.ts';

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

export interface NewShipment {
  readonly carrier: string;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
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

/** @returns the id */
export async function addOrder(tx: Database, order: NewOrder, at: Date): Promise<number> {
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

export async function changeOrder(tx: Database, id: number, change: OrderChange, at: Date): Promise<void> {
  const set: Updateable<Schema['orders']> = { ...change, updated_at: at };
  await tx.updateTable('orders').set(set).where('id', '=', id).execute();
}

export async function addPayment(
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

/** @param refunded how much of the payment was paid back in all */
export async function changePayment(tx: Database, id: number, refunded: number): Promise<void> {
  await tx.updateTable('order_payments').set({ refunded }).where('id', '=', id).execute();
}

export async function markFulfilled(tx: Database, itemIds: readonly number[], at: Date): Promise<void> {
  await tx
    .updateTable('order_items')
    .set({ fulfilled_at: at })
    .where('id', 'in', [...itemIds, 0])
    .where('fulfilled_at', 'is', null)
    .execute();
}

export async function addShipment(
  tx: Database,
  orderId: number,
  shipment: NewShipment,
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
