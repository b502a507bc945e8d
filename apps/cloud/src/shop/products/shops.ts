import type { Shop } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { organizationOfHost } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { isOf, joinedBy, termsOf } from './rows.ts';

/** Devices that a shop offers to name. */
const MAX_DEVICES = 200;

/**
 * The shop of the organization of the session, or the one whose customer the account is, or the operator's.
 *
 * @param host of the page; an organization that the account joined sells at its own host
 */
export async function getShop({ db }: Platform, caller: Caller, host: string): Promise<Shop> {
  const seller = await sellerFor(db, caller, await organizationOfHost(db, host));
  const organizationId = seller?.id ?? null;
  const terms = await termsOf(db, organizationId);
  return {
    organization: seller ?? null,
    currencies: await currenciesOf(db, organizationId),
    prices_include_tax: terms.prices_include_tax,
    devices: await devicesOf(db, caller.userId),
    delivery: [...terms.shipping],
  };
}

/** Whether something is for sale to the caller. */
export async function isShopOpen({ db }: Platform, caller: Caller, host: string): Promise<boolean> {
  const seller = await sellerFor(db, caller, await organizationOfHost(db, host));
  return (await currenciesOf(db, seller?.id ?? null)).length > 0;
}

/**
 * The organization of the caller's session, or the one of the page, if the account joined it, or the one with which it
 * registered; the latter two only with something to sell. Undefined for the operator's own shop.
 *
 * @param pageId the organization whose own host the page has
 */
function sellerFor(
  db: Database,
  { userId, organizationId }: Caller,
  pageId: number | null,
): Promise<{ id: number; name: string } | undefined> {
  const home = sql<SqlBool>`(organizations.id = (select organization_id from users where id = ${userId})
      or organizations.id in (${joinedBy(userId)} and organization_id = ${pageId}::integer))
    and exists (select from products where products.organization_id = organizations.id and state = 'active')`;
  return db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(organizationId === null ? home : sql<SqlBool>`organizations.id = ${organizationId}`)
    .orderBy(sql`organizations.id is not distinct from ${pageId}::integer`, 'desc')
    .executeTakeFirst();
}

/** Devices of the sites that an account owns, by the names of these. */
function devicesOf(db: Database, ownerId: number): Promise<{ uid: string; site: string }[]> {
  return db
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
async function currenciesOf(db: Database, organizationId: number | null): Promise<string[]> {
  const rows = await db
    .selectFrom('products')
    .select(sql<string>`jsonb_array_elements(products.prices)->>'currency'`.as('currency'))
    .distinct()
    .where(isOf(organizationId))
    .where('products.state', '=', 'active')
    .orderBy('currency')
    .execute();
  return rows.map(({ currency }) => currency);
}
