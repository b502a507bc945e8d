import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

/**
 * A condition on `users`: the account must have a second factor in a session, because an organization that employs it
 * requires one, and the session is of that organization or of none.
 */
export function isSecondFactorRequired(organizationId: number | null | Expression<number | null>) {
  return (eb: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('organization_members as employers')
        .innerJoin('organizations as employer', 'employer.id', 'employers.organization_id')
        .select('employer.id')
        .whereRef('employers.user_id', '=', 'users.id')
        .where('employer.requires_second_factor', '=', true)
        .where(sql<SqlBool>`(${organizationId}::int is null or employer.id = ${organizationId}::int)`),
    );
}

/**
 * A condition on `users`: the account may hold tokens of an organization. Operators may, and its employees, its
 * customers, and the owners and members of its sites.
 */
export function hasOrganizationAccess(organizationId: number | Expression<number>) {
  return (eb: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> => {
    const employee = eb
      .selectFrom('organization_members')
      .select('organization_members.user_id')
      .whereRef('organization_members.user_id', '=', 'users.id')
      .where('organization_members.organization_id', '=', organizationId);
    const customer = eb
      .selectFrom('organization_customers')
      .select('organization_customers.user_id')
      .whereRef('organization_customers.user_id', '=', 'users.id')
      .where('organization_customers.organization_id', '=', organizationId);
    const siteOwner = eb
      .selectFrom('sites')
      .select('sites.id')
      .whereRef('sites.owner_id', '=', 'users.id')
      .where('sites.organization_id', '=', organizationId);
    const siteMember = eb
      .selectFrom('site_members')
      .innerJoin('sites', 'sites.id', 'site_members.site_id')
      .select('sites.id')
      .whereRef('site_members.user_id', '=', 'users.id')
      .where('sites.organization_id', '=', organizationId);
    return eb.or([
      eb('users.staff', '=', true),
      eb('users.organization_id', '=', organizationId),
      eb.exists(employee),
      eb.exists(customer),
      eb.exists(siteOwner),
      eb.exists(siteMember),
    ]);
  };
}
