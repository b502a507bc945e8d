import { Unauthorized } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { TokenKind } from '../../secrets/opaque-token.ts';

/**
 * Where bearer tokens are shown: at the HTTP API, or at the MCP server. Each is a resource of its own (RFC 8707), and
 * what a third party was given for one of them is nothing at the other.
 */
export type Resource = 'api' | 'mcp';

/**
 * Tokens of a user's own are good at every resource, those of third parties at the one they were given for.
 *
 * @throws Unauthorized
 */
export function requireResource(resource: Resource, kind: TokenKind): void {
  if (kind === 'oauth' && resource !== 'api') throw new Unauthorized('This token is for the HTTP API');
  if (kind === 'mcp' && resource !== 'mcp')
    throw new Unauthorized('This token is for the MCP server at /mcp');
}

/**
 * Whether an account has to have a second factor in a session, as a condition on `users`: it works for an organization
 * that requires one, and the session is of that organization or of none.
 */
export function mustHaveSecondFactor(organizationId: number | null | Expression<number | null>) {
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
 * Which accounts may hold tokens of an organization, as a condition on `users`: operators, its employees, its
 * customers, and whoever owns or shares a site of it.
 */
export function mayEnter(organizationId: number) {
  return (eb: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> => {
    const employee = eb
      .selectFrom('organization_members')
      .select('organization_members.user_id')
      .whereRef('organization_members.user_id', '=', 'users.id')
      .where('organization_members.organization_id', '=', organizationId);
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
      eb.exists(siteOwner),
      eb.exists(siteMember),
    ]);
  };
}
