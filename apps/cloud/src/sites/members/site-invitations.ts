import type { AuditAction, SiteInvitation, SiteRole } from '@heliograph/contracts';
import { Forbidden, NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import {
  actorOf,
  type Caller,
  requireFreshSignIn,
  requireOwnToken,
  requireSession,
} from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { maySendInvitation } from '../../organizations/invitations/invitations.ts';
import type { Platform } from '../../platform.ts';
import { endFormerMembership, endMembership, endRights } from './end-membership.ts';
import { findTransfer, type PendingTransfer, removeInvitation, setTransfer } from './invitation-rows.ts';
import { presentInvitation } from './present.ts';
import {
  findMember,
  type LockedSite,
  listMembers,
  lockSite,
  setOwner,
  setRole,
  withLockedSite,
} from './rows.ts';

// A role on a site is given at once; the site sends messages to those alone who accepted it.

export interface ReceivedSiteInvitation {
  readonly siteId: number;
  readonly siteName: string | null;
  readonly role: SiteRole;
  readonly inviterName: string | null;
  readonly inviterEmail: string | null;
  readonly formerOwnerName: string | null;
  readonly isTransfer: boolean;
  readonly createdAt: Date;
}

/**
 * Sites that the caller was added to or that were handed over to the caller, the newest first.
 *
 * @throws Forbidden unless it is a session
 */
export async function listSiteInvitations({ db }: Platform, caller: Caller): Promise<SiteInvitation[]> {
  requireSession(caller);
  return (await selectReceived(db, caller)).map(presentInvitation);
}

/** @throws Forbidden unless it is a session; NotFound without an invitation */
export async function acceptSiteInvitation(
  platform: Platform,
  caller: Caller,
  { params: { site_id: siteId }, body }: InputOf<'acceptSiteInvitation'>,
): Promise<void> {
  requireSession(caller);
  await withLockedSite(platform.db, caller, siteId, async (tx, site) => {
    const keepsFormer = body.keep_former_owner === true;
    const isAccepted = await accept(platform, tx, actorOf(caller), site, caller.userId, keepsFormer);
    if (!isAccepted) throw new NotFound();
  });
}

/**
 * Accepts for the account that sets its first password with the link of the invitation's mail. Locks the site, so it is
 * called before the account is locked.
 */
export async function acceptByLink(
  platform: Platform,
  tx: Database,
  actor: Actor,
  siteId: number,
  userId: number,
): Promise<void> {
  const site = await lockSite(tx, siteId);
  if (site !== undefined) await accept(platform, tx, actor, site, userId, false);
}

/**
 * Gives up a role, or gives a site back to its former owner.
 *
 * @throws Forbidden unless it is a session, and for an owner whose former owner is gone; NotFound without an invitation
 */
export async function declineSiteInvitation(
  platform: Platform,
  caller: Caller,
  { params: { site_id: siteId } }: InputOf<'declineSiteInvitation'>,
): Promise<void> {
  requireSession(caller);
  const { userId } = caller;
  await withLockedSite(platform.db, caller, siteId, async (tx, site) => {
    const transfer = await findTransfer(tx, siteId, now(platform));
    const member = orNotFound(await findMember(tx, siteId, userId));
    if (site.ownerId === userId) {
      if (transfer === undefined && !member.pending) throw new NotFound();
      if (transfer === undefined)
        throw new Forbidden('The former owner is gone: hand the site over, or release it');
      await giveBack(platform, tx, caller, site, transfer, {
        isPending: member.pending,
        outcome: 'declined',
      });
      return;
    }
    if (!member.pending) throw new NotFound();
    await endMembership(platform, tx, actorOf(caller), site, member);
  });
}

/**
 * Takes a site back that the caller handed over.
 *
 * @throws NotFound when the handover is final, or the caller is not the former owner; FreshSignInRequired
 */
export async function recallSite(
  platform: Platform,
  caller: Caller,
  { params: { id: siteId } }: InputOf<'recallSite'>,
): Promise<void> {
  requireOwnToken(caller);
  const { db, clock } = platform;
  const before = await findTransfer(db, siteId, now(platform));
  if (before?.formerMemberId !== caller.userId) throw new NotFound();
  requireFreshSignIn(caller, clock.now());
  const [owner] = await listMembers(db, siteId);
  const isMailed =
    owner !== undefined &&
    (!owner.pending || (await maySendInvitation(platform, siteId, owner.email, 'return')));
  await withLockedSite(db, caller, siteId, async (tx, site) => {
    const transfer = orNotFound(await findTransfer(tx, siteId, now(platform)));
    if (transfer.formerMemberId !== caller.userId) throw new NotFound();
    const { pending: isPending } = orNotFound(await findMember(tx, siteId, site.ownerId));
    await giveBack(platform, tx, caller, site, transfer, { isPending, outcome: 'recalled' });
    if (!isMailed) return;
    const about = { reader: 'new', outcome: 'recalled', newOwnerId: site.ownerId, isPending } as const;
    await mail(platform, tx, site, site.ownerId, caller.userId, about);
  });
}

function selectReceived(db: Database, caller: Caller): Promise<ReceivedSiteInvitation[]> {
  const { userId } = caller;
  return db
    .selectFrom('sites')
    .leftJoin('site_members as members', (join) =>
      join.onRef('members.site_id', '=', 'sites.id').on('members.user_id', '=', userId),
    )
    .leftJoin('site_invitations as invitations', (join) =>
      join.onRef('invitations.site_id', '=', 'sites.id').on('invitations.user_id', '=', userId),
    )
    .leftJoin('site_transfers as transfers', (join) =>
      join.onRef('transfers.site_id', '=', 'sites.id').on('sites.owner_id', '=', userId),
    )
    .leftJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
    .leftJoin('users as former', 'former.id', 'transfers.former_owner_id')
    .select([
      'sites.id as siteId',
      'sites.name as siteName',
      sql<SiteRole>`case when sites.owner_id = ${userId} then 'owner' else members.role end`.as('role'),
      // Operators act for the service.
      sql<string | null>`case when not inviters.staff
        then nullif(trim(inviters.first_name || ' ' || inviters.last_name), '') end`.as('inviterName'),
      sql<string | null>`case when not inviters.staff then inviters.email end`.as('inviterEmail'),
      sql<
        string | null
      >`coalesce(nullif(trim(former.first_name || ' ' || former.last_name), ''), former.email)`.as(
        'formerOwnerName',
      ),
      sql<boolean>`transfers.site_id is not null`.as('isTransfer'),
      sql<Date>`coalesce(transfers.created_at, invitations.created_at)`.as('createdAt'),
    ])
    .where(
      sql<SqlBool>`sites.id in (select site_id from site_invitations where user_id = ${userId}
        union select site_transfers.site_id from site_transfers join sites as owned on owned.id = site_transfers.site_id
          where owned.owner_id = ${userId})
        and (sites.owner_id = ${userId} or members.user_id is not null)`,
    )
    .where(visibleTo(caller))
    .orderBy('createdAt', 'desc')
    .orderBy('sites.id', 'desc')
    .execute();
}

/** @returns false when there was nothing to accept */
async function accept(
  platform: Platform,
  tx: Database,
  actor: Actor,
  site: LockedSite,
  userId: number,
  keepsFormer: boolean,
): Promise<boolean> {
  const { id: siteId } = site;
  const member = await findMember(tx, siteId, userId);
  if (member === undefined) return false;
  const transfer = member.role === 'owner' ? await findTransfer(tx, siteId, now(platform)) : undefined;
  const wasPending = await removeInvitation(tx, { siteId, userId });
  if (!wasPending && transfer === undefined) return false;
  const details = { role: member.role };
  await record(platform, tx, actor, site, 'site_member.accepted', userId, details);
  if (transfer === undefined) return true;
  await setTransfer(tx, siteId, undefined, now(platform));
  const formerId = transfer.formerMemberId;
  if (formerId === null) return true;
  // The household that the home has now gives the roles on it.
  if (!keepsFormer) await endFormerMembership(platform, tx, actor, site, formerId);
  const about = {
    reader: 'former',
    outcome: keepsFormer ? 'kept' : 'accepted',
    newOwnerId: userId,
  } as const;
  await mail(platform, tx, site, formerId, userId, { ...about, isPending: false });
  return true;
}

async function giveBack(
  platform: Platform,
  tx: Database,
  caller: Caller,
  site: LockedSite,
  { formerOwnerId, formerRole }: PendingTransfer,
  { isPending, outcome }: { readonly isPending: boolean; readonly outcome: 'declined' | 'recalled' },
): Promise<void> {
  const { id: siteId, ownerId: newOwnerId } = site;
  const [actor, at] = [actorOf(caller), now(platform)];
  await setOwner(tx, siteId, formerOwnerId, actor, at);
  await setTransfer(tx, siteId, undefined, at);
  const role = isPending && outcome === 'declined' ? null : formerRole;
  if (role !== null) await setRole(tx, siteId, newOwnerId, role, at);
  else await removeInvitation(tx, { siteId, userId: newOwnerId });
  const details = {
    from: newOwnerId,
    to: formerOwnerId,
    role,
    outcome,
    ...(isPending && { pending: true }),
  };
  await record(platform, tx, actor, site, 'site.ownership_returned', newOwnerId, details);
  await endRights(tx, siteId, newOwnerId, platform.clock);
  const about = { reader: 'former', outcome, newOwnerId, isPending } as const;
  await mail(platform, tx, site, formerOwnerId, caller.userId, about);
}

function mail(
  platform: Platform,
  tx: Database,
  { id: siteId, organizationId }: LockedSite,
  userId: number,
  actorId: number,
  about: {
    readonly reader: 'new' | 'former';
    readonly outcome: 'accepted' | 'kept' | 'declined' | 'recalled';
    readonly newOwnerId: number;
    readonly isPending: boolean;
  },
): Promise<void> {
  const at = now(platform).toISOString();
  const job = { kind: 'transferEnded', userId, siteId, organizationId, actorId, at } as const;
  return platform.mail.enqueue(tx, { ...job, ...about });
}

function record(
  platform: Platform,
  tx: Database,
  actor: Actor,
  { id: siteId, organizationId }: LockedSite,
  action: AuditAction,
  userId: number,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, actor, now(platform), { action, siteId, organizationId, userId, details });
}

function now({ clock }: Platform): Date {
  return new Date(clock.now());
}
