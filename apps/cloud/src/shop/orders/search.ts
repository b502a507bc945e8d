import { domainToUnicode } from 'node:url';
import { currencyOf, ORDER_STATES, PAYMENT_STATES } from '@heliograph/contracts';
import { emailForm } from '@heliograph/contracts/email-address';
import { foldText } from '@heliograph/contracts/folded-text';
import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../db/page.ts';
import { oneOf, parseSearch, type SearchKeys } from '../../db/search.ts';
import { type SearchedTable, searchList } from '../../db/search-list.ts';
import { idOf, isDated, isEqual, organizationIs } from '../../db/search-values.ts';
import type { OrderCondition } from './records.ts';

const KEYS: SearchKeys = {
  number: (text) => sql`orders.number = ${text}`,
  state: (text) => isEqual('orders.state', oneOf(ORDER_STATES, text)),
  payment_state: (text) => isEqual('orders.payment_state', oneOf(PAYMENT_STATES, text)),
  email: (text) => sql`folded(orders.email) = any(${spellingsOf(text)}::text[])`,
  sku: (text) => sql`exists (select from order_items
    where order_items.order_id = orders.id and order_items.sku = ${text.toLowerCase()})`,
  organization_id: (text) => organizationIs('orders.organization_id', text),
  currency: (text) => isEqual('orders.currency', currencyOf(text)),
  user_id: (text) => isEqual('orders.user_id', idOf(text)),
  created_after: (text) => isDated('orders.created_at', '>=', text),
  created_before: (text) => isDated('orders.created_at', '<', text),
  paid_after: (text) => isDated('orders.paid_at', '>=', text),
};

/** Keys whose values are words of the order. */
const TERM_KEYS = ['number', 'sku'];

const ORDERS: SearchedTable = { name: 'orders', order: ['id'] };

/**
 * The ids of a page of the orders in `scopes`, the newest first, for `in`.
 *
 * @param sellerId of those to be found; undefined for all
 */
export function searchOrders(
  scopes: readonly OrderCondition[],
  q: string | undefined,
  sellerId: number | undefined,
  page: Page,
): RawBuilder<number> {
  const { conditions, searchTerms } = parseSearch(q, KEYS, TERM_KEYS);
  const isOfSeller = sellerId === undefined ? [] : [sql`orders.organization_id = ${sellerId}`];
  return searchList(ORDERS, scopes, { conditions: [...conditions, ...isOfSeller], searchTerms }, page);
}

/** The folded spellings in which orders have an address: the form, and as the release before stored it, its domain as typed. */
function spellingsOf(typed: string): string[] {
  const form = emailForm(typed);
  const [local, domain = ''] = form?.split('@') ?? [];
  const forms = form === undefined ? [] : [form, `${local}@${domainToUnicode(domain)}`];
  return [...new Set([typed.trim(), ...forms].map(foldText))];
}
