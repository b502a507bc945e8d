import type { Product, ProductListQuery, ShopTerms, SiteRole } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { productSearch } from './search.ts';
import { NO_TERMS } from './terms.ts';

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

/** Devices that a shop offers to name. */
const MAX_DEVICES = 200;

export class ProductRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(
    caller: Caller,
    { q, organization_id: organizationId, ...page }: ProductListQuery,
  ): Promise<ProductRecord[]> {
    const { offset, limit } = pageFrom(page);
    return this.#visible(caller)
      .where(productSearch(q))
      .$if(organizationId !== undefined, (products) =>
        products.where('products.organization_id', '=', organizationId ?? 0),
      )
      .orderBy(sql`products.name collate natural_order`)
      .orderBy('products.id')
      .offset(offset)
      .limit(limit)
      .execute();
  }

  find(caller: Caller, id: number): Promise<ProductRecord | undefined> {
    return this.#visible(caller).where('products.id', '=', id).executeTakeFirst();
  }

  /** All products of a seller, by SKU. @param organizationId null for the operator's own shop */
  ofSeller(db: Database, organizationId: number | null): Promise<ProductRecord[]> {
    return this.#records(db)
      .where(isOf(organizationId))
      .orderBy(sql`products.sku collate natural_order`)
      .execute();
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

  /** Active products with these SKUs that a seller offers to the account. */
  offered(tx: Database, caller: Caller, organizationId: number | null, skus: readonly string[]) {
    return this.#records(tx)
      .where(visibleTo(caller))
      .where(isOf(organizationId))
      .where('products.state', '=', 'active')
      .where('products.sku', 'in', [...skus, ''])
      .execute();
  }

  /** @returns false when there are not as many */
  async takeFromStock(tx: Database, id: number, quantity: number): Promise<boolean> {
    const taken = await tx
      .updateTable('products')
      .set({ stock: sql`stock - ${quantity}::integer` })
      .where('id', '=', id)
      .where(sql<SqlBool>`(stock is null or stock >= ${quantity}::integer)`)
      .returning('id')
      .executeTakeFirst();
    return taken !== undefined;
  }

  async returnToStock(tx: Database, id: number, quantity: number): Promise<void> {
    await tx
      .updateTable('products')
      .set({ stock: sql`stock + ${quantity}::integer` })
      .where('id', '=', id)
      .execute();
  }

  /** @returns the role of an account in an organization; undefined when there is no such organization */
  seller(organizationId: number, userId: number): Promise<{ readonly role: SiteRole | null } | undefined> {
    return this.#db
      .selectFrom('organizations')
      .leftJoin('organization_members as employees', (join) =>
        join.onRef('employees.organization_id', '=', 'organizations.id').on('employees.user_id', '=', userId),
      )
      .select('employees.role')
      .where('organizations.id', '=', organizationId)
      .executeTakeFirst();
  }

  /**
   * The organization of the caller's session, or the one of the page, if the account joined it, or the one with which it
   * registered; the latter two only with something to sell. Undefined for the operator's own shop.
   *
   * @param pageId the organization whose own host the page has
   */
  sellerFor(
    { userId, organizationId }: Caller,
    pageId: number | null,
  ): Promise<{ id: number; name: string } | undefined> {
    const home = sql<SqlBool>`(organizations.id = (select organization_id from users where id = ${userId})
        or organizations.id in (${joinedBy(userId)} and organization_id = ${pageId}::integer))
      and exists (select from products where products.organization_id = organizations.id and state = 'active')`;
    return this.#db
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where(organizationId === null ? home : sql<SqlBool>`organizations.id = ${organizationId}`)
      .orderBy(sql`organizations.id is not distinct from ${pageId}::integer`, 'desc')
      .executeTakeFirst();
  }

  /** Devices of the sites that an account owns, by the names of these. */
  devicesOf(ownerId: number): Promise<{ uid: string; site: string }[]> {
    return this.#db
      .selectFrom('sites')
      .innerJoin('devices', 'devices.site_id', 'sites.id')
      .select(['devices.uid', sql<string>`coalesce(sites.name, '')`.as('site')])
      .where('sites.owner_id', '=', ownerId)
      .orderBy(sql`sites.name collate natural_order`)
      .orderBy(sql`devices.uid collate "C"`)
      .limit(MAX_DEVICES)
      .execute();
  }

  /** Those that a seller's active products have prices in, in their order. */
  async currenciesOf(organizationId: number | null): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('products')
      .select(sql<string>`jsonb_array_elements(products.prices)->>'currency'`.as('currency'))
      .distinct()
      .where(isOf(organizationId))
      .where('products.state', '=', 'active')
      .orderBy('currency')
      .execute();
    return rows.map(({ currency }) => currency);
  }

  /** @param organizationId null for the operator's own shop */
  async termsOf(organizationId: number | null, db: Database = this.#db): Promise<ShopTerms> {
    const row = await db
      .selectFrom('shop_terms')
      .select('terms')
      .where('seller', '=', organizationId ?? 0)
      .executeTakeFirst();
    return row?.terms ?? NO_TERMS;
  }

  async setTerms(tx: Database, organizationId: number | null, terms: ShopTerms): Promise<void> {
    const row = { seller: organizationId ?? 0, terms: JSON.stringify(terms) };
    await tx
      .insertInto('shop_terms')
      .values(row)
      .onConflict((conflict) => conflict.column('seller').doUpdateSet({ terms: row.terms }))
      .execute();
  }

  #visible(caller: Caller) {
    return this.#records(this.#db).where(visibleTo(caller));
  }

  #records(db: Database) {
    return db
      .selectFrom('products')
      .leftJoin('organization_names as organizations', 'organizations.id', 'products.organization_id')
      .select([...FIELDS, 'organizations.name as organizationName']);
  }
}

/** Organizations that an account is a customer of by its consent. */
function joinedBy(userId: number) {
  return sql`select organization_id from organization_customers where user_id = ${userId}`;
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
  const homes = sql`select organization_id from users where id = ${userId} union ${joinedBy(userId)}`;
  const manages = sql`products.organization_id in (${employers} and role in ('owner', 'admin'))`;
  const isOffered = sql`products.state = 'active' and (products.organization_id is null
    or products.organization_id in (${homes}) or products.organization_id in (${employers}))`;
  const isVisible = sql`(${staff}::boolean or ${manages} or (${isOffered}))`;
  return organizationId === null
    ? sql<SqlBool>`${isVisible}`
    : sql<SqlBool>`(products.organization_id = ${organizationId} and ${isVisible})`;
}
