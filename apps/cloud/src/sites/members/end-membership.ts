import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import type { Platform } from '../../platform.ts';
import { removeInvitation } from './invitation-rows.ts';
import { findMember, type LockedSite, type MemberRecord, removeMember } from './rows.ts';

/** Removes an account's role on a locked site, and whatever acts by it. */
export async function endMembership(
  { clock }: Pick<Platform, 'clock'>,
  tx: Database,
  actor: Actor,
  { id: siteId, organizationId }: LockedSite,
  member: MemberRecord,
): Promise<void> {
  const { id: userId } = member;
  await removeMember(tx, siteId, userId);
  await removeInvitation(tx, { siteId, userId });
  const details = { from: member.role, to: null, ...(member.pending && { pending: true }) };
  const event = { action: 'site_member.removed', siteId, organizationId, userId, details } as const;
  await recordAudit(tx, actor, new Date(clock.now()), event);
  await endRights(tx, siteId, userId, clock);
}

/** Ends the role that a handover left to the former owner. */
export async function endFormerMembership(
  platform: Pick<Platform, 'clock'>,
  tx: Database,
  actor: Actor,
  site: LockedSite,
  userId: number,
): Promise<void> {
  const former = await findMember(tx, site.id, userId);
  if (former !== undefined) await endMembership(platform, tx, actor, site, former);
}

/** Revokes the site tokens of an account that lost rights on a locked site, and suspends what it let others do. */
export async function endRights(tx: Database, siteId: number, userId: number, clock: Clock): Promise<void> {
  const lost = sql`select ${siteId}::integer as site_id, ${userId}::integer as user_id`;
  await revokeSiteTokensOfUsers(tx, lost, new Date(clock.now()));
  await suspendLapsed(tx, [userId], { clock });
}
