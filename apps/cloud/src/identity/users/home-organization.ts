import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';

/**
 * The organization that a caller's new sites belong to: that of the token, else the one of which the user is a customer,
 * else the first employer.
 */
export async function organizationForNewSites(
  db: Database,
  { userId, organizationId }: Caller,
): Promise<number | null> {
  if (organizationId !== null) return organizationId;
  const home = await db
    .selectFrom('users')
    .leftJoin('organization_members as employers', 'employers.user_id', 'users.id')
    .select((eb) => eb.fn.coalesce('users.organization_id', 'employers.organization_id').as('id'))
    .where('users.id', '=', userId)
    .orderBy('employers.created_at')
    .orderBy('employers.organization_id')
    .executeTakeFirst();
  return home?.id ?? null;
}
