import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';
import { Money } from './money.ts';

export const PRODUCT_KINDS = ['device', 'accessory', 'licence', 'service'] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

export const PRODUCT_STATES = ['draft', 'active', 'archived'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const TAX_CATEGORIES = ['standard', 'reduced', 'exempt'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export const Product = Type.Object({
  id: Type.Integer(),
  sku: Type.String({ description: 'Unique among the products of a seller' }),
  name: Type.String(),
  description: nullable(Type.String({ description: 'Plain text' })),
  kind: Type.Enum([...PRODUCT_KINDS]),
  state: Type.Enum([...PRODUCT_STATES], { description: 'Only active ones are for sale' }),
  prices: Type.Array(Money, { description: 'One for each currency it is sold in' }),
  tax_category: Type.Enum([...TAX_CATEGORIES]),
  licence: nullable(
    Type.Object(
      {
        devices: Type.Integer({ description: 'How many devices it activates' }),
        months: nullable(
          Type.Integer({
            description:
              'For how long the seller promises it; null: without end. No activation ends when they are over',
          }),
        ),
      },
      { description: 'Null unless the kind is licence' },
    ),
  ),
  stock: nullable(Type.Integer({ description: 'Null: not counted' })),
  url: nullable(Type.String({ description: 'A page about it' })),
  image_url: nullable(Type.String()),
  organization: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: "The seller; null for the operator's own shop" },
    ),
  ),
  created_at: DateTime,
  updated_at: DateTime,
});
export type Product = Static<typeof Product>;

export const ProductParams = Type.Object({ id: Id });

export const ProductListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Words of which each begins a word of the SKU, name or description, and filters written key:value. Keys are sku, ' +
        'kind, state, currency and organization_id (an id, or none for the operator)',
    }),
  ),
  organization_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Only products of that seller' }),
  ),
});
export type ProductListQuery = Static<typeof ProductListQuery>;

/** A seller's taxes and prices of delivery. */
export interface ShopTerms {
  readonly prices_include_tax: boolean;
  /** The country of the seller, ISO 3166-1; null: no tax is charged without an address. */
  readonly country: string | null;
  /** Whether a business of another country, which has a VAT number there, pays the tax itself. */
  readonly reverse_charge: boolean;
  readonly tax_rates: readonly TaxRate[];
  /** Delivery of an order that has goods, for each currency. */
  readonly shipping: readonly Money[];
}

export interface TaxRate {
  readonly country: string;
  /** Null: all others of the country. */
  readonly region: string | null;
  readonly category: Exclude<TaxCategory, 'exempt'>;
  readonly name: string;
  /** A decimal fraction, such as `0.19`. */
  readonly rate: string;
}

export const productOperations = operations('products', {
  listProducts: {
    route: 'GET /api/v1/products',
    summary: 'Lists the products that are offered to the caller, by name',
    description:
      "Those of the operator's own shop, and of organizations whose customer or employee the caller is. Owners and admins of a seller, and operators, also see drafts and archived ones.",
    requires: ['products:read_all'],
    query: ProductListQuery,
    answers: { 200: Type.Array(Product) },
  },

  getProduct: {
    route: 'GET /api/v1/products/{id}',
    summary: 'Shows a product',
    requires: ['products:read_all'],
    params: ProductParams,
    answers: { 200: Product },
    refusals: [404],
  },
});
