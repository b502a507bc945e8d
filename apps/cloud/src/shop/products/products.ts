import type { Product } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { presentProduct } from './present.ts';
import { selectProducts, visibleTo } from './rows.ts';
import { productSearch } from './search.ts';

/** Products that are offered to the caller, by name. */
export async function listProducts(
  { db }: Platform,
  caller: Caller,
  { query: { q, organization_id: organizationId, ...page } }: InputOf<'listProducts'>,
): Promise<Product[]> {
  const { offset, limit } = pageFrom(page);
  const found = await selectProducts(db)
    .where(visibleTo(caller))
    .where(productSearch(q))
    .$if(organizationId !== undefined, (products) =>
      products.where('products.organization_id', '=', organizationId ?? 0),
    )
    .orderBy(sql`products.name collate natural_order`)
    .orderBy('products.id')
    .offset(offset)
    .limit(limit)
    .execute();
  return found.map(presentProduct);
}

/** @throws NotFound also for one that is not offered to the caller */
export async function getProduct(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'getProduct'>,
): Promise<Product> {
  const found = await selectProducts(db)
    .where(visibleTo(caller))
    .where('products.id', '=', params.id)
    .executeTakeFirst();
  return presentProduct(orNotFound(found));
}
