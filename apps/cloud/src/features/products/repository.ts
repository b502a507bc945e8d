import type { Product } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { ProductQuery } from './query.ts';

export type ProductRecord = Omit<Product, 'organization' | 'created_at' | 'updated_at'> & {
  readonly organization_id: number | null;
  readonly organizationName: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const FIELDS = [
  'products.id',
  'products.organization_id',
  'products.sku',
  'products.name',
  'products.description',
  'products.kind',
  'products.state',
  'products.prices',
  'products.tax_category',
  'products.licence',
  'products.stock',
  'products.url',
  'products.image_url',
  'products.created_at',
  'products.updated_at',
] as const;

export class ProductRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(caller: Caller, query: ProductQuery, page: Page): Promise<ProductRecord[]> {
    return this.#visible(caller)
      .where(matches(query))
      .orderBy(sql`lower(products.name)`)
      .orderBy('products.id')
      .offset(page.offset)
      .limit(page.limit)
      .execute();
  }

  find(caller: Caller, id: number): Promise<ProductRecord | undefined> {
    return this.#visible(caller).where('products.id', '=', id).executeTakeFirst();
  }

  /** All products of a seller, by SKU. @param organizationId null for the operator's own shop */
  ofSeller(db: Database, organizationId: number | null): Promise<ProductRecord[]> {
    return this.#records(db).where(isOf(organizationId)).orderBy('products.sku').execute();
  }

  /** Holds other imports of the seller's catalogue up until the transaction ends. */
  async lockCatalogue(tx: Database, organizationId: number | null): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('products'), ${organizationId ?? 0})`.execute(tx);
  }

  async add(tx: Database, organizationId: number | null, entry: CatalogueEntry, at: Date): Promise<void> {
    await tx
      .insertInto('products')
      .values({ ...columnsOf(entry), organization_id: organizationId, created_at: at, updated_at: at })
      .execute();
  }

  async change(tx: Database, id: number, entry: CatalogueEntry, at: Date): Promise<void> {
    await tx
      .updateTable('products')
      .set({ ...columnsOf(entry), updated_at: at })
      .where('id', '=', id)
      .execute();
  }

  #visible(caller: Caller) {
    return this.#records(this.#db).where(visibleTo(caller));
  }

  #records(db: Database) {
    return db
      .selectFrom('products')
      .leftJoin('organizations', 'organizations.id', 'products.organization_id')
      .select([...FIELDS, 'organizations.name as organizationName']);
  }
}

function columnsOf({ prices, licence, ...entry }: CatalogueEntry) {
  return { ...entry, prices: JSON.stringify(prices), licence: licence && JSON.stringify(licence) };
}

function isOf(organizationId: number | null) {
  return sql<SqlBool>`products.organization_id is not distinct from ${organizationId}::int`;
}

/**
 * Active products of the operator's own shop, and of organizations of which the account is a customer or an employee; all
 * products to operators, and to owners and admins of the seller. A token of an organization sees that one's alone.
 */
function visibleTo({ userId, organizationId, staff }: Caller) {
  const employers = sql`select organization_id from organization_members where user_id = ${userId}`;
  const homes = sql`select organization_id from users where id = ${userId}`;
  const manages = sql`products.organization_id in (${employers} and role in ('owner', 'admin'))`;
  const isOffered = sql`products.state = 'active' and (products.organization_id is null
    or products.organization_id in (${homes}) or products.organization_id in (${employers}))`;
  const isVisible = sql`(${staff}::boolean or ${manages} or (${isOffered}))`;
  return organizationId === null
    ? sql<SqlBool>`${isVisible}`
    : sql<SqlBool>`(products.organization_id = ${organizationId} and ${isVisible})`;
}

function matches({ searchTerms, filters, organizationId }: ProductQuery) {
  const conditions = [
    ...filters.map(({ key, value }) =>
      key === 'currency'
        ? sql`products.prices @> ${JSON.stringify([{ currency: value }])}::jsonb`
        : sql`${sql.ref(`products.${key}`)} = ${value}`,
    ),
    ...(searchTerms === '' ? [] : [sql`search_words(${searched}) @@ search_query(${searchTerms})`]),
    ...(organizationId === undefined ? [] : [sql`products.organization_id = ${organizationId}`]),
  ];
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

const searched = sql`concat_ws(' ', products.sku, products.name, products.description)`;
