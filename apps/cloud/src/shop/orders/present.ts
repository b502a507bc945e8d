import type { BuyerOrder, Locale, Order, OrderItem } from '@heliograph/contracts';
import { personName } from '@heliograph/kit/person-name';
import type { ItemRecord, OrderRecord, PaymentRecord } from './records.ts';

/** As the seller sees it. @param locale of the reader */
export function presentOrder(order: OrderRecord, locale: Locale): Order {
  const payments = order.payments.map((payment) => ({
    ...presentPayment(payment),
    recorded_by: recorderOf(payment, locale),
  }));
  return { ...fieldsOf(order), payments };
}

/** As the buyer sees it. */
export function presentBuyerOrder(order: OrderRecord, isPayableOnline: boolean): BuyerOrder {
  const payments = order.payments.map(presentPayment);
  return { ...fieldsOf(order), payments, payable_online: isPayableOnline };
}

function fieldsOf(order: OrderRecord): Omit<Order, 'payments'> {
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    payment_state: order.paymentState,
    currency: order.currency,
    subtotal: order.subtotal,
    shipping: order.shipping,
    tax: order.tax,
    total: order.total,
    paid: order.paid,
    refunded: order.refunded,
    prices_include_tax: order.pricesIncludeTax,
    items: order.items.map(presentItem),
    tax_lines: order.taxLines,
    customer: {
      id: order.userId,
      email: order.email,
      first_name: order.firstName,
      last_name: order.lastName,
    },
    organization:
      order.organizationId === null ? null : { id: order.organizationId, name: order.organizationName ?? '' },
    billing_address: order.billingAddress,
    shipping_address: order.shippingAddress,
    shipments: order.shipments.map(({ carrier, tracking_number, tracking_url, shipped_at }) => ({
      carrier,
      tracking_number,
      tracking_url,
      shipped_at: shipped_at.toISOString(),
    })),
    note: order.note,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    paid_at: order.paidAt?.toISOString() ?? null,
    completed_at: order.completedAt?.toISOString() ?? null,
    cancelled_at: order.cancelledAt?.toISOString() ?? null,
  };
}

function presentItem(item: ItemRecord): OrderItem {
  const { id, product_id, sku, name, kind, quantity, unit_price, subtotal, tax_rate, tax, total } = item;
  return {
    ...{ id, product_id, sku, name, kind, quantity, unit_price, subtotal, tax_rate, tax, total },
    device_uid: item.device_uid,
    fulfilled: item.fulfilled_at !== null,
  };
}

function presentPayment(payment: PaymentRecord): BuyerOrder['payments'][number] {
  const { id, amount, currency, refunded, method, provider, reference, excess } = payment;
  return {
    ...{ id, amount, currency, refunded, method, provider, reference },
    paid_at: payment.paid_at.toISOString(),
    recorded_at: payment.recorded_at.toISOString(),
    excess,
  };
}

function recorderOf(payment: PaymentRecord, locale: Locale): { id: number; name: string } | null {
  const { recorded_by: id, email, first_name, last_name } = payment;
  if (id === null || email === null) return null;
  const name = personName({ email, first_name: first_name ?? '', last_name: last_name ?? '' }, locale);
  return { id, name };
}
