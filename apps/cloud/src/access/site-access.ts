import { MAX_ID, type SitePermission } from '@heliograph/contracts';
import { orNotFound } from '../common/errors.ts';
import type { Database } from '../db/open.ts';
import { requirePermission, type SiteCaller, sitePermissions } from './site-permissions.ts';
import { relationOf, visibleTo } from './visible-sites.ts';

/** A site that exists for a caller, and what the caller may do to it. */
export interface AccessibleSite {
  readonly id: number;
  readonly ownerId: number;
  readonly organizationId: number | null;
  readonly permissions: ReadonlySet<SitePermission>;
}

declare const permitted: unique symbol;

/** A site on which the access decision permits a caller something. {@link requireSite} alone makes it. */
export interface PermittedSite<Permission extends SitePermission = SitePermission> extends AccessibleSite {
  readonly [permitted]: Permission;
}

/** @returns undefined when there is no such site, or none that the caller sees */
export async function findSite(
  db: Database,
  caller: SiteCaller,
  siteId: number,
): Promise<AccessibleSite | undefined> {
  if (siteId < 1 || siteId > MAX_ID) return undefined;
  const site = await db
    .selectFrom('sites')
    .select([
      'sites.id',
      'sites.owner_id as ownerId',
      'sites.organization_id as organizationId',
      ...relationOf(caller),
    ])
    .where('sites.id', '=', siteId)
    .where(visibleTo(caller))
    .executeTakeFirst();
  if (site === undefined) return undefined;
  const { id, ownerId, organizationId } = site;
  return { id, ownerId, organizationId, permissions: sitePermissions(caller, site) };
}

/** @throws NotFound when there is no such site, or none that the caller sees; Forbidden */
export async function requireSite<const Permission extends SitePermission>(
  db: Database,
  caller: SiteCaller,
  siteId: number,
  permission: Permission,
): Promise<PermittedSite<Permission>> {
  const site = orNotFound(await findSite(db, caller, siteId));
  requirePermission(site.permissions, permission);
  return site as PermittedSite<Permission>;
}
