import { ORDER_STATES, type Order, PAYMENT_STATES } from '@heliograph/contracts';
import { truncate, truncateOrNull } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import { Type } from 'typebox';
import { MoneyWithText, withText } from './money.ts';

export const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** Fields of an order that every tool answers. */
export const orderFields = {
  order_id: Type.Integer({ description: 'What get_order takes' }),
  number: Type.String({ description: 'For people' }),
  state: Type.Enum([...ORDER_STATES]),
  payment_state: Type.Enum([...PAYMENT_STATES]),
  total: MoneyWithText,
  customer: Type.String({ description: 'The name, or the email address where no name is known' }),
  seller: textOrNull('The organization that sells; null: the operator of the service'),
  created_at: Type.String({ description: 'ISO 8601 in UTC' }),
  paid_at: textOrNull('Null: not paid yet'),
};

export function presentOrder(order: Order) {
  return {
    order_id: order.id,
    number: order.number,
    state: order.state,
    payment_state: order.payment_state,
    total: withText({ amount: order.total, currency: order.currency }),
    customer: truncate(personName(order.customer)),
    seller: truncateOrNull(order.organization?.name ?? null),
    created_at: order.created_at,
    paid_at: order.paid_at,
  };
}
