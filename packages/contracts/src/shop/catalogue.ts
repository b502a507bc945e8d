import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { MAX_ID, nullable } from '../common/schemas.ts';
import { Money } from './money.ts';

/** Largest file of a catalogue, in bytes. */
export const MAX_CATALOGUE_SIZE = 1024 * 1024;

/** The shop where the pages of the portal sell to the visitor. */
export const Shop = Type.Object({
  organization: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: "The seller; null for the operator's own shop" },
    ),
  ),
  currencies: Type.Array(Type.String(), { description: 'Those that its active products are sold in' }),
  prices_include_tax: Type.Boolean(),
  devices: Type.Array(Type.Object({ uid: Type.String(), site: Type.String() }), {
    description: 'Those of sites that the visitor owns, which a licence can name',
  }),
  delivery: Type.Array(Money, { description: 'Of an order that has goods, for each currency' }),
});
export type Shop = Static<typeof Shop>;

export const CatalogueQuery = Type.Object({
  organization_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ID,
      description: "The seller; left out for the operator's own shop",
    }),
  ),
});
export type CatalogueQuery = Static<typeof CatalogueQuery>;

/** A catalogue as an import reads it. */
export const CatalogueFile = Type.Object({ text: Type.String({ description: 'YAML' }) });
export type CatalogueFile = Static<typeof CatalogueFile>;

const skus = (description: string) => Type.Array(Type.String(), { description });

/** The effect of an import on a seller's catalogue, by SKU. */
export const CatalogueChanges = Type.Object({
  created: skus('Products that are new'),
  changed: skus('Products that differ'),
  archived: skus('Products that the file lacks'),
  unchanged: skus('Products that are as before'),
  terms_changed: Type.Boolean({ description: 'Whether taxes or delivery differ' }),
});
export type CatalogueChanges = Static<typeof CatalogueChanges>;

const catalogueFile = {
  'application/yaml': { schema: Type.Unsafe<Uint8Array>({ description: 'The file, at most 1 MiB' }) },
};

export const catalogueOperations = operations('portal', {
  getShop: {
    route: 'GET /portal/api/shop',
    summary:
      "The shop where the visitor buys: that of the organization whose customer they are, or the operator's",
    requires: 'session',
    answers: { 200: Shop },
  },

  getCatalogue: {
    route: 'GET /portal/api/catalogue',
    summary: "A seller's catalogue, as the file that an import reads",
    requires: 'session',
    query: CatalogueQuery,
    answers: { 200: CatalogueFile },
    refusals: [404],
  },

  previewCatalogue: {
    route: 'POST /portal/api/catalogue/preview',
    summary: 'What an import of a file would change',
    requires: 'session',
    query: CatalogueQuery,
    body: { content: catalogueFile },
    bodyLimit: MAX_CATALOGUE_SIZE,
    answers: { 200: CatalogueChanges },
    refusals: [404, 422],
  },

  importCatalogue: {
    route: 'PUT /portal/api/catalogue',
    summary: "Makes a seller's catalogue that of a file",
    requires: 'session',
    query: CatalogueQuery,
    body: { content: catalogueFile },
    bodyLimit: MAX_CATALOGUE_SIZE,
    answers: { 200: CatalogueChanges },
    refusals: [404, 422],
  },
});
