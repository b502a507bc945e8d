import type { SiteRole } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { hasNotAccepted } from '../db/site-invitations.ts';
import { isOwnToken, type SiteCaller, singleSiteOf } from './site-permissions.ts';

type Condition = Expression<SqlBool>;

/**
 * Which sites exist for a caller, as a condition on `sites`: `seesSite` in SQL. Operators see all; an account sees
 * those it owns or is a member of, and as an employee of an organization that organization's own and those shared
 * with it. Of these a token of an organization sees what is that organization's or shared with it, and a token of one
 * site that site. `sites/sites/page.ts` has the same rule for lists, where a condition on each row would be too slow.
 */
export function visibleTo(caller: SiteCaller): Condition {
  const conditions: Condition[] = [];
  if (!caller.staff) conditions.push(seenByAccount(caller));
  if (caller.organizationId !== null) conditions.push(belongsTo(sql`${caller.organizationId}`));
  const single = singleSiteOf(caller);
  if (single !== undefined) conditions.push(sql`sites.id = ${single}`);
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

function seenByAccount(caller: SiteCaller): Condition {
  return sql`(sites.owner_id = ${caller.userId}
    or exists (select from site_members as members
      where members.site_id = sites.id and members.user_id = ${caller.userId})
    or exists (select from organization_members as employees
      where ${employs(caller)} and ${belongsTo(sql`employees.organization_id`)}))`;
}

/**
 * Whether a caller who sees a site may read what only those who look after it may: `audit` of `sitePermissions` in SQL,
 * for tokens that read all sites.
 */
export function looksAfterSite(caller: SiteCaller): Condition {
  if (!isOwnToken(caller)) return sql`false`;
  const isNoShare =
    caller.organizationId === null
      ? sql`true`
      : sql`sites.organization_id is not distinct from ${caller.organizationId}`;
  return sql`(${isNoShare} and (${caller.staff}
    or sites.owner_id = ${caller.userId}
    or exists (select from site_members as members
      where members.site_id = sites.id and members.user_id = ${caller.userId} and members.role in ('owner', 'admin'))
    or exists (select from organization_members as employees
      where employees.user_id = ${caller.userId} and employees.organization_id = sites.organization_id
        and employees.role in ('owner', 'admin'))))`;
}

/**
 * Whether a site that a caller sees sends it events: one that it was added to does so once the person accepted, and one that
 * it looks after as an employee or operator in any case.
 */
export function sendsEventsTo(caller: SiteCaller): Condition {
  if (caller.staff) return sql`true`;
  return sql`(not ${hasNotAccepted(caller.userId)} or exists (select from organization_members as employees
    where ${employs(caller)} and ${belongsTo(sql`employees.organization_id`)}))`;
}

/** A caller's relation to a site as columns of `sites`: with `id` and `organizationId` the input of `sitePermissions`. */
export function relationOf(caller: SiteCaller) {
  return [
    roleOn(caller.userId).as('role'),
    sql<SiteRole | null>`(select employees.role from organization_members as employees
      where ${employs(caller)} and employees.organization_id = sites.organization_id)`.as('employeeRole'),
    sql<boolean>`exists (select from organization_sites as shared
      where shared.site_id = sites.id and shared.organization_id = ${caller.organizationId}::integer)`.as(
      'isSharedWithToken',
    ),
    sql<boolean>`exists (select from organization_sites as shared
      join organization_members as employees on employees.organization_id = shared.organization_id
      where shared.site_id = sites.id and ${employs(caller)})`.as('isSharedWithEmployer'),
  ] as const;
}

/** An account's own role on a site, as a column of `sites`; null for employees and operators who have none. */
function roleOn(userId: number) {
  return sql<SiteRole | null>`case when sites.owner_id = ${userId} then 'owner' else (
    select role from site_members where site_id = sites.id and user_id = ${userId}) end`;
}

/** Whether a row of `organization_members as employees` makes sites visible to the caller. */
export function employs({ userId, organizationId }: SiteCaller): Condition {
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
 * @returns undefined for a caller that is limited to another organization already
 */
export function withinOrganization<C extends SiteCaller>(
  caller: C,
  organizationId = caller.organizationId,
): C | undefined {
  const isOutside = caller.organizationId !== null && caller.organizationId !== organizationId;
  return isOutside ? undefined : { ...caller, organizationId };
}
