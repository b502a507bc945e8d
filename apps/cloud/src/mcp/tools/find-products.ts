import { PRODUCT_KINDS, PRODUCT_STATES, type Product } from '@heliograph/contracts';
import { truncate, truncateOrNull } from '@heliograph/kit';
import { enumOf, type Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import type { Platform } from '../../platform.ts';
import { listProducts } from '../../shop/products/products.ts';
import { MoneyWithText, withText } from './money.ts';
import { DEFAULT_ROWS, MAX_ROWS, nextOffset, pageArguments } from './pages.ts';

const Input = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Words of which each must begin a word of the SKU, name or description; every product when left out',
      }),
    ),
    kind: Type.Optional(enumOf(PRODUCT_KINDS, 'Only products of this kind')),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{3}$',
        description: 'Only products that have a price in it, such as USD',
      }),
    ),
    ...pageArguments,
  },
  { additionalProperties: false },
);

const FoundProduct = Type.Object({
  product_id: Type.Integer(),
  sku: Type.String(),
  name: Type.String(),
  description: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  kind: Type.Enum([...PRODUCT_KINDS]),
  state: Type.Enum([...PRODUCT_STATES], { description: 'Only active ones are for sale' }),
  prices: Type.Array(MoneyWithText, { description: 'One for each currency it is sold in' }),
  stock: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Null: not counted' }),
  seller: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The organization that sells it; null: the operator of the service',
  }),
});

const Output = Type.Object({
  products: Type.Array(FoundProduct, { maxItems: MAX_ROWS }),
  next_offset: nextOffset,
});

/** Catalogues of shops. */
export function findProducts(platform: Platform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'find_products',
    title: 'Find products',
    description:
      'What the account can buy: devices, accessories, licences and services with their prices and stock, by name. ' +
      'Sellers also see their drafts and what they sell no more (state). It orders nothing. ' +
      `${DEFAULT_ROWS} a page unless limit says otherwise; where next_offset is not null, the same call with offset ` +
      'set to it gives the next page.',
    input: Input,
    output: Output,
    isFor: ({ scopes }) => scopes.has('products:read_all'),
    async run({ search = '', kind, currency, limit = DEFAULT_ROWS, offset = 0 }, caller) {
      const terms = [search];
      if (kind !== undefined) terms.unshift(`kind:${kind}`);
      if (currency !== undefined) terms.unshift(`currency:${currency}`);
      // One row more shows whether there is a next page.
      const found = await listProducts(platform, caller, {
        query: { q: terms.join(' '), limit: limit + 1, offset },
      });
      return {
        products: found.slice(0, limit).map(presentProduct),
        next_offset: found.length > limit ? offset + limit : null,
      };
    },
  };
}

function presentProduct(product: Product): Static<typeof FoundProduct> {
  return {
    product_id: product.id,
    sku: product.sku,
    name: truncate(product.name),
    description: truncateOrNull(product.description),
    kind: product.kind,
    state: product.state,
    prices: product.prices.map(withText),
    stock: product.stock,
    seller: truncateOrNull(product.organization?.name ?? null),
  };
}
