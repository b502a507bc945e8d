import type { Database } from './open.ts';

/**
 * Keeps an organization from being closed until the transaction ends. Whatever is made in its name is made under this
 * lock, or refers to its row.
 *
 * @returns its id; null for none, and for one that was closed
 */
export async function openOrganization(tx: Database, id: number | null): Promise<number | null> {
  if (id === null) return null;
  const organization = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return organization?.id ?? null;
}
