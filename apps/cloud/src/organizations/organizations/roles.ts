import type { SiteRole } from '@heliograph/contracts';
import type { Database } from '../../db/open.ts';

/** An employee's role in an organization; undefined when there is no such organization. */
export async function organizationRole(
  db: Database,
  organizationId: number,
  userId: number,
): Promise<SiteRole | null | undefined> {
  const organization = await db
    .selectFrom('organizations')
    .leftJoin('organization_members as employees', (join) =>
      join.onRef('employees.organization_id', '=', 'organizations.id').on('employees.user_id', '=', userId),
    )
    .select('employees.role')
    .where('organizations.id', '=', organizationId)
    .executeTakeFirst();
  return organization?.role;
}
