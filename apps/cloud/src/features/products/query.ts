import { PRODUCT_KINDS, PRODUCT_STATES, type ProductListQuery } from '@heliograph/contracts';
import { currencyOf } from './money.ts';

/** A list's query, parsed: every word and every filter must match. */
export interface ProductQuery {
  /** Parted by spaces; empty for none. */
  readonly searchTerms: string;
  readonly filters: readonly { readonly key: keyof typeof KEYS; readonly value: string }[];
  readonly organizationId: number | undefined;
}

/** Values that a key takes, as they are stored; undefined for another. */
const KEYS = {
  sku: (text: string) => text.toLowerCase(),
  kind: oneOf(PRODUCT_KINDS),
  state: oneOf(PRODUCT_STATES),
  currency: currencyOf,
};

/** Further terms of a query are ignored, so that its cost has a bound. */
const MAX_TERMS = 16;

/** As with sites, an unknown key and an invalid value are searched for as text. */
export function parseProductQuery({
  q = '',
  organization_id: organizationId,
}: ProductListQuery): ProductQuery {
  const terms = q.split(/\s+/).filter((term) => term !== '');
  const filters: { key: keyof typeof KEYS; value: string }[] = [];
  const searchTerms: string[] = [];
  for (const term of terms.slice(0, MAX_TERMS)) {
    const [, key = '', text = ''] = /^([a-z]+):(.+)$/i.exec(term) ?? [];
    const value = isKey(key) ? KEYS[key](text) : undefined;
    if (isKey(key) && value !== undefined) filters.push({ key, value });
    else searchTerms.push(term);
  }
  return { searchTerms: searchTerms.join(' '), filters, organizationId };
}

function isKey(text: string): text is keyof typeof KEYS {
  return Object.hasOwn(KEYS, text);
}

function oneOf(values: readonly string[]) {
  return (text: string): string | undefined => values.find((value) => value === text.toLowerCase());
}
