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

export class EmployeeRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Owners first, then admins, then members; each by name. */
  list(organizationId: number): Promise<EmployeeRecord[]> {
    return selectEmployees(this.#db, organizationId)
      .orderBy(sql`array_position(array['owner', 'admin'], employees.role)`)
      .orderBy(sql`users.last_name collate natural_order, users.first_name collate natural_order, users.id`)
      .execute();
  }

  /** @returns undefined when the account does not work for the organization */
  find({ organizationId, userId }: Employment, db: Database = this.#db): Promise<EmployeeRecord | undefined> {
    return selectEmployees(db, organizationId).where('users.id', '=', userId).executeTakeFirst();
  }

  /** By id. */
  async owners(tx: Database, organizationId: number): Promise<number[]> {
    const owners = await tx
      .selectFrom('organization_members')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('role', '=', 'owner')
      .orderBy('user_id')
      .execute();
    return owners.map((owner) => owner.user_id);
  }

  async setRole(
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

  async remove(tx: Database, { organizationId, userId }: Employment): Promise<void> {
    await tx
      .deleteFrom('organization_members')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute();
  }
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
