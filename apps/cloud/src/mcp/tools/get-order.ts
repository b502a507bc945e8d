import { MAX_ID, type Order } from '@heliograph/contracts';
import { NotFound, truncate, truncateOrNull } from '@heliograph/kit';
import type { Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import type { Platform } from '../../platform.ts';
import { getOrder as readOrder } from '../../shop/orders/orders.ts';
import { MoneyWithText, withText } from './money.ts';
import { orderFields, presentOrder, textOrNull } from './order-fields.ts';

const Input = Type.Object(
  {
    order_id: Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: 'The number of the order, as find_orders answers it',
    }),
  },
  { additionalProperties: false },
);

const Output = Type.Object({
  ...orderFields,
  subtotal: MoneyWithText,
  shipping: MoneyWithText,
  tax: MoneyWithText,
  paid: MoneyWithText,
  refunded: MoneyWithText,
  prices_include_tax: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      sku: Type.String(),
      name: Type.String(),
      quantity: Type.Integer(),
      unit_price: MoneyWithText,
      total: MoneyWithText,
      fulfilled: Type.Boolean({ description: 'Whether it was shipped, activated or done' }),
    }),
  ),
  taxes: Type.Array(Type.Object({ name: Type.String(), rate: Type.String(), amount: MoneyWithText })),
  payments: Type.Array(
    Type.Object({
      amount: MoneyWithText,
      refunded: MoneyWithText,
      method: Type.String(),
      reference: textOrNull("The bank's, the bookkeeping's or the provider's"),
      paid_at: Type.String(),
      excess: Type.Boolean({ description: 'Late, double or wrong money, which pays nothing' }),
    }),
  ),
  shipments: Type.Array(
    Type.Object({
      carrier: Type.String(),
      tracking_number: textOrNull('Null: none'),
      shipped_at: Type.String(),
    }),
  ),
  country: textOrNull('Where it goes, or else where the bill goes, ISO 3166-1; null: unknown'),
  completed_at: textOrNull('Null: not complete'),
  cancelled_at: textOrNull('Null: not cancelled'),
});

/** One order, without streets, phone and VAT numbers. */
export function getOrder(platform: Platform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'get_order',
    title: 'One order',
    description:
      'An order with its items, taxes, payments and parcels. It has no street, phone number or VAT number. It changes ' +
      'nothing.',
    input: Input,
    output: Output,
    isFor: ({ scopes }) => scopes.has('orders:read_all'),
    async run({ order_id: id }, caller) {
      try {
        return presentWhole(await readOrder(platform, caller, { params: { id } }));
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        throw new NotFound(`There is no order ${id} that this token sees: find_orders lists those there are`);
      }
    },
  };
}

function presentWhole(order: Order): Static<typeof Output> {
  const money = (amount: number) => withText({ amount, currency: order.currency });
  return {
    ...presentOrder(order),
    subtotal: money(order.subtotal),
    shipping: money(order.shipping),
    tax: money(order.tax),
    paid: money(order.paid),
    refunded: money(order.refunded),
    prices_include_tax: order.prices_include_tax,
    items: order.items.map(({ sku, name, quantity, unit_price, total, fulfilled }) => ({
      sku,
      name: truncate(name),
      quantity,
      unit_price: money(unit_price),
      total: money(total),
      fulfilled,
    })),
    taxes: order.tax_lines.map(({ name, rate, amount }) => ({
      name: truncate(name),
      rate,
      amount: money(amount),
    })),
    payments: order.payments.map(({ amount, currency, refunded, method, reference, paid_at, excess }) => ({
      amount: withText({ amount, currency }),
      refunded: withText({ amount: refunded, currency }),
      method,
      reference: truncateOrNull(reference),
      paid_at,
      excess,
    })),
    shipments: order.shipments.map(({ carrier, tracking_number, shipped_at }) => ({
      carrier: truncate(carrier),
      tracking_number: truncateOrNull(tracking_number),
      shipped_at,
    })),
    country: order.shipping_address?.country ?? order.billing_address?.country ?? null,
    completed_at: order.completed_at,
    cancelled_at: order.cancelled_at,
  };
}
