import { currencyOf, PRODUCT_KINDS, PRODUCT_STATES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { oneOf, type SearchKeys, searchCondition } from '../../db/search.ts';
import { isEqual, organizationIs } from '../../db/search-values.ts';

const KEYS: SearchKeys = {
  sku: (text) => sql`products.sku = ${text.toLowerCase()}`,
  kind: (text) => isEqual('products.kind', oneOf(PRODUCT_KINDS, text)),
  state: (text) => isEqual('products.state', oneOf(PRODUCT_STATES, text)),
  organization_id: (text) => organizationIs('products.organization_id', text),
  currency: (text) => {
    const currency = currencyOf(text);
    if (currency === undefined) return undefined;
    return sql`products.prices @> ${JSON.stringify([{ currency }])}::jsonb`;
  },
};

const SEARCHED = sql`concat_ws(' ', products.sku, products.name, products.description)`;

/** A condition on `products`. */
export function productSearch(q: string | undefined) {
  return searchCondition(q, KEYS, SEARCHED);
}
