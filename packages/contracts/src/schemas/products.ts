import { type Static, Type } from 'typebox';
import { DateTime, MAX_ID, nullable } from './common.ts';
import { PageQuery } from './page.ts';

export const PRODUCT_KINDS = ['device', 'accessory', 'licence', 'service'] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

export const PRODUCT_STATES = ['draft', 'active', 'archived'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const TAX_CATEGORIES = ['standard', 'reduced', 'exempt'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** An amount of money, without fractions: floating point would lose cents. */
export const Money = Type.Object({
  amount: Type.Integer({ description: 'In the smallest unit of the currency: cents of a dollar, whole yen' }),
  currency: Type.String({ description: 'ISO 4217, such as USD' }),
});
export type Money = Static<typeof Money>;

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
        months: nullable(Type.Integer({ description: 'Null: perpetual' })),
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

export const ProductParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

export const ProductListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Words of which each begins a word of the SKU, name or description, and filters written key:value. Keys are sku, ' +
        'kind, state and currency',
    }),
  ),
  organization_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Only products of that seller' }),
  ),
});
export type ProductListQuery = Static<typeof ProductListQuery>;
