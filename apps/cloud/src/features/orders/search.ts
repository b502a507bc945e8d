import { currencyOf, ORDER_STATES, PAYMENT_STATES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { oneOf, type SearchKeys, searchCondition } from '../../db/search.ts';
import { dateOf, idOf, organizationIs } from '../../db/search-values.ts';

const KEYS: SearchKeys = {
  number: (text) => sql`orders.number = ${text}`,
  state: (text) => equal('state', oneOf(ORDER_STATES, text)),
  payment_state: (text) => equal('payment_state', oneOf(PAYMENT_STATES, text)),
  email: (text) => sql`lower(orders.email) = lower(${text})`,
  sku: (text) => sql`exists (select from order_items
    where order_items.order_id = orders.id and order_items.sku = ${text.toLowerCase()})`,
  organization_id: (text) => organizationIs('orders.organization_id', text),
  currency: (text) => equal('currency', currencyOf(text)),
  user_id: (text) => {
    const id = idOf(text);
    return id === undefined ? undefined : sql`orders.user_id = ${id}`;
  },
  created_after: (text) => moment(text, (at) => sql`orders.created_at >= ${at}`),
  created_before: (text) => moment(text, (at) => sql`orders.created_at < ${at}`),
  paid_after: (text) => moment(text, (at) => sql`orders.paid_at >= ${at}`),
};

const SEARCHED = sql`concat_ws(' ', orders.number, orders.first_name, orders.last_name, orders.email,
  (select string_agg(concat_ws(' ', sku, name), ' ') from order_items where order_id = orders.id),
  (select string_agg(reference, ' ') from order_payments where order_id = orders.id))`;

/** A condition on `orders`. */
export function orderSearch(q: string | undefined) {
  return searchCondition(q, KEYS, SEARCHED);
}

function equal(column: string, value: string | undefined) {
  return value === undefined ? undefined : sql`${sql.ref(`orders.${column}`)} = ${value}`;
}

function moment<Condition>(text: string, condition: (at: Date) => Condition): Condition | undefined {
  const at = dateOf(text);
  return at && condition(at);
}
