import type { Product } from '@heliograph/contracts';
import type { CatalogueEntry } from './catalogue.ts';
import type { ProductRecord } from './rows.ts';

export function presentProduct(record: ProductRecord): Product {
  const { organization_id: sellerId, organizationName } = record;
  return {
    id: record.id,
    ...catalogueEntryOf(record),
    organization: sellerId === null ? null : { id: sellerId, name: organizationName ?? '' },
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}

/** The fields of a product that its seller decides. */
export function catalogueEntryOf(record: ProductRecord): CatalogueEntry {
  return {
    sku: record.sku,
    name: record.name,
    description: record.description,
    kind: record.kind,
    state: record.state,
    prices: record.prices,
    tax_category: record.tax_category,
    licence: record.licence,
    stock: record.stock,
    url: record.url,
    image_url: record.image_url,
  };
}
