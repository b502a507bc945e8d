import type { Clock } from '@heliograph/kit';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { addDelegation, removeDelegation, unshare } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';

export interface Share {
  readonly organizationId: number;
  readonly siteId: number;
}

/** The owner of a site that was shared, and the names. */
export interface AddedShare {
  readonly ownerId: number;
  readonly name: string;
  readonly organization: string;
}

/** @returns undefined, without a change or a record, when the share exists */
export async function addShare(
  tx: Database,
  share: Share,
  grantedBy: number,
  actor: Actor,
  at: Date,
): Promise<AddedShare | undefined> {
  const added = await tx
    .insertInto('organization_sites')
    .values({
      organization_id: share.organizationId,
      site_id: share.siteId,
      granted_by: grantedBy,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('site_id')
    .executeTakeFirst();
  if (added === undefined) return undefined;
  await addDelegation(tx, actor, { kind: 'share', ...share }, at);
  await recordAudit(tx, actor, at, { action: 'organization_site.added', ...share });
  const { siteName, ...names } = await tx
    .selectFrom('sites')
    .innerJoin('organizations', (join) => join.on('organizations.id', '=', share.organizationId))
    .select(['sites.owner_id as ownerId', 'sites.name as siteName', 'organizations.name as organization'])
    .where('sites.id', '=', share.siteId)
    .executeTakeFirstOrThrow();
  return { ...names, name: siteName ?? `#${share.siteId}` };
}

/**
 * Ends a share, also one that is suspended. Revokes site tokens of the organization's employees.
 *
 * @returns false when there is no such share
 */
export async function removeShare(tx: Database, share: Share, actor: Actor, clock: Clock): Promise<boolean> {
  const { organizationId, siteId } = share;
  const isShared = await unshare(tx, organizationId, siteId, clock);
  const isKnown = await removeDelegation(tx, { kind: 'share', ...share });
  if (!isShared && !isKnown) return false;
  await recordAudit(tx, actor, new Date(clock.now()), { action: 'organization_site.removed', ...share });
  return true;
}
