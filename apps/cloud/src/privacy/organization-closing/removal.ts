import { sql } from 'kysely';
import { MAILED_TOKENS } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';

/** Foreign keys end what belongs to an organization; the rest is here. */
export async function removeOrganization(
  tx: Database,
  { id, name }: { readonly id: number; readonly name: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('products')
    .set({ state: 'archived', updated_at: at })
    .where('organization_id', '=', id)
    .where('state', '<>', 'archived')
    .execute();
  await tx.deleteFrom('shop_terms').where('seller', '=', id).execute();
  // Paid codes go on to activate devices, as codes of the service.
  await sql`update activation_codes set organization_id = null
    where id in (select activation_code_id from orders where organization_id = ${id})`.execute(tx);
  // People who confirm an address or choose a password go on to do so, as accounts of no organization.
  await tx
    .updateTable('one_time_tokens')
    .set({ organization_id: null })
    .where('organization_id', '=', id)
    .where('purpose', 'in', MAILED_TOKENS)
    .execute();
  await tx.insertInto('closed_organizations').values({ id, name, closed_at: at }).execute();
  await tx.deleteFrom('organizations').where('id', '=', id).execute();
}
