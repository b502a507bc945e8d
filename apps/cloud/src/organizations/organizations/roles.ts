import type { SiteRole } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { organizationPermissions, requireManager } from './policy.ts';
import { findOrganizationAt, withLockedOrganization } from './rows.ts';

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

/** @throws NotFound; Forbidden unless the caller manages the organization */
export async function requireOrganizationManager(
  db: Database,
  caller: Caller,
  organizationId: number,
): Promise<void> {
  const role = await organizationRole(db, organizationId, caller.userId);
  if (role === undefined) throw new NotFound();
  requireManager(organizationPermissions(caller, organizationId, role));
}

/** The organization that a vetted host belongs to, of the pages there; null for other hosts. @param host as in requests */
export async function organizationOfHost(db: Database, host: string): Promise<number | null> {
  return (await findOrganizationAt(db, host))?.id ?? null;
}

/** Runs work while an organization is locked. @throws as `requireOrganizationManager` */
export function withLockAsManager<T>(
  db: Database,
  caller: Caller,
  organizationId: number,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return withLockedOrganization(db, caller, organizationId, (tx, { permissions }) => {
    requireManager(permissions);
    return work(tx);
  });
}
