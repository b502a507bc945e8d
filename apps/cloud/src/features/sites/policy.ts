import type { SiteRole } from '@heliograph/contracts';
import type { SiteAccess } from '@heliograph/wire';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Caller } from '../tokens/policy.ts';

/**
 * Which sites exist for a caller, as a condition on `sites`: those the account owns or is a member of, for
 * staff all; of these only the token's organization and the token's one site, if it has them.
 */
export function visibleTo(caller: Caller) {
  return (eb: ExpressionBuilder<Schema, 'sites'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (!caller.staff) conditions.push(eb('sites.id', 'in', sitesOfAccount(eb, caller.userId)));
    if (caller.organizationId !== null) {
      conditions.push(eb('sites.organization_id', '=', caller.organizationId));
    }
    if (caller.siteId !== null || readsSingleSite(caller)) {
      conditions.push(caller.siteId === null ? sql`false` : eb('sites.id', '=', caller.siteId));
    }
    return conditions.length === 0 ? sql<SqlBool>`true` : eb.and(conditions);
  };
}

function readsSingleSite({ scopes }: Caller): boolean {
  return scopes.has('sites:read_single') && !scopes.has('sites:read_all');
}

/** Owned and shared sites, as a union of two index look-ups. */
function sitesOfAccount(eb: ExpressionBuilder<Schema, 'sites'>, userId: number) {
  return eb
    .selectFrom('sites as owned')
    .select('owned.id')
    .where('owned.owner_id', '=', userId)
    .union(
      eb
        .selectFrom('site_members as shared')
        .select('shared.site_id as id')
        .where('shared.user_id', '=', userId),
    );
}

/** Staff see the newest sites first; everyone else finds theirs by name. */
export function listOrder(caller: Caller): 'newest' | 'name' {
  return caller.staff ? 'newest' : 'name';
}

/**
 * Owners and admins may change settings of the device, members and operators read; what was obtained through
 * a third party (without `sites:read_all`) reads only, whoever the account is.
 */
export function accessOf(caller: Caller, role: SiteRole | null): SiteAccess {
  const trusted = caller.scopes.has('sites:read_all');
  return trusted && (role === 'owner' || role === 'admin') ? 'write' : 'read';
}
