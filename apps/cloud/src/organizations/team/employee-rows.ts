import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

export interface EmployeeRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
}

/** Identifies the work of one account for one organization. */
export interface Employment {
  readonly organizationId: number;
  readonly userId: number;
}

/** Owners first, then admins, then members; each by name. */
export function employeesOf(db: Database, organizationId: number): Promise<EmployeeRecord[]> {
  return selectEmployees(db, organizationId)
    .orderBy(sql`array_position(array['owner', 'admin'], employees.role)`)
    .orderBy(sql`users.last_name collate natural_order, users.first_name collate natural_order, users.id`)
    .execute();
}

/** @returns undefined when the account does not work for the organization */
export function findEmployee(
  db: Database,
  { organizationId, userId }: Employment,
): Promise<EmployeeRecord | undefined> {
  return selectEmployees(db, organizationId).where('users.id', '=', userId).executeTakeFirst();
}

export async function setRole(
  tx: Database,
  { organizationId, userId }: Employment,
  role: SiteRole,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('organization_members')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

export async function removeEmployee(tx: Database, { organizationId, userId }: Employment): Promise<void> {
  await tx
    .deleteFrom('organization_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

function selectEmployees(db: Database, organizationId: number) {
  return db
    .selectFrom('organization_members as employees')
    .innerJoin('users', 'users.id', 'employees.user_id')
    .select([
      'users.id',
      'users.email',
      'users.first_name as firstName',
      'users.last_name as lastName',
      'employees.role',
    ])
    .where('employees.organization_id', '=', organizationId);
}
