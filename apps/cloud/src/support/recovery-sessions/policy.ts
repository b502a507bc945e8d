import type { SitePermission } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';

/**
 * A condition on `recovery_sessions` with their `sites`: the caller is of the party that they let in. The employees of
 * its organization are, and operators of one without.
 */
export function isOfParty({ userId, organizationId, staff }: Caller) {
  const isOurs = sql<SqlBool>`(case when recovery_sessions.organization_id is null then ${staff}::boolean
    else exists (select from organization_members as employees where employees.user_id = ${userId}
      and employees.organization_id = recovery_sessions.organization_id) end)`;
  return organizationId === null
    ? isOurs
    : sql<SqlBool>`(${isOurs} and coalesce(sites.organization_id = ${organizationId}, false))`;
}

/** A condition on `recovery_sessions` of a site that the caller sees: owners and admins read all, and operators do. */
export function isReadableBy(caller: Caller, permissions: ReadonlySet<SitePermission>) {
  const readsAll = permissions.has('audit') || permissions.has('consent') || caller.staff;
  return readsAll ? sql<SqlBool>`true` : isOfParty(caller);
}

const READERS: readonly SitePermission[] = ['audit', 'consent', 'support'];

/** @throws Forbidden for those who only read the site */
export function requireReader(permissions: ReadonlySet<SitePermission>): void {
  if (!READERS.some((permission) => permissions.has(permission)))
    throw new Forbidden('Only owners and admins of the site, and its support, may do this');
}
