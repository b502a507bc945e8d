import type { Product, ShopTerms } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
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

/** All products of a seller, by SKU. @param organizationId null for the operator's own shop */
export function productsOfSeller(db: Database, organizationId: number | null): Promise<ProductRecord[]> {
  return selectProducts(db)
    .where(isOf(organizationId))
    .orderBy(sql`products.sku collate natural_order`)
    .execute();
}

/** Active products with these SKUs that a seller offers to the account. */
export function offeredProducts(
  tx: Database,
  caller: Caller,
  organizationId: number | null,
  skus: readonly string[],
) {
  return selectProducts(tx)
    .where(visibleTo(caller))
    .where(isOf(organizationId))
    .where('products.state', '=', 'active')
    .where('products.sku', 'in', [...skus, ''])
    .execute();
}

/** @returns false when there are not as many */
export async function takeFromStock(tx: Database, id: number, quantity: number): Promise<boolean> {
  const taken = await tx
    .updateTable('products')
    .set({ stock: sql`stock - ${quantity}::integer` })
    .where('id', '=', id)
    .where(sql<SqlBool>`(stock is null or stock >= ${quantity}::integer)`)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function returnToStock(tx: Database, id: number, quantity: number): Promise<void> {
  await tx
    .updateTable('products')
    .set({ stock: sql`stock + ${quantity}::integer` })
    .where('id', '=', id)
    .execute();
}

/** @param organizationId null for the operator's own shop */
export async function termsOf(db: Database, organizationId: number | null): Promise<ShopTerms> {
  const row = await db
    .selectFrom('shop_terms')
    .select('terms')
    .where('seller', '=', organizationId ?? 0)
    .executeTakeFirst();
  return row?.terms ?? NO_TERMS;
}

export function selectProducts(db: Database) {
  return db
    .selectFrom('products')
    .leftJoin('organization_names as organizations', 'organizations.id', 'products.organization_id')
    .select([...FIELDS, 'organizations.name as organizationName']);
}

/** Organizations that an account is a customer of by its consent. */
export function joinedBy(userId: number) {
  return sql`select organization_id from organization_customers where user_id = ${userId}`;
}

export function isOf(organizationId: number | null) {
  return sql<SqlBool>`products.organization_id is not distinct from ${organizationId}::int`;
}

/**
 * Active products of the operator's own shop, and of organizations of which the account is a customer or an employee; all
 * products to operators, and to owners and admins of the seller. A token of an organization sees that one's alone.
 */
export function visibleTo({ userId, organizationId, staff }: Caller) {
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
