import type { SiteRole } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';

export interface EmployeeRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
}

/** One account in one organization. */
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
      .orderBy(sql`lower(users.last_name), lower(users.first_name), users.id`)
      .execute();
  }

  /** @returns undefined when the account does not work for the organization */
  find({ organizationId, userId }: Employment, db: Database = this.#db): Promise<EmployeeRecord | undefined> {
    return selectEmployees(db, organizationId).where('users.id', '=', userId).executeTakeFirst();
  }

  async ownerCount(tx: Database, organizationId: number): Promise<number> {
    const { count } = await tx
      .selectFrom('organization_members')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('organization_id', '=', organizationId)
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow();
    return count;
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

  /**
   * Revokes tokens of the organization that a former employee holds: the API tokens, and, unless it may still enter
   * the organization as a customer or through a site, all others.
   *
   * @returns their ids
   */
  async revokeTokens(tx: Database, { organizationId, userId }: Employment, clock: Clock): Promise<number[]> {
    const entrant = tx
      .selectFrom('users')
      .select('users.id')
      .where('users.id', '=', userId)
      .where(hasOrganizationAccess(organizationId));
    const which = sql<SqlBool>`user_id = ${userId} and organization_id = ${organizationId}
      and (kind = 'api' or not exists ${entrant})`;
    return (await revokeTokens(tx, which, clock)).map(({ id }) => id);
  }

  /**
   * Revokes site tokens of a former employee, for every site of the organization or shared with it but those that the
   * account owns or has a role on.
   */
  async revokeSiteAccess(tx: Database, { organizationId, userId }: Employment, at: Date): Promise<void> {
    // Of a large organization an employee has authorized few sites, and each revocation makes a device call.
    const lost = sql`select distinct sites.id as site_id, ${userId}::integer as user_id
      from site_token_sources as issued join sites on sites.id = issued.site_id
      where issued.user_id = ${userId}
      and (sites.organization_id = ${organizationId} or exists (select from organization_sites as shared
        where shared.site_id = sites.id and shared.organization_id = ${organizationId}))
      and sites.owner_id <> ${userId}
      and not exists (select from site_members where site_id = sites.id and user_id = ${userId})`;
    await revokeSiteTokensOfUsers(tx, lost, at);
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
