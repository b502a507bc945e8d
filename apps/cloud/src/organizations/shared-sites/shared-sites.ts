import type { OrganizationSite } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { findSite, requireSite } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { requireSharingOrganization, requireStaff } from './policy.ts';
import { type AddedShare, addShare, removeShare, type Share } from './rows.ts';

/**
 * Lets the organization of the caller's application read the site of the token, by consent of its owner; a second call
 * changes nothing.
 *
 * @throws Forbidden for other tokens, and for members who only read; NotFound for every other site
 */
export async function addOrganizationSite(
  platform: Platform,
  caller: Caller,
  { body: { site_id: siteId } }: InputOf<'addOrganizationSite'>,
): Promise<OrganizationSite> {
  const { db, clock } = platform;
  const share = { organizationId: requireSharingOrganization(caller), siteId };
  await requireSite(db, caller, siteId, 'share');
  const at = new Date(clock.now());
  await db.transaction().execute(async (tx) => {
    const added = await addShare(tx, share, caller.userId, actorOf(caller), at);
    if (added !== undefined) await mailOwner(platform, tx, caller, added, at);
  });
  return presentOrganizationSite(share);
}

/** @throws Forbidden unless the caller is an operator; NotFound when there is no such share */
export async function removeOrganizationSite(
  platform: Platform,
  caller: Caller,
  { params: { organization_id: organizationId, site_id: siteId } }: InputOf<'removeOrganizationSite'>,
): Promise<void> {
  requireStaff(caller);
  orNotFound(await findSite(platform.db, caller, siteId));
  await platform.db.transaction().execute((tx) => endShare(platform, tx, caller, { organizationId, siteId }));
}

/** As part of a transaction, for a caller who may. @throws NotFound when there is no such share */
export async function endShare(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  share: Share,
): Promise<void> {
  if (!(await removeShare(tx, share, actorOf(caller), clock))) throw new NotFound();
}

async function mailOwner(
  { mail }: Platform,
  tx: Database,
  { address }: Caller,
  { ownerId, ...names }: AddedShare,
  at: Date,
): Promise<void> {
  const about = { ...names, at: at.toISOString(), address };
  await mail.enqueue(tx, { kind: 'siteShared', userId: ownerId, organizationId: null, ...about });
}

function presentOrganizationSite({ organizationId, siteId }: Share): OrganizationSite {
  return { organization_id: organizationId, site_id: siteId, access: 'read' };
}
