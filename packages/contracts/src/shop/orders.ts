import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { DateTime, Id, MAX_ID, nullable, Uid } from '../common/schemas.ts';
import { PlainLines, PlainName, PlainText } from '../text/plain-text.ts';
import { MAX_AMOUNT } from './currencies.ts';
import { PRODUCT_KINDS } from './products.ts';

export const ORDER_STATES = ['open', 'completed', 'cancelled'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const PAYMENT_STATES = ['unpaid', 'paid', 'partially_refunded', 'refunded'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const PAYMENT_METHODS = ['bank_transfer', 'card', 'cash', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const MAX_ORDER_ITEMS = 50;
export const MAX_QUANTITY = 1_000;

const amount = (description: string) => Type.Integer({ description });

/** The destination of a bill or a parcel. */
export const Address = Type.Object({
  name: Type.String(),
  company: nullable(Type.String()),
  line1: Type.String(),
  line2: nullable(Type.String()),
  city: Type.String(),
  region: nullable(Type.String()),
  postal_code: nullable(Type.String()),
  country: Type.String({ description: 'ISO 3166-1, two letters' }),
  phone: nullable(Type.String()),
  vat_number: nullable(Type.String()),
});
export type Address = Static<typeof Address>;

const line = PlainName({ maxLength: 200 });
const optionalLine = Type.Optional(nullable(PlainText({ maxLength: 200 })));

const NewAddress = Type.Object({
  name: line,
  company: optionalLine,
  line1: line,
  line2: optionalLine,
  city: line,
  region: optionalLine,
  postal_code: Type.Optional(nullable(PlainText({ maxLength: 20 }))),
  country: Type.String({
    pattern: '^[A-Za-z]{2}$',
    description: 'ISO 3166-1, two letters, in any letter case',
  }),
  phone: Type.Optional(nullable(PlainText({ maxLength: 50 }))),
  vat_number: Type.Optional(nullable(PlainText({ maxLength: 30 }))),
});
export type NewAddress = Static<typeof NewAddress>;

export const OrderItem = Type.Object({
  id: Type.Integer(),
  product_id: Type.Integer(),
  sku: Type.String({ description: 'This, the name and the price are those of the day of the order' }),
  name: Type.String(),
  kind: Type.Enum([...PRODUCT_KINDS]),
  quantity: Type.Integer(),
  unit_price: amount('Price of one'),
  subtotal: amount('Price of all'),
  tax_rate: Type.String({ description: 'A decimal fraction: 0.19 for 19 %' }),
  tax: amount('Its share of the tax on the sum of its rate, whether in the subtotal or on top of it'),
  total: amount('What they cost with tax'),
  device_uid: nullable(Type.String({ description: 'The device that a licence activates' })),
  fulfilled: Type.Boolean({ description: 'Whether it was shipped, activated or done' }),
});
export type OrderItem = Static<typeof OrderItem>;

export const TaxLine = Type.Object({ name: Type.String(), rate: Type.String(), amount: Type.Integer() });
export type TaxLine = Static<typeof TaxLine>;

export const Shipment = Type.Object({
  carrier: Type.String(),
  tracking_number: nullable(Type.String()),
  tracking_url: nullable(Type.String()),
  shipped_at: DateTime,
});
export type Shipment = Static<typeof Shipment>;

const paymentFields = {
  id: Type.Integer(),
  amount: Type.Integer(),
  currency: Type.String(),
  refunded: amount('How much of it was paid back'),
  method: Type.Enum([...PAYMENT_METHODS]),
  provider: nullable(Type.String({ description: 'Null for a payment that was recorded by hand' })),
  reference: nullable(Type.String({ description: "The bank's, the bookkeeping's or the provider's" })),
  paid_at: DateTime,
  recorded_at: DateTime,
  excess: Type.Boolean({
    description: 'Late, double or wrong money, which the seller has to pay back and which pays nothing',
  }),
};

/** Without the account that recorded it, which is the seller's business. */
export const BuyerPayment = Type.Object(paymentFields);

export const Payment = Type.Object({
  ...paymentFields,
  recorded_by: nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
});
export type Payment = Static<typeof Payment>;

const orderFields = {
  id: Type.Integer(),
  number: Type.String({ description: 'For people; unique among the orders of a seller' }),
  state: Type.Enum([...ORDER_STATES]),
  payment_state: Type.Enum([...PAYMENT_STATES]),
  currency: Type.String({ description: 'ISO 4217; all amounts are in its smallest unit' }),
  subtotal: amount('Prices of the items'),
  shipping: amount('What delivery costs'),
  tax: amount('Taxes of items and delivery'),
  total: amount('Subtotal and shipping, and the tax unless prices include it'),
  paid: amount('What was paid, without excess'),
  refunded: amount('What was paid back, of what was paid'),
  prices_include_tax: Type.Boolean(),
  items: Type.Array(OrderItem),
  tax_lines: Type.Array(TaxLine, { description: 'Taxes by name and rate' }),
  customer: Type.Object({
    id: nullable(Type.Integer({ description: 'Null once the account is gone' })),
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
  }),
  organization: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: "The seller; null for the operator's own shop" },
    ),
  ),
  billing_address: nullable(Address),
  shipping_address: nullable(Address),
  shipments: Type.Array(Shipment),
  note: nullable(Type.String({ description: 'What the buyer wrote' })),
  created_at: DateTime,
  updated_at: DateTime,
  paid_at: nullable(DateTime),
  completed_at: nullable(DateTime),
  cancelled_at: nullable(DateTime),
};

/** An order as its seller sees it. */
export const Order = Type.Object({ ...orderFields, payments: Type.Array(Payment) });
export type Order = Static<typeof Order>;

