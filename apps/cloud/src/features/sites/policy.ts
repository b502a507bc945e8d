import type { SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { SiteAccess } from '@heliograph/wire';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Caller } from '../tokens/policy.ts';

type Condition = Expression<SqlBool>;

/**
 * Which sites exist for a caller, as a condition on `sites`. Staff see all; an account sees those it owns or is a
 * member of, and as an employee of an organization that organization's own and those shared with it. Of these a
 * token of an organization sees only what is that organization's or shared with it, and a token of one site that
 * site. `page.ts` says the same for lists, where a condition on each row would be too slow.
 */
export function visibleTo(caller: Caller): Condition {
  const conditions: Condition[] = [];
  if (!caller.staff) conditions.push(seenByAccount(caller));
  if (caller.organizationId !== null) conditions.push(belongsTo(sql`${caller.organizationId}`));
  const single = singleSiteOf(caller);
  if (single !== undefined) conditions.push(sql`sites.id = ${single}`);
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

function seenByAccount(caller: Caller): Condition {
  return sql`(sites.owner_id = ${caller.userId}
    or exists (select from site_members as members
      where members.site_id = sites.id and members.user_id = ${caller.userId})
    or exists (select from organization_members as employees
      where ${employs(caller)} and ${belongsTo(sql`employees.organization_id`)}))`;
}

/** An account's own role on a site, as a column of `sites`; null for employees and operators who have none. */
export function roleOn(userId: number) {
  return sql<SiteRole | null>`case when sites.owner_id = ${userId} then 'owner' else (
    select role from site_members where site_id = sites.id and user_id = ${userId}) end`;
}

/** Whether a row of `organization_members as employees` makes sites visible to the caller. */
export function employs({ userId, organizationId }: Caller): Condition {
  return organizationId === null
    ? sql`employees.user_id = ${userId}`
    : sql`employees.user_id = ${userId} and employees.organization_id = ${organizationId}`;
}

/** Whether a site is an organization's own or shared with it. */
export function belongsTo(organizationId: Expression<unknown>): Condition {
  return sql`(sites.organization_id = ${organizationId} or exists (select from organization_sites as shared
    where shared.site_id = sites.id and shared.organization_id = ${organizationId}))`;
}

/**
 * A caller as a token of an organization would have it: what is outside of it is not there.
 *
 * @returns undefined for whoever is limited to another organization already
 */
export function within(caller: Caller, organizationId = caller.organizationId): Caller | undefined {
  const isOutside = caller.organizationId !== null && caller.organizationId !== organizationId;
  return isOutside ? undefined : { ...caller, organizationId };
}

/** The only site that a token reads; null for such a token without a site, undefined for every other token. */
export function singleSiteOf({ siteId, scopes }: Caller): number | null | undefined {
  const readsOne = scopes.has('sites:read_single') && !scopes.has('sites:read_all');
  return readsOne || siteId !== null ? siteId : undefined;
}

/** Staff see the newest sites first; everyone else finds theirs by name. */
export function listOrder(caller: Caller): 'newest' | 'name' {
  return caller.staff ? 'newest' : 'name';
}

/** Whether a caller may have site tokens at all. */
export function mayRead({ scopes }: Caller): boolean {
  return scopes.has('sites:read_all') || scopes.has('sites:read_single');
}

/**
 * Owners and admins may change settings of the device; members, employees and operators read; what a third party
 * was given (OAuth, MCP, a token of one site) reads only, whoever the account is.
 */
export function accessOf({ kind, scopes }: Caller, role: SiteRole | null): SiteAccess {
  const firstHand = (kind === 'api' || kind === 'session') && scopes.has('sites:read_all');
  return firstHand && (role === 'owner' || role === 'admin') ? 'write' : 'read';
}

/**
 * Nobody has a grant for SSH: there is no way in to a device but its API. Role names that nobody knows are passed
 * over, as they ask for nothing.
 *
 * @throws Forbidden
 */
export function requireGrantable(roles: readonly string[]): void {
  if (roles.includes('ssh')) throw new Forbidden('Nobody may have SSH access to this site');
}
