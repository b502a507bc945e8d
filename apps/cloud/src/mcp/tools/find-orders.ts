import { ORDER_STATES, type Order, PAYMENT_STATES } from '@heliograph/contracts';
import { truncate, ValidationError } from '@heliograph/kit';
import { enumOf, type Tool } from '@heliograph/mcp';
import { Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import type { Platform } from '../../platform.ts';
import { listOrders } from '../../shop/orders/orders.ts';
import { orderFields, presentOrder } from './order-fields.ts';
import { DEFAULT_ROWS, MAX_ROWS, nextOffset, pageArguments } from './pages.ts';

const date = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: `${description}, as 2026-01-31 in UTC` }),
  );

const Input = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Words of which each must begin a word of the number, the name or email address of the customer, an item or ' +
          'the reference of a payment; every order when left out',
      }),
    ),
    state: Type.Optional(enumOf(ORDER_STATES, 'Only orders in this state')),
    payment_state: Type.Optional(enumOf(PAYMENT_STATES, 'Only orders with this state of payment')),
    created_after: date('Only orders of this day or later'),
    created_before: date('Only orders before this day'),
    ...pageArguments,
  },
  { additionalProperties: false },
);

/** Items that one text names. */
const NAMED_ITEMS = 5;

const Output = Type.Object({
  orders: Type.Array(
    Type.Object({ ...orderFields, items: Type.String({ description: 'Such as: 2 × Device, 1 × Licence' }) }),
    { maxItems: MAX_ROWS },
  ),
  next_offset: nextOffset,
});

/** Orders by words and filters. */
export function findOrders(platform: Platform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'find_orders',
    title: 'Find orders',
    description:
      'Orders of the shop that the account sees, the newest first: its own, and for sellers those of their customers. ' +
      '"Which orders are not paid?" is state open, payment_state unpaid. It marks nothing as paid. For taxes, payments ' +
      `and parcels of one order call get_order. ${DEFAULT_ROWS} a page unless limit says otherwise; where next_offset ` +
      'is not null, the same call with offset set to it gives the next page.',
    input: Input,
    output: Output,
    isFor: ({ scopes }) => scopes.has('orders:read_all'),
    async run({ limit = DEFAULT_ROWS, offset = 0, search = '', ...filters }, caller) {
      for (const name of ['created_after', 'created_before'] as const) requireDay(name, filters[name]);
      const terms = Object.entries(filters).map(([key, value]) => `${key}:${value}`);
      const q = [...terms, search].join(' ');
      // One row more shows whether there is a next page.
      const found = await listOrders(platform, caller, { query: { q, limit: limit + 1, offset } });
      return {
        orders: found.slice(0, limit).map((order) => ({ ...presentOrder(order), items: itemsText(order) })),
        next_offset: found.length > limit ? offset + limit : null,
      };
    },
  };
}

/** @throws ValidationError for a day that no month has */
function requireDay(name: string, day: string | undefined): void {
  if (day === undefined) return;
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day))
    throw new ValidationError({ [name]: ['is no day of the calendar'] });
}

function itemsText({ items }: Order): string {
  const named = items.slice(0, NAMED_ITEMS).map(({ quantity, name }) => `${quantity} × ${name}`);
  const rest = items.length - named.length;
  return truncate([...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', '));
}