/** An order as its buyer sees it. */
export const BuyerOrder = Type.Object({
  ...orderFields,
  payments: Type.Array(BuyerPayment),
  payable_online: Type.Boolean({
    description: 'Whether the buyer can pay it now through the payment provider',
  }),
});
export type BuyerOrder = Static<typeof BuyerOrder>;

export const OrderParams = Type.Object({ id: Id });

export const OrderListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Words of which each begins a word of the number, the name, the email address, an item or the reference of a ' +
        'payment, and filters written key:value. Keys are number, state, payment_state, email, sku, currency, user_id, ' +
        'organization_id (an id, or none for the operator), created_after, created_before and paid_after',
    }),
  ),
  organization_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Only orders of that seller' }),
  ),
});
export type OrderListQuery = Static<typeof OrderListQuery>;

export const MarkPaidBody = Type.Object({
  reference: Type.Optional(
    nullable(
      PlainText({
        maxLength: 255,
        description: "The bank's or the bookkeeping's. The same one again changes nothing",
      }),
    ),
  ),
  method: Type.Optional(Type.Enum([...PAYMENT_METHODS], { default: 'other' })),
  amount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_AMOUNT,
      description: 'If given, it must be what is still to be paid',
    }),
  ),
  currency: Type.Optional(
    Type.String({ maxLength: 3, description: 'If given, it must be that of the order' }),
  ),
  paid_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the money came; not in the future' }),
  ),
});
export type MarkPaidBody = Static<typeof MarkPaidBody>;

export const PlaceOrderBody = Type.Object({
  items: Type.Array(
    Type.Object({
      sku: Type.String({ maxLength: 64 }),
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, default: 1 })),
      device_uid: Type.Optional(nullable(Uid)),
    }),
    { minItems: 1, maxItems: MAX_ORDER_ITEMS },
  ),
  currency: Type.String({ maxLength: 3, description: 'ISO 4217, in any letter case', examples: ['USD'] }),
  organization_id: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ID,
        description: "The seller; null or left out for the operator's own shop",
      }),
    ),
  ),
  billing_address: Type.Optional(nullable(NewAddress)),
  shipping_address: Type.Optional(nullable(NewAddress)),
  note: Type.Optional(nullable(PlainLines({ maxLength: 2_000 }))),
});
export type PlaceOrderBody = Static<typeof PlaceOrderBody>;

/** The page of the payment provider on which an order is paid. */
export const OrderCheckout = Type.Object({
  url: Type.String({ description: 'For the browser of the buyer' }),
});
export type OrderCheckout = Static<typeof OrderCheckout>;

/** The activation code of a paid licence, in this answer alone. */
export const OrderActivationCode = Type.Object({
  code: Type.String(),
  uses_left: Type.Integer({ description: 'Number of devices that it still activates' }),
});
export type OrderActivationCode = Static<typeof OrderActivationCode>;

export const orderOperations = operations('orders', {
  listOrders: {
    route: 'GET /api/v1/orders',
    summary: 'Lists orders, the newest first',
    description:
      "The caller's own; owners and admins of a seller see all of its orders, and operators those of everyone.",
    requires: ['orders:read_all'],
    query: OrderListQuery,
    answers: { 200: Type.Array(Order) },
  },

  getOrder: {
    route: 'GET /api/v1/orders/{id}',
    summary: 'Shows an order',
    requires: ['orders:read_all'],
    params: OrderParams,
    answers: { 200: Order },
    refusals: [404],
  },

  markOrderPaid: {
    route: 'POST /api/v1/orders/{id}/mark_paid',
    summary: 'Records that all that is still to be paid was paid',
    description:
      'Paid licences are delivered at once. An order that is paid already is answered unchanged for the same reference or none, and refused for another.',
    requires: ['orders:write_all'],
    takesIdempotencyKey: true,
    params: OrderParams,
    body: MarkPaidBody,
    isBodyOptional: true,
    answers: { 200: Order },
    refusals: [403, 404, 422],
  },

  listOwnOrders: {
    route: 'GET /api/v1/user/orders',
    summary: 'Lists the orders of the account, the newest first',
    requires: 'own_token',
    query: PageQuery,
    answers: { 200: Type.Array(BuyerOrder) },
  },

  placeOrder: {
    route: 'POST /api/v1/user/orders',
    summary: 'Orders products',
    requires: 'own_token',
    takesIdempotencyKey: true,
    body: PlaceOrderBody,
    answers: { 201: BuyerOrder },
    refusals: [422, 429],
  },

  getOwnOrder: {
    route: 'GET /api/v1/user/orders/{id}',
    summary: 'Shows an order of the account',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: BuyerOrder },
    refusals: [404],
  },

  cancelOwnOrder: {
    route: 'POST /api/v1/user/orders/{id}/cancel',
    summary: 'Cancels an order that is not paid',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: BuyerOrder },
    refusals: [404, 422],
  },

  payOrder: {
    route: 'POST /api/v1/user/orders/{id}/pay',
    summary: 'Answers the page of the payment provider on which the order is paid',
    description:
      'The page is the same until it expires, however often it is asked for. What the provider reports decides whether the order is paid, not the return of the buyer.',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: OrderCheckout },
    refusals: [404, 422, 429, 503],
  },

  createOrderActivationCode: {
    route: 'POST /api/v1/user/orders/{id}/activation_code',
    summary: 'Makes the activation code of the paid licences, and shows it, this once',
    description:
      'For licences that name no device. The code made before ends, and this one activates as many devices as that one had left.',
    requires: 'own_token',
    params: OrderParams,
    answers: { 201: OrderActivationCode },
    refusals: [404, 422],
  },
});
