import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** An account and the site that it was added to. */
export interface Membership {
  readonly siteId: number;
  readonly userId: number;
}

export interface NewSiteInvitation extends Membership {
  /** As the inviter gave them. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly invitedBy: number | null;
}

/** How long a handover can be recalled and declined, in milliseconds. */
export const TRANSFER_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Before the end of a handover its former owner is mailed the time of that end, in milliseconds. */
export const TRANSFER_NOTICE_MS = 7 * 24 * 60 * 60 * 1000;

/** A handover that the new owner has not accepted. */
export interface PendingTransfer {
  readonly formerOwnerId: number;
  /** The former owner while the role of the handover lasts; null from its end on, also with a role that was given since. */
  readonly formerMemberId: number | null;
  /** The role that the new owner had before. */
  readonly formerRole: Exclude<SiteRole, 'owner'> | null;
}

/** Names that are empty leave those of an earlier invitation. */
export async function upsertInvitation(tx: Database, invitation: NewSiteInvitation, at: Date): Promise<void> {
  const { siteId, userId, email, firstName, lastName, invitedBy } = invitation;
  await tx
    .insertInto('site_invitations')
    .values({
      site_id: siteId,
      user_id: userId,
      email,
      first_name: firstName,
      last_name: lastName,
      invited_by: invitedBy,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'user_id']).doUpdateSet({
        first_name: sql`coalesce(nullif(excluded.first_name, ''), site_invitations.first_name)`,
        last_name: sql`coalesce(nullif(excluded.last_name, ''), site_invitations.last_name)`,
      }),
    )
    .execute();
}

/** @returns whether there was one */
export async function removeInvitation(tx: Database, { siteId, userId }: Membership): Promise<boolean> {
  const removed = await tx
    .deleteFrom('site_invitations')
    .where('site_id', '=', siteId)
    .where('user_id', '=', userId)
    .returning('site_id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** @returns undefined also after its end */
export function findTransfer(db: Database, siteId: number, at: Date): Promise<PendingTransfer | undefined> {
  return db
    .selectFrom('site_transfers')
    .select([
      'former_owner_id as formerOwnerId',
      'former_member_id as formerMemberId',
      'former_role as formerRole',
    ])
    .where('site_id', '=', siteId)
    .where('ends_at', '>', at)
    .executeTakeFirst();
}

/** The owner before the present one, whose role lasts until the handover is accepted or ends; null without one. */
export async function formerMemberOf(tx: Database, siteId: number): Promise<number | null> {
  const transfer = await tx
    .selectFrom('site_transfers')
    .select('former_member_id as id')
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return transfer?.id ?? null;
}

/**
 * Called once the former owner has the role that lasts until the end of the handover.
 *
 * @param transfer undefined for a site that its owner has accepted
 */
export async function setTransfer(
  tx: Database,
  siteId: number,
  transfer: Omit<PendingTransfer, 'formerMemberId'> | undefined,
  at: Date,
): Promise<void> {
  await tx.deleteFrom('site_transfers').where('site_id', '=', siteId).execute();
  if (transfer === undefined) return;
  const { formerOwnerId, formerRole } = transfer;
  await tx
    .insertInto('site_transfers')
    .values({
      site_id: siteId,
      former_owner_id: formerOwnerId,
      former_member_id: formerOwnerId,
      former_role: formerRole,
      created_at: at,
      ends_at: new Date(at.getTime() + TRANSFER_LIFETIME_MS),
    })
    .execute();
}
